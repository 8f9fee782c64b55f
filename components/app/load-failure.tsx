'use client'

import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
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

/** In the place of a dialog or menu whose code could not be loaded. */
export function LoadFailureDialog({ open, onOpenChange, onAgain }: OpenProps & { onAgain(): void }) {
  return (
    <Dialog title="This could not be opened" {...{ open, onOpenChange }}>
      <div className="flex flex-col gap-4 px-5 pt-1 pb-5">
        <p role="alert" className="text-muted text-sm">
          <Why />
        </p>
        <div className="flex gap-2">
          <Remedy onAgain={onAgain} />
          <Button size="sm" look="quiet" onClick={() => onOpenChange(false)}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
