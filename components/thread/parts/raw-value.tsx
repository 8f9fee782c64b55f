'use client'

import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CopyButton } from '@/components/thread/copy-button'
import { Button } from '@/components/ui/button'

/** So many characters are shown at first, and at most: a tool may answer with megabytes, which no browser lays out. */
const [first, most] = [4000, 100_000]

/** A value as a provider or a tool gave it: text as text, all else as JSON. */
export function RawValue({ title, value }: { title: string; value: unknown }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  return (
    <figure aria-label={title} className="group/value relative min-w-0">
      <figcaption className="flex items-center justify-between pb-1 text-faint text-xs">
        {title}
        <CopyButton label={`Copy ${title.toLowerCase()}`} text={text} />
      </figcaption>
      <LongText className="max-h-80 rounded-md bg-surface p-2" text={text} />
    </figure>
  )
}

/** Text that may be very long: its beginning, more of it when asked for, and the rest for the clipboard alone. */
export function LongText({ text, className }: { text: string; className: string }) {
  const [shown, setShown] = useState(first)
  const box = useRef<HTMLPreElement>(null)
  const more = Math.min(text.length, most)
  return (
    <>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        tabIndex={0}
        ref={box}
        className={`overflow-auto whitespace-pre-wrap font-mono text-xs leading-[1.6] [overflow-wrap:anywhere] ${className}`}
      >
        {text.length > shown ? `${text.slice(0, shown)}…` : text}
      </pre>
      {shown < more && (
        <Button
          look="quiet"
          size="sm"
          onClick={() => {
            flushSync(() => setShown(more))
            // the button is gone, and the focus would go with it
            box.current?.focus({ preventScroll: true })
          }}
        >
          Show {more < text.length ? 'the first ' : 'all '}
          {more.toLocaleString('en')} characters
        </Button>
      )}
      {shown === most && text.length > most && (
        <p className="px-2 py-1 text-faint text-xs">
          {(text.length - most).toLocaleString('en')} more characters: copy it to read them.
        </p>
      )}
    </>
  )
}
