'use client'

import { Archive, ArchiveRestore, Download, Pin, PinOff, Tag, Trash2, X } from 'lucide-react'
import { useApp } from '@/components/app/app-context'
import type { Picked } from '@/components/app/listed'
import { Button, IconButton } from '@/components/ui/button'
import { isSelected, type Selection, type SelectionAction, selectedCount } from './selection'

interface SelectionBarProps {
  selection: Selection
  select(action: SelectionAction): void
  /** number of chats in the list, loaded or not */
  count: number
}

/** Actions on the selected chats, each with one request. */
export function SelectionBar({ selection, select, count }: SelectionBarProps) {
  const { list, keepChats, archiveChats, tagChats, exportChats, deleteChats } = useApp()
  const { archived, tag, q, agents } = list.query
  const chats = list.shown.filter(({ id }) => isSelected(selection, id))
  const selected = selectedCount(selection, count)
  const isWhole = selection.all && list.next !== null
  const picked: Picked = isWhole
    ? { filter: { archived, tag, q, agents }, except: [...selection.ids], count: selected }
    : { chats }
  const isPinned = chats.length > 0 && chats.every(({ pinnedAt }) => pinnedAt !== null)
  const leave = () => select({ type: 'leave' })

  const acts = [
    {
      label: isPinned ? 'Unpin' : 'Pin',
      Icon: isPinned ? PinOff : Pin,
      async run() {
        if (await keepChats(picked, { pinned: !isPinned })) leave()
      },
    },
    { label: 'Tags', Icon: Tag, run: (button: Element) => tagChats(picked, button) },
    {
      label: archived ? 'Unarchive' : 'Archive',
      Icon: archived ? ArchiveRestore : Archive,
      async run() {
        leave()
        await archiveChats(picked, !archived)
      },
    },
    { label: 'Export', Icon: Download, run: () => exportChats(picked) },
    { label: 'Delete', Icon: Trash2, danger: true, run: () => deleteChats(picked) },
  ]
  return (
    <div
      role="toolbar"
      aria-label="Selected chats"
      className="arrive flex shrink-0 flex-col gap-1 border-line border-t bg-raised px-2 py-2"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        leave()
      }}
    >
      <div className="flex items-center gap-1 pl-2 text-sm">
        <span className="flex-1 font-medium tabular-nums">{selected.toLocaleString('en')} selected</span>
        {selected < count && (
          <Button look="quiet" size="sm" className="text-accent" onClick={() => select({ type: 'all' })}>
            Select all {count.toLocaleString('en')}
          </Button>
        )}
        <IconButton label="Stop selecting" hint="Esc" size="icon-sm" Icon={X} onClick={leave} />
      </div>
      <div className="grid grid-cols-3 gap-0.5">
        {acts.map(({ label, Icon, danger, run }) => (
          <Button
            key={label}
            look="quiet"
            size="sm"
            disabled={selected === 0}
            className={`justify-start gap-1.5 px-2 text-xs touch:h-11 ${danger ? 'text-danger hover:bg-danger-soft hover:text-danger' : ''}`}
            onClick={(event) => void run(event.currentTarget)}
          >
            <Icon size={13} aria-hidden />
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}
