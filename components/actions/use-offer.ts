'use client'

import { useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import { type Command, useApp } from '@/components/app/app-context'

/**
 * Adds commands to the palette while the caller is on the page.
 *
 * @param commands asked for when the palette opens
 * @param reveal brings what they act on into view first
 */
export function useOffer(commands: () => readonly Command[], reveal?: () => void): void {
  const { offer } = useApp()
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
    return offer(() => now().map(inView))
  }, [offer])
}
