'use client'

import { useRef } from 'react'
import { useKeys } from '@/components/app/use-keys'
import type { Versions } from '@/components/session/thread-rows'
import type { MessageId } from '@/lib/events'

interface ChatKeys {
  /** picked in the graph */
  selectedId: MessageId | null
  lastId: MessageId | null
  versionsOf(id: MessageId): Versions | null
  openVersion(id: MessageId): void
  branchFrom(id: MessageId): void
  checkpoint(id: MessageId, anchor: Element | null): void
  toggleGraph(): void
  fillGraph(): void
}

/** A second `g` this soon after the first means both. */
const twice = 450

export function useChatKeys(chat: ChatKeys): void {
  const lastG = useRef(0)

  const current = (): MessageId | null => {
    const focused = focusedArticle()?.dataset.messageId
    if (focused) return focused
    const inGraph = document.activeElement?.closest('[aria-label="Conversation graph"]')
    return (inGraph && chat.selectedId) || chat.lastId
  }

  const step = (direction: 1 | -1) => {
    const articles = [...document.querySelectorAll<HTMLElement>('article[data-message-id]')]
    const at = articles.indexOf(focusedArticle() ?? articles[articles.length] ?? document.body)
    const next = articles[at < 0 ? articles.length - 1 : at + direction]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest' })
  }

  const turnTo = (which: 'previous' | 'next') => {
    const focused = current()
    const articles = [...document.querySelectorAll<HTMLElement>('article[data-message-id]')].reverse()
    const candidates = [focused, ...articles.map((article) => article.dataset.messageId ?? null)]
    const with2 = candidates.find((id) => id !== null && chat.versionsOf(id))
    const target = with2 && chat.versionsOf(with2)?.[which]
    if (target) chat.openVersion(target)
  }

  useKeys({
    j: () => step(1),
    k: () => step(-1),
    '[': () => turnTo('previous'),
    ']': () => turnTo('next'),
    b: () => {
      const id = current()
      if (id) chat.branchFrom(id)
    },
    c: () => {
      const id = current()
      if (id) chat.checkpoint(id, focusedArticle() ?? document.activeElement)
    },
    g: (event) => {
      if (event.repeat) return
      const second = event.timeStamp - lastG.current < twice
      lastG.current = second ? 0 : event.timeStamp
      if (second) chat.fillGraph()
      else chat.toggleGraph()
    },
  })
}

function focusedArticle(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('article[data-message-id]') ?? null
}
