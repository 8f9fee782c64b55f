// `next/navigation` in component tests: an address, and a page that shows another one when it is told (testing/page/app.tsx)

import { useSyncExternalStore } from 'react'

/** Shows the page of an address. The page that a test has opened sets it. */
export const navigator: { show: (path: string) => void } = { show: () => undefined }

const listeners = new Set<() => void>()

/** Every change of the address is news to `usePathname`, as in the framework, whoever makes it. */
export function watchAddress(): () => void {
  const { pushState, replaceState } = history
  const tell = () => {
    for (const listener of listeners) listener()
  }
  history.pushState = (...state) => {
    pushState.apply(history, state)
    tell()
  }
  history.replaceState = (...state) => {
    replaceState.apply(history, state)
    tell()
  }
  addEventListener('popstate', tell)
  return () => {
    Object.assign(history, { pushState, replaceState })
    removeEventListener('popstate', tell)
  }
}

const router = {
  push(path: string) {
    history.pushState(null, '', path)
    navigator.show(path)
  },
  replace(path: string) {
    history.replaceState(null, '', path)
    navigator.show(path)
  },
  refresh: () => navigator.show(`${location.pathname}${location.search}`),
  prefetch: () => undefined,
  back: () => history.back(),
}

export const useRouter = () => router

export const usePathname = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => location.pathname,
  )

/** The framework's own errors pass through handlers; here it throws none. */
export const unstable_rethrow = (): void => undefined
