'use client'

import { Flag, GitBranch } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { MessageId } from '@/lib/events'
import { suggestCheckpointName } from '@/lib/graph'
import type { GraphBranch, GraphCheckpoint } from '@/lib/protocol'
import type { GraphActions } from '../model/graph-props'

interface NameInPlaceProps {
  label: string
  icon: ReactNode
  initial: string
  /** a remark on the name while it is written */
  remark?(name: string): string | null
  onSave(name: string): void
  /** the name is given; or dropped, by Escape or by going elsewhere */
  onDone(): void
}

/** A field for a name, in the place of the name. Enter keeps it; Escape and leaving drop it. */
function NameInPlace({ label, icon, initial, remark, onSave, onDone }: NameInPlaceProps) {
  const [name, setName] = useState(initial)
  const wanted = name.trim()
  const said = remark?.(wanted)
  return (
    <form
      className="nopan nowheel pointer-events-auto relative z-10"
      onSubmit={(event) => {
        event.preventDefault()
        onDone()
        if (wanted !== '') onSave(wanted)
      }}
      onKeyDown={(event) => {
        // keys that are typed here are no keys of the tree or the page
        event.stopPropagation()
        if (event.key === 'Escape') onDone()
      }}
    >
      <span className="flex h-5 items-center gap-1 rounded-md border border-accent bg-raised px-1.5 shadow-float touch:h-9">
        {icon}
        <input
          aria-label={label}
          dir="auto"
          value={name}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          ref={selectAll}
          size={Math.max(8, Math.min(24, name.length + 1))}
          onChange={(event) => setName(event.target.value)}
          onBlur={onDone}
          className="bg-transparent text-[11px] text-ink outline-none touch:text-base"
        />
      </span>
      {said && (
        <span className="absolute top-full left-0 mt-1 whitespace-nowrap rounded-md bg-ink px-1.5 py-0.5 text-[11px] text-canvas">
          {said}
        </span>
      )}
    </form>
  )
}

interface BeingNamed {
  on: GraphActions
  /** the name is given, or dropped */
  onNamed(): void
}

export function BranchName({ branch, on, onNamed }: BeingNamed & { branch: GraphBranch }) {
  return (
    <NameInPlace
      label="Branch name"
      icon={<GitBranch size={11} aria-hidden className="shrink-0 text-(--lane)" />}
      initial={branch.name}
      onSave={(name) => name !== branch.name && on.renameBranch(branch.id, name)}
      onDone={onNamed}
    />
  )
}

interface CheckpointNameProps extends BeingNamed {
  messageId: MessageId
  checkpoints: readonly GraphCheckpoint[]
}

export function CheckpointName({ messageId, checkpoints, on, onNamed }: CheckpointNameProps) {
  const isTaken = (name: string) =>
    checkpoints.some((checkpoint) => checkpoint.name === name && checkpoint.messageId !== messageId)
  return (
    <NameInPlace
      label="Checkpoint name"
      icon={<Flag size={11} aria-hidden className="shrink-0 fill-current text-warn" />}
      initial={suggestCheckpointName(checkpoints)}
      remark={(name) => (isTaken(name) ? 'This checkpoint moves here' : null)}
      onSave={(name) => on.saveCheckpoint(messageId, name)}
      onDone={onNamed}
    />
  )
}

const selectAll = (input: HTMLInputElement | null) => {
  input?.focus({ preventScroll: true })
  input?.select()
}
