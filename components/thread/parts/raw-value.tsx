'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'

/** So many characters are shown at first: a tool may answer with megabytes. */
const most = 4000

/** A value as a provider or a tool gave it: text as text, all else as JSON. */
export function RawValue({ title, value }: { title: string; value: unknown }) {
  const [whole, setWhole] = useState(false)
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  const isCut = !whole && text.length > most
  return (
    <figure aria-label={title} className="min-w-0">
      <figcaption className="pb-1 text-faint text-xs">{title}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        tabIndex={0}
        className="max-h-80 overflow-auto whitespace-pre-wrap rounded-md bg-surface p-2 font-mono text-xs leading-[1.5] [overflow-wrap:anywhere]"
      >
        {isCut ? `${text.slice(0, most)}…` : text}
      </pre>
      {isCut && (
        <Button look="quiet" size="sm" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </Button>
      )}
    </figure>
  )
}
