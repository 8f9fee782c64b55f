'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { errorToast } from '@/components/app/toasts'
import { IconButton } from '@/components/ui/button'

/**
 * Copies a text; `copied` for a moment.
 *
 * @param text a function makes the text when it is copied
 */
export function useCopy(text: string | (() => string)) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    } catch {
      // a page that came without encryption has no clipboard
      errorToast('The browser does not let this page copy. Select the text and copy it by hand.')
      return
    }
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
