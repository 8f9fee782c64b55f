'use client'

import { X } from 'lucide-react'
import { useApp } from '@/components/app/app-context'
import { Button, IconButton } from '@/components/ui/button'

interface GuestNoteProps {
  onLeave?: (() => void) | undefined
  onRead(): void
}

/** Tells a guest once where the chats are. */
export function GuestNote({ onLeave, onRead }: GuestNoteProps) {
  const { openAccount } = useApp()
  return (
    <section
      aria-label="Where your chats are"
      className="relative mx-2 mb-2 rounded-lg border border-line bg-raised p-3 pr-9 text-sm"
    >
      <p>
        Your chats are kept in this browser only, and are deleted 30 days after your last visit. Sign up to
        keep them.
      </p>
      <Button
        size="sm"
        className="mt-2 touch:h-11"
        onClick={() => {
          onLeave?.()
          openAccount('up')
        }}
      >
        Sign up
      </Button>
      <IconButton
        label="Understood"
        size="icon-sm"
        Icon={X}
        className="absolute top-1 right-1"
        onClick={onRead}
      />
    </section>
  )
}
