'use client'

import { useState } from 'react'
import { useOnClient } from '@/components/app/use-on-client'
import { Button } from '@/components/ui/button'

/** Copies lines; without a script there is no button. */
export function CopyCode({ name, text }: { name: string; text: string }) {
  const [told, setTold] = useState('')
  if (!useOnClient()) return null
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setTold('Copied'),
      // a page that came without encryption has no clipboard
      () => setTold('Select the lines to copy them'),
    )
  return (
    <span className="flex items-center gap-2">
      <span role="status" className="text-muted text-xs">
        {told}
      </span>
      <Button size="sm" aria-label={`Copy the lines for ${name}`} onClick={() => void copy()}>
        Copy
      </Button>
    </span>
  )
}
