'use client'

import { useState } from 'react'
import type { AttachedFile } from '@/components/session/messages'
import { Button } from '@/components/ui/button'
import { FileFace } from './file-face'
import { isSendable, TextBox, whyNot } from './text-box'

interface MessageEditorProps {
  text: string
  /** the text from before the page was loaded again */
  kept: string | null
  onWrite(text: string): void
  /** stay with the message */
  files: readonly AttachedFile[]
  onSave(text: string): void
  onCancel(): void
}

const unchanged = 'Nothing is changed yet, so there is nothing to send.'

/** Writes another message in a message's place. The original stays, on its own branch. */
export default function MessageEditor(props: MessageEditorProps) {
  const { text: before, kept, files, onWrite, onSave, onCancel } = props
  const first = kept ?? before
  const [text, setText] = useState(first)
  const complaint = whyNot(text)
  const ready = isSendable(text, files.length > 0) && text !== before
  return (
    <form
      className="flex flex-col gap-2 pb-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) onSave(text)
      }}
    >
      {files.length > 0 && (
        <ul aria-label="Files of this message" className="flex flex-wrap gap-2">
          {files.map((file) => (
            <li key={file.url} className="min-w-0">
              <FileFace {...file} note="stays" />
            </li>
          ))}
        </ul>
      )}
      <TextBox
        autoFocus
        label="Edit message"
        text={text}
        lines={16}
        onText={(next) => {
          setText(next)
          onWrite(next)
        }}
        onFocus={({ target }) => target.setSelectionRange(first.length, first.length)}
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
          {complaint ?? (text === before ? unchanged : 'The original stays, on its own branch.')}
        </p>
      </div>
    </form>
  )
}
