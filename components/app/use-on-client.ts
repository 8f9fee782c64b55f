'use client'

import { useSyncExternalStore } from 'react'

/** True when the page runs in a browser by now: `false` on the server, and in the first render after it. */
export const useOnClient = (): boolean =>
  useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )

/**
 * The time; null on the server and in the first render after it. The server knows neither the reader's clock nor the day
 * there, so nothing that depends on them is drawn before.
 */
export const useNow = (): Date | null => (useOnClient() ? new Date() : null)
