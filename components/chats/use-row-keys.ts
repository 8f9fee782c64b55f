import type { KeyboardEvent } from 'react'
import { keyName } from '@/components/app/use-keys'
import type { ChatId } from '@/lib/events'
import type { ChatSummary } from '@/lib/protocol'
import type { Selection, SelectionAction } from './selection'

interface OnRows {
  shown: readonly ChatSummary[]
  selection: Selection | null
  select(action: SelectionAction): void
  open(id: ChatId): void
  rename(id: ChatId): void
}

/** The keys of the rows: they move the focus, select, open and rename. */
export function useRowKeys({ shown, selection, select, open, rename }: OnRows) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as Element
    const id = target.closest<HTMLElement>('[data-chat]')?.dataset.chat
    const at = shown.findIndex((chat) => chat.id === id)
    if (id === undefined || at < 0 || event.altKey) return
    const isRow = target.tagName === 'A'
    const list = event.currentTarget
    const goTo = (to: number) => {
      const next = shown[Math.max(0, Math.min(shown.length - 1, to))]
      if (!next) return
      const row = list.querySelector<HTMLElement>(`[data-chat="${CSS.escape(next.id)}"] a`)
      row?.focus()
      if (!event.shiftKey || next.id === id) return
      // the row that the stretch begins with is part of it
      const order = shown.map((chat) => chat.id)
      if (!selection) select({ type: 'begin', id })
      select({ type: 'stretch', to: next.id, order })
    }
    const keys: Record<string, (() => void) | undefined> = {
      ArrowDown: () => goTo(at + 1),
      ArrowUp: () => goTo(at - 1),
      Home: () => goTo(0),
      End: () => goTo(shown.length - 1),
      ArrowRight: isRow
        ? () => list.querySelector<HTMLElement>(`[data-chat="${CSS.escape(id)}"] [data-more]`)?.focus()
        : undefined,
      ArrowLeft: isRow ? undefined : () => goTo(at),
      Enter: isRow ? () => open(id) : undefined,
      Space: isRow ? () => select({ type: 'toggle', id }) : undefined,
      F2: () => rename(id),
      'Ctrl+A': selection ? () => select({ type: 'all' }) : undefined,
      Escape: selection ? () => select({ type: 'leave' }) : undefined,
    }
    // with Ctrl or ⌘, Enter opens the chat in another tab as any link
    const run = keys[keyName(event)]
    if (!run) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
}
