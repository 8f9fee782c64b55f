'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '@/components/ui/button'

/** Copies a text; `copied` for a moment. */
export function useCopy(text: string) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return { copied, copy }
}

export function CopyButton({ label, text }: { label: string; text: string }) {
  const { copied, copy } = useCopy(text)
  return (
    <IconButton tabIndex={-1} label={label} hint={copied && 'Copied'} size="icon-sm" onClick={copy}>
      {copied ? <Check size={14} aria-hidden className="text-accent" /> : <Copy size={14} aria-hidden />}
    </IconButton>
  )
}
