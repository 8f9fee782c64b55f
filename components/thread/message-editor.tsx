'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { isSendable, TextBox, whyNot } from './text-box'

interface MessageEditorProps {
  text: string
  onSave(text: string): void
  onCancel(): void
}

/** Writes another message in a message's place. The original stays, on its own branch. */
export function MessageEditor({ text: before, onSave, onCancel }: MessageEditorProps) {
  const [text, setText] = useState(before)
  const complaint = whyNot(text)
  const ready = isSendable(text) && text !== before
  return (
    <form
      className="flex flex-col gap-2 pb-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) onSave(text)
      }}
    >
      <TextBox
        autoFocus
        label="Edit message"
        text={text}
        lines={16}
        onText={setText}
        onFocus={({ target }) => target.setSelectionRange(before.length, before.length)}
        onEscape={onCancel}
        className="rounded-lg border border-line bg-raised px-3 py-2 focus:border-accent"
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" type="submit" disabled={!ready}>
          Save and send
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <p className={complaint ? 'text-danger text-xs' : 'text-faint text-xs'}>
          {complaint ?? 'The original stays, on its own branch.'}
        </p>
      </div>
    </form>
  )
}
