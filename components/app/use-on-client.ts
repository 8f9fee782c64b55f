'use client'

import { useSyncExternalStore } from 'react'

/** Whether the page runs in a browser by now: `false` on the server, and in the first render after it. */
export const useOnClient = (): boolean =>
  useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
