'use client'

import { useKeys } from '@/components/app/use-keys'
import type { MessageId } from '@/lib/events'
import type { Which } from './sides'

/** `j` and `k` go down and up a side, arrows to the one beside, and `b` goes on from the message one stands at. */
export function useRowKeys(branchFrom: (which: Which, id: MessageId) => void): void {
  const step = (by: 1 | -1) => {
    const here = focused()
    const side = here?.dataset.side
    const column = articles().filter((article) => side === undefined || article.dataset.side === side)
    const at = here ? column.indexOf(here) : by === 1 ? -1 : column.length
    go(column[at + by])
  }
  const cross = (to: Which) => {
    const here = focused()
    if (!here || here.dataset.side === to) return false
    const beside = here.closest('[data-row]')?.querySelector<HTMLElement>(`article[data-side="${to}"]`)
    if (!beside?.checkVisibility()) return false
    go(beside)
    return true
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowLeft: () => cross('left'),
    ArrowRight: () => cross('right'),
    b: () => {
      const { side, messageId } = focused()?.dataset ?? {}
      if (!messageId || (side !== 'left' && side !== 'right')) return false
      branchFrom(side, messageId)
      return true
    },
  })
}

const articles = () =>
  [...document.querySelectorAll<HTMLElement>('article[data-side]')].filter((article) =>
    article.checkVisibility(),
  )

const focused = () => document.activeElement?.closest<HTMLElement>('article[data-side]') ?? null

function go(article: HTMLElement | undefined): void {
  article?.focus({ preventScroll: true })
  article?.scrollIntoView({ block: 'nearest' })
}
