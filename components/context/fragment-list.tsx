'use client'

import { Plus } from 'lucide-react'
import { memo, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { newId } from '@/lib/events'
import type { ContextFragmentJson } from '@/lib/protocol'
import { FragmentRow } from './fragment-row'
import { customKind, emptyFragment, type Kind, kinds } from './kinds'
import { type Edit, type Group, grouped } from './parts'
import { Section } from './section'

interface FragmentListProps {
  fragments: readonly ContextFragmentJson[]
  onEdit(edit: Edit, words?: string): void
}

/** The fragments of a context in their groups, and the menu that adds one. */
export function FragmentList({ fragments, onEdit }: FragmentListProps) {
  const groupsId = useId()
  const list = useRef<HTMLDivElement>(null)
  const groups = grouped(fragments)
  const add = (kind: Kind) => {
    const id = newId()
    flushSync(() => onEdit({ type: 'add', fragments: [emptyFragment(kind, id)] }))
    const row = list.current?.querySelector(`[data-fragment="${id}"]`)
    row?.scrollIntoView({ block: 'nearest' })
    row?.querySelector('textarea')?.focus()
  }
  return (
    <Section
      title="Fragments"
      note={fragments.length === 0 ? undefined : String(fragments.length)}
      action={<AddMenu onAdd={add} />}
    >
      <div ref={list}>
        {fragments.length === 0 && (
          <p className="px-4 pb-2 text-muted text-sm">
            No fragments: the model is told nothing. Add a role or a hint.
          </p>
        )}
        {groups.map((group) => (
          <GroupRows key={group.name} group={group} groupsId={groupsId} onEdit={onEdit} />
        ))}
      </div>
      <datalist id={groupsId}>
        {groups.map(({ name }) => name !== '' && <option key={name} value={name} />)}
      </datalist>
    </Section>
  )
}

interface GroupRowsProps extends Pick<FragmentListProps, 'onEdit'> {
  group: Group
  groupsId: string
}

const GroupRows = memo(function GroupRows({ group, groupsId, onEdit }: GroupRowsProps) {
  const { name, fragments } = group
  const rows = (
    <ul aria-label={name === '' ? 'Fragments' : `Group ${name}`}>
      {fragments.map((fragment, at) => (
        <FragmentRow
          key={fragment.id}
          fragment={fragment}
          groupsId={groupsId}
          onEdit={onEdit}
          isFirst={at === 0}
          isLast={at === fragments.length - 1}
        />
      ))}
    </ul>
  )
  if (name === '') return rows
  return (
    <div className="mt-1">
      <h4 dir="auto" className="truncate px-4 pt-2 text-faint text-xs">
        {name}
      </h4>
      {rows}
    </div>
  )
})

/** The kinds of fragments with a line about each. */
function AddMenu({ onAdd }: { onAdd(kind: Kind): void }) {
  const chosen = useRef<Kind | null>(null)
  return (
    <Menu
      align="end"
      // the new fragment takes the focus, not the button
      onCloseAutoFocus={(event) => {
        const kind = chosen.current
        if (!kind) return
        chosen.current = null
        event.preventDefault()
        onAdd(kind)
      }}
      trigger={
        <Button size="sm">
          <Plus size={14} aria-hidden /> Add
        </Button>
      }
    >
      {[...kinds, customKind].map((kind) => (
        <MenuItem
          key={kind.name}
          className={addItem}
          onSelect={() => {
            chosen.current = kind
          }}
        >
          <span className="w-24 shrink-0">{kind.label}</span>
          <span className="text-faint text-xs">{kind.about}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}

const addItem =
  'flex min-h-8 select-none items-center gap-2 rounded-md px-2 py-1 text-sm outline-none data-[highlighted]:bg-ink/6 touch:min-h-11'
