'use client'

import { ArrowDown, ArrowUp, Ellipsis, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, memo, useState } from 'react'
import { flushSync } from 'react-dom'
import { announce } from '@/components/app/toasts'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Switch } from '@/components/ui/switch'
import { estimateTokens } from '@/lib/context'
import { newId } from '@/lib/events'
import type { ContextFragmentJson } from '@/lib/protocol'
import { removeRow } from './focus'
import { FragmentFields } from './fragment-fields'
import { dataText, isName, kindLabel } from './kinds'
import type { Edit } from './parts'

interface FragmentRowProps {
  fragment: ContextFragmentJson
  /** its place in its group */
  isFirst: boolean
  isLast: boolean
  /** the list of names of groups that there are */
  groupsId: string
  onEdit(edit: Edit, words?: string): void
}

/** One fragment. It is drawn anew only when itself or its place changes: a context may have hundreds. */
export const FragmentRow = memo(function FragmentRow(props: FragmentRowProps) {
  const { fragment, isFirst, isLast, groupsId, onEdit } = props
  const { id, name, data, enabled, group = '' } = fragment
  const [open, setOpen] = useState(false)
  const label = kindLabel(name)
  const tokens = estimateTokens(dataText(data))

  const move = (by: 1 | -1) => {
    if (by === 1 ? isLast : isFirst) return announce(by === 1 ? 'It is the last' : 'It is the first')
    const focused = document.activeElement
    flushSync(() => onEdit({ type: 'move', id, by }))
    // an element that is put elsewhere loses the focus
    if (focused instanceof HTMLElement && document.activeElement !== focused) focused.focus()
    announce(by === 1 ? `${label} moved down` : `${label} moved up`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.altKey && { ArrowUp: -1 as const, ArrowDown: 1 as const }[event.key]
    if (!by) return
    event.preventDefault()
    move(by)
  }
  return (
    <li
      data-fragment={id}
      onKeyDown={onKeyDown}
      className="group/row px-4 py-1.5 [contain-intrinsic-size:auto_4.5rem] [content-visibility:auto]"
    >
      <div className="flex h-7 items-center gap-0.5 touch:h-11">
        <span className={cn('min-w-0 truncate font-medium text-xs', enabled ? 'text-muted' : 'text-faint')}>
          <bdi>{label}</bdi>
        </span>
        <span className="ml-2 flex-1 text-faint text-xs tabular-nums">
          {enabled ? `${tokens.toLocaleString('en')} tokens` : 'off'}
        </span>
        <span
          className={cn(
            'flex items-center transition-opacity group-focus-within/row:opacity-100 group-hover/row:opacity-100 touch:opacity-100',
            open ? 'opacity-100' : 'opacity-0',
          )}
        >
          <Tool
            label={`Move ${label} up`}
            hint="Alt ↑"
            Icon={ArrowUp}
            off={isFirst}
            onClick={() => move(-1)}
          />
          <Tool
            label={`Move ${label} down`}
            hint="Alt ↓"
            Icon={ArrowDown}
            off={isLast}
            onClick={() => move(1)}
          />
          <Tool label={`More for ${label}`} Icon={Ellipsis} expanded={open} onClick={() => setOpen(!open)} />
          <Tool
            label={`Remove ${label}`}
            Icon={X}
            onClick={(event) =>
              removeRow(event.currentTarget, () => onEdit({ type: 'remove', id }, `${label} is removed.`))
            }
          />
        </span>
        <Switch
          label={`${label} is in the prompt`}
          checked={enabled}
          onChange={(next) => onEdit({ type: 'fragment', id, change: { enabled: next } })}
        />
      </div>
      {open && (
        <div className="mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted text-xs">
          <NameField
            name={name}
            onChange={(next) => onEdit({ type: 'fragment', id, change: { name: next } })}
          />
          <GroupField
            group={group}
            groupsId={groupsId}
            onChange={(next) => onEdit({ type: 'group', id, group: next })}
          />
          <Button size="sm" onClick={() => onEdit({ type: 'duplicate', id, as: newId() })}>
            Duplicate
          </Button>
        </div>
      )}
      <div className={cn(!enabled && 'opacity-60')}>
        <FragmentFields
          label={label}
          name={name}
          data={data}
          onChange={(next) => onEdit({ type: 'fragment', id, change: { data: next } })}
        />
      </div>
    </li>
  )
})

interface ToolProps {
  label: string
  hint?: string
  Icon: typeof X
  off?: boolean
  expanded?: boolean
  onClick(event: MouseEvent): void
}

/** A small button without a floating tooltip: there are hundreds of them. */
const Tool = ({ label, hint, Icon, off, expanded, onClick }: ToolProps) => (
  <Button
    look="quiet"
    size="icon-sm"
    aria-label={label}
    aria-expanded={expanded}
    aria-disabled={off || undefined}
    title={hint ? `${label} (${hint})` : label}
    className="aria-disabled:opacity-45"
    onClick={onClick}
  >
    <Icon size={14} aria-hidden />
  </Button>
)

const small =
  'h-7 w-32 rounded-md border border-line bg-raised px-2 text-ink outline-none focus:border-accent aria-invalid:border-danger touch:h-11'

function NameField({ name, onChange }: { name: string; onChange(name: string): void }) {
  const [text, setText] = useState(name)
  return (
    <label className="flex items-center gap-1.5" title="What the prompt calls it">
      Name
      <input
        value={text}
        dir="ltr"
        maxLength={64}
        spellCheck={false}
        aria-invalid={!isName(text) || undefined}
        onChange={({ target }) => {
          setText(target.value)
          if (isName(target.value)) onChange(target.value)
        }}
        className={cn(small, 'font-mono')}
      />
      {!isName(text) && (
        <span role="alert" className="text-danger">
          A name begins with a letter and has no spaces. In force: {name}.
        </span>
      )}
    </label>
  )
}

interface GroupFieldProps {
  group: string
  groupsId: string
  onChange(group: string): void
}

/** A group moves the fragment to others, so it counts when it is written, not at every letter. */
function GroupField({ group, groupsId, onChange }: GroupFieldProps) {
  const [text, setText] = useState(group)
  const done = () => {
    const next = text.trim().slice(0, 64)
    if (next !== group) onChange(next)
  }
  return (
    <label className="flex items-center gap-1.5">
      Group
      <input
        value={text}
        dir="auto"
        list={groupsId}
        maxLength={64}
        onChange={({ target }) => setText(target.value)}
        onBlur={done}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) done()
        }}
        className={small}
      />
    </label>
  )
}
