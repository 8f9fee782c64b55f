'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'

/** A link that was made, told this once. */
export function MadeLink({
  url,
  another,
  onAnother,
}: {
  url: string
  /** the words of the way to the next one */
  another: string
  onAnother(): void
}) {
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => setCopied('yes'),
      // the link is selected: the person can copy it
      () => {
        field.current?.select()
        setCopied('no')
      },
    )
  return (
    <div className="flex flex-col gap-3">
      <p className="font-medium text-sm">The link is made. Copy it now: it is not shown again.</p>
      <div className="flex gap-2">
        <input
          ref={field}
          readOnly
          aria-label="Link"
          dir="ltr"
          value={url}
          onFocus={(event) => event.target.select()}
          className="h-9 min-w-0 flex-1 rounded-md border border-line bg-canvas px-3 font-mono text-sm outline-none focus:border-accent touch:h-11"
        />
        <Button look="primary" className="h-9 touch:h-11" onClick={() => void copy()}>
          {copied === 'yes' ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
          {copied === 'yes' ? 'Copied' : 'Copy link'}
        </Button>
      </div>
      <p role="status" className="text-muted text-sm empty:hidden">
        {copied === 'yes' && 'The link is on the clipboard.'}
        {copied === 'no' && 'The browser does not allow copying. The link is selected: copy it by hand.'}
      </p>
      <Button size="sm" look="quiet" className="-ml-2 self-start" onClick={onAnother}>
        {another}
      </Button>
    </div>
  )
}
