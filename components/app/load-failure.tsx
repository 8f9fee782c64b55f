'use client'

import { Button } from '@/components/ui/button'
import type { OpenProps } from '@/components/ui/dialog'
import { useNewVersion } from './new-version'
import { newVersion } from './problem'

/** Loads the page of the version that the server has. */
export const Reload = () => (
  <Button size="sm" onClick={() => location.reload()}>
    Reload the page
  </Button>
)

/** Says why a part of the page is missing. */
function Why() {
  return useNewVersion() ? newVersion : 'This part could not be loaded. Check the connection, then try again.'
}

function Remedy({ onAgain }: { onAgain(): void }) {
  if (useNewVersion()) return <Reload />
  return (
    <Button size="sm" onClick={onAgain}>
      Try again
    </Button>
  )
}

/** In the place of a part of the page whose code could not be loaded. */
export function LoadFailure({ onAgain }: { onAgain(): void }) {
  return (
    <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3 text-muted text-sm">
      <Why />
      <Remedy onAgain={onAgain} />
    </p>
  )
}

/** In the place of a dialog or menu whose code could not be loaded: it stands above the page, which goes on below it. */
export function LoadFailureNote({ open, onOpenChange, onAgain }: OpenProps & { onAgain(): void }) {
  if (!open) return null
  return (
    <div
      role="alert"
      className="arrive fixed top-14 left-1/2 z-50 flex w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 flex-col gap-3 rounded-xl border border-line bg-raised p-3 text-sm shadow-float"
    >
      <p className="text-muted">
        <Why />
      </p>
      <div className="flex gap-2">
        <Remedy onAgain={onAgain} />
        <Button size="sm" look="quiet" onClick={() => onOpenChange(false)}>
          Close
        </Button>
      </div>
    </div>
  )
}
