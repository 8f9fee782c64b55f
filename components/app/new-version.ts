import { useSyncExternalStore } from 'react'
import { listenersOf } from '@/components/ui/listeners'

let isThere = false
const { subscribe, tell } = listenersOf()

/** Notes whether the server has another version of the app than this page, which has to be loaded anew to go on. */
export function noteNewVersion(now: boolean): void {
  isThere = now
  tell()
}

/**
 * Looks for another version of the app behind code that could not be loaded: the server has the scripts of its own
 * version only.
 */
export async function lookForNewVersion(error: unknown): Promise<void> {
  const address =
    error instanceof Error ? /\S+\.(?:js|css|tsx?)(?:\?\S*)?/.exec(error.message)?.[0] : undefined
  if (address === undefined) return
  const found = await fetch(address, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  if (found?.status === 404) noteNewVersion(true)
}

/** Tells whether the server is known to have another version of the app than this page. */
export const useNewVersion = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isThere,
    () => false,
  )

/** For a load of code that failed: rejects as it did, and looks for another version behind it. */
export function withoutCode(error: unknown): never {
  void lookForNewVersion(error)
  throw error
}
