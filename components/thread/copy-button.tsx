'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '@/components/ui/button'

/** Copies a text, and says so for a moment. */
export function CopyButton({ label, text, className }: { label: string; text: string; className?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <IconButton label={label} hint={copied && 'Copied'} size="icon-sm" className={className} onClick={copy}>
      {copied ? <Check size={14} aria-hidden className="text-accent" /> : <Copy size={14} aria-hidden />}
    </IconButton>
  )
}
