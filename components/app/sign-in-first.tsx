'use client'

import { Button } from '@/components/ui/button'
import { useApp } from './app-context'

/** Stands where the message box would, on a server without guests. */
export function SignInFirst() {
  const { openAccount } = useApp()
  return (
    <div className="mx-auto w-full max-w-[720px] shrink-0 px-3 pb-3 sm:px-5 sm:pb-4">
      <section
        aria-label="Sign in"
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-xl border border-line bg-raised p-4"
      >
        <p className="text-muted">To write here, you need an account on this server.</p>
        <div className="flex gap-2">
          <Button look="primary" onClick={() => openAccount('in')}>
            Sign in
          </Button>
          <Button onClick={() => openAccount('up')}>Sign up</Button>
        </div>
      </section>
    </div>
  )
}
