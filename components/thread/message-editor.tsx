'use client'

import { useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { isSendable, whyNot } from './message-limits'
import { useAutoHeight } from './use-auto-height'

interface MessageEditorProps {
  text: string
  onSave(text: string): void
  onCancel(): void
}

/** Says something else in a message's place. What was there stays, on its own branch. */
export function MessageEditor({ text: before, onSave, onCancel }: MessageEditorProps) {
  const [text, setText] = useState(before)
  const area = useRef<HTMLTextAreaElement>(null)
  useAutoHeight(area, text, 16)
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
      <textarea
        ref={area}
        // biome-ignore lint/a11y/noAutofocus: it was asked for by a click or a key
        autoFocus
        dir="auto"
        rows={1}
        aria-label="Edit message"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.setSelectionRange(before.length, before.length)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') onCancel()
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          if (ready) onSave(text)
        }}
        className="w-full resize-none rounded-lg border border-line bg-raised px-3 py-2 text-lg outline-none focus:border-accent"
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
