'use client'

import { useApp } from '@/components/app/app-context'
import { Button } from '@/components/ui/button'

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
      className="mx-2 mb-2 rounded-lg border border-line bg-raised p-3 text-sm"
    >
      <p>Your chats are kept in this browser. Sign up to keep them.</p>
      <p className="pt-1 text-muted text-xs">They are deleted 30 days after your last visit.</p>
      <div className="mt-2 flex gap-1">
        <Button
          size="sm"
          onClick={() => {
            onLeave?.()
            openAccount('up')
          }}
        >
          Sign up
        </Button>
        <Button look="quiet" size="sm" onClick={onRead}>
          Not now
        </Button>
      </div>
    </section>
  )
}
