'use client'

import {
  type ComponentType,
  createContext,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { OpenProps } from '@/components/ui/dialog'
import { listenersOf } from '@/components/ui/listeners'
import { holdTyping, letTypingGo } from '@/components/ui/typed-ahead'
import { LoadFailure, LoadFailureNote } from './load-failure'
import { lookForNewVersion } from './new-version'

/** Stands for a dialog or a menu that is still loading: it holds the keys that are typed meanwhile. */
function Awaited({ isOpen }: { isOpen: boolean }) {
  useLayoutEffect(() => {
    if (isOpen) holdTyping()
    else letTypingGo()
  }, [isOpen])
  return null
}

/** The fallback of the place that a component failed to come to. */
const Fallback = createContext<ReactNode>(null)

export interface DeferredOptions<Props> {
  /** for a dialog or a menu, which has no place in the page: its state, and the way to close it */
  floats?: (props: Props) => OpenProps
  /**
   * its fallback is shown where it cannot be loaded too: `told` says so below the fallback that came last, `untold` says
   * nothing: the page is whole without it
   */
  keepsFallback?: 'told' | 'untold'
}

/**
 * A component whose code comes after the page. Once it is loaded it is there with the key that asks for it, so the
 * next keys are not lost: `lazy` waits for a moment even then.
 *
 * Code that cannot be loaded takes nothing else away: its place says so and offers to try again, and it tries by
 * itself when the browser is online again, or when it is asked for again.
 */
export function deferred<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { floats, keepsFallback }: DeferredOptions<Props> = {},
) {
  let loaded: ComponentType<Props> | undefined
  const { subscribe, tell } = listenersOf()
  const loading = async () => {
    const found = await load()
    loaded = found.default
    return found
  }

  /** React keeps a load that failed, and what failed while it was rendered: each attempt is a component of its own. */
  const begin = () => {
    const attempt = {
      failed: false,
      Later: lazy<ComponentType<Props>>(async () => {
        try {
          return await loading()
        } catch (error) {
          attempt.failed = true
          void lookForNewVersion(error)
          return { default: Failed }
        }
      }),
    }
    return attempt
  }
  let attempt = begin()
  const current = () => attempt
  const again = () => {
    if (!attempt.failed) return
    attempt = begin()
    tell()
  }

  /** places without it, the newest last */
  const places = new Set<symbol>()
  /** Tells whether this place is the newest without the code: all messages of a chat would say the same. */
  function useIsNewest(): boolean {
    const [place] = useState(() => Symbol())
    useLayoutEffect(() => {
      places.add(place)
      tell()
      return () => {
        places.delete(place)
        tell()
      }
    }, [place])
    return useSyncExternalStore(
      subscribe,
      () => [...places].at(-1) === place,
      () => false,
    )
  }

  function Failed(props: Props) {
    const fallback = use(Fallback)
    const floating = floats?.(props)
    const isOpen = floating?.open
    const isNewest = useIsNewest()
    const wasClosed = useRef(false)
    useLayoutEffect(() => {
      // opened another time, it is loaded another time
      if (isOpen && wasClosed.current) again()
      wasClosed.current = isOpen === false
    }, [isOpen])
    useEffect(() => {
      addEventListener('online', again)
      return () => removeEventListener('online', again)
    }, [])
    useLayoutEffect(letTypingGo, [])
    if (floating) return <LoadFailureNote {...floating} onAgain={again} />
    return (
      <>
        {keepsFallback && fallback}
        {(!keepsFallback || (keepsFallback === 'told' && isNewest)) && <LoadFailure onAgain={again} />}
      </>
    )
  }

  function Deferred({ fallback, ...props }: Props & { fallback?: ReactNode }) {
    // a component that began to wait stays the one that waits
    const [Now] = useState(() => loaded)
    const { Later } = useSyncExternalStore(subscribe, current, current)
    // before the page is painted: an earlier failure, here or in another place, is not shown first
    useLayoutEffect(again, [])
    const given = props as unknown as Props
    return (
      <Suspense fallback={floats ? <Awaited isOpen={floats(given).open} /> : fallback}>
        {Now ? (
          createElement(Now, given)
        ) : (
          <Fallback value={fallback}>{createElement(Later as ComponentType<Props>, given)}</Fallback>
        )}
      </Suspense>
    )
  }
  /** Loads it ahead. A failure resolves the promise too: the code is then loaded when it is asked for. */
  Deferred.preload = (): Promise<unknown> => loading().catch(() => undefined)
  return Deferred
}
