'use client'

import { useStore } from '@xyflow/react'
import { Flag, GitBranch } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLaneStyle } from '@/components/app/lane'
import type { MessageId } from '@/lib/events'
import { suggestCheckpointName } from '@/lib/graph'
import type { GraphBranch, GraphCheckpoint } from '@/lib/protocol'
import { type Box, onScreen } from '../model/geometry'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import type { NameWanted } from '../model/level'

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
      <span className="flex h-7 items-center gap-1 rounded-md border border-accent bg-raised px-1.5 shadow-float touch:h-11">
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
          className="bg-transparent text-xs text-ink outline-none touch:text-base"
        />
      </span>
      {said && (
        <span className="absolute top-full left-0 mt-1 whitespace-nowrap rounded-md bg-ink px-1.5 py-0.5 text-xs text-canvas">
          {said}
        </span>
      )}
    </form>
  )
}

interface NameBoxProps extends BeingNamed {
  naming: NameWanted
  model: GraphModel
  boxOf(id: MessageId | null): Box | undefined
}

/** The size of the field with its remark, and its distance from the message. */
const field = { width: 224, height: 56, gap: 4 }

/** The field for a name, below the message it is about, above it where there is no room; always on the screen. */
export function NameBox({ naming, model, boxOf, ...being }: NameBoxProps) {
  const laneStyle = useLaneStyle()
  const { index } = model
  const [x, y, zoom] = useStore((state) => state.transform)
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const branch = naming.kind === 'branch' ? index.branch(naming.branchId) : undefined
  const messageId = naming.kind === 'checkpoint' ? naming.messageId : (branch?.headId ?? null)
  const nowhere = { x: 0, y: 0, width: 0, height: 0 }
  const at = onScreen(boxOf(messageId) ?? nowhere, { x, y, zoom })
  const below = at.y + at.height + field.gap
  const top = below + field.height <= height ? below : at.y - field.height + field.gap
  const lane = messageId === null ? 0 : (index.byId(messageId)?.lane ?? 0)
  return (
    <div
      className="absolute z-30"
      style={{
        ...laneStyle(lane),
        left: Math.max(8, Math.min(at.x, width - field.width - 8)),
        top: Math.max(8, Math.min(top, height - field.height)),
      }}
    >
      {branch ? (
        <BranchName branch={branch} {...being} />
      ) : (
        messageId !== null && (
          <CheckpointName messageId={messageId} checkpoints={index.graph.checkpoints} {...being} />
        )
      )}
    </div>
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
