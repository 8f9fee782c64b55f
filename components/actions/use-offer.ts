'use client'

import { use, useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import { AppContext, type Command } from '@/components/app/app-context'

/**
 * Adds commands to the palette while the caller is on the page; a page without a palette takes none.
 *
 * @param commands asked for when the palette opens
 * @param reveal brings the object of the commands into view first
 */
export function useOffer(commands: () => readonly Command[], reveal?: () => void): void {
  const offer = use(AppContext)?.offer
  const now = useEffectEvent(commands)
  const bringIn = useEffectEvent(() => reveal?.())

  useEffect(() => {
    const inView = (command: Command): Command => ({
      ...command,
      run() {
        flushSync(bringIn)
        command.run()
      },
    })
    return offer?.(() => now().map(inView))
  }, [offer])
}
