'use client'

import { Popover } from 'radix-ui'
import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/text-field'
import type { MessageId } from '@/lib/events'
import { suggestCheckpointName } from '@/lib/graph/checkpoint-name'
import type { GraphCheckpoint } from '@/lib/protocol'

/** A checkpoint about to be named. */
export interface Naming {
  messageId: MessageId
  /** the element that had the focus */
  from: Element | null
  /** the element that the box opens beside */
  beside: Element | null
}

interface CheckpointPopoverProps {
  naming: Naming | null
  checkpoints: readonly GraphCheckpoint[]
  onSave(messageId: MessageId, name: string): void
  onClose(): void
}

export default function CheckpointPopover({ naming, checkpoints, onSave, onClose }: CheckpointPopoverProps) {
  // the box is gone by the time it gives the focus back
  const from = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (naming) from.current = naming.from
  }, [naming])
  return (
    <Popover.Root open={naming !== null} onOpenChange={(open) => !open && onClose()}>
      {naming && <Popover.Anchor virtualRef={{ current: naming.beside ?? document.body }} />}
      <Popover.Portal>
        <Popover.Content
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Save a checkpoint"
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (from.current instanceof HTMLElement) from.current.focus({ preventScroll: true })
          }}
          className="appear z-50 w-72 rounded-lg border border-line bg-raised p-3 shadow-float"
        >
          {naming && (
            <NameForm
              key={naming.messageId}
              checkpoints={checkpoints}
              messageId={naming.messageId}
              onSave={(name) => {
                onClose()
                onSave(naming.messageId, name)
              }}
            />
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface NameFormProps {
  checkpoints: readonly GraphCheckpoint[]
  messageId: MessageId
  onSave(name: string): void
}

function NameForm({ checkpoints, messageId, onSave }: NameFormProps) {
  const [name, setName] = useState(() => suggestCheckpointName(checkpoints))
  const wanted = name.trim()
  const taken = checkpoints.find((checkpoint) => checkpoint.name === wanted)
  const moves = taken !== undefined && taken.messageId !== messageId
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted !== '') onSave(wanted)
      }}
    >
      <TextField label="Checkpoint name" value={name} onChange={setName} maxLength={100} takesFocus="all" />
      <div className="flex items-center justify-between gap-2">
        <p className="text-muted text-xs">
          {moves ? 'This name is taken: the checkpoint moves here.' : 'A place to come back to.'}
        </p>
        <Button look="primary" size="sm" type="submit" disabled={wanted === ''}>
          {moves ? 'Move' : 'Save'}
        </Button>
      </div>
    </form>
  )
}
