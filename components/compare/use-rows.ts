'use client'

import { type RefObject, useRef } from 'react'
import { focusArticle } from '@/components/app/articles'
import { useKeys } from '@/components/app/use-keys'
import { useOnChangeBeforePaint } from '@/components/ui/use-on-change'
import type { MessageId } from '@/lib/events'
import type { Which } from './sides'

/** `j` and `k` go down and up a side, arrows to the message beside, and `b` opens a branch at the focused message. */
export function useRowKeys(branchFrom: (which: Which, id: MessageId) => void): void {
  const step = (by: 1 | -1) => {
    const here = focused()
    const side = here?.dataset.side
    const column = articles().filter((article) => side === undefined || article.dataset.side === side)
    const at = here ? column.indexOf(here) : by === 1 ? -1 : column.length
    focusArticle(column[at + by])
  }
  const cross = (to: Which) => {
    const here = focused()
    if (!here || here.dataset.side === to) return false
    const beside = here.closest('[data-row]')?.querySelector<HTMLElement>(`article[data-side="${to}"]`)
    if (!beside?.checkVisibility()) return false
    focusArticle(beside)
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

/** Keeps the row at the top of the window in place while the window turns from one side to the other. */
export function useKeepRow(scroller: RefObject<HTMLElement | null>, shown: string): () => void {
  const kept = useRef<{ row: Element; top: number } | null>(null)

  useOnChangeBeforePaint([scroller, shown], () => {
    let row: Element | null | undefined = kept.current?.row
    // a row without a message on this side gives way to the next
    while (row && row.getClientRects().length === 0) row = row.nextElementSibling
    if (row && kept.current && scroller.current) {
      scroller.current.scrollTop += row.getBoundingClientRect().top - kept.current.top
    }
    kept.current = null
  })

  return () => {
    const top = scroller.current?.getBoundingClientRect().top ?? 0
    const rows = scroller.current?.querySelectorAll('[data-row]') ?? []
    const row = [...rows].find((candidate) => candidate.getBoundingClientRect().bottom > top)
    const at = row?.getBoundingClientRect().top
    // with no row above the top there is nothing to keep
    kept.current = row && at !== undefined && at < top ? { row, top: at } : null
  }
}
