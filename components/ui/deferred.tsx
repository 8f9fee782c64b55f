'use client'

import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react'

/**
 * A component that comes after the page. Once it is loaded it is there with the key that asks for it, so what is typed next
 * is not lost: `lazy` waits for a moment even then.
 */
export function deferred<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined
  const loading = async () => {
    const found = await load()
    loaded = found.default
    return found
  }
  const Later = lazy(loading)
  function Deferred({ fallback, ...props }: Props & { fallback?: ReactNode }) {
    // one that began to wait stays the one that waits
    const [Now] = useState(() => loaded)
    const given = props as unknown as Props
    if (Now) return createElement(Now, given)
    return <Suspense fallback={fallback}>{createElement(Later as ComponentType<Props>, given)}</Suspense>
  }
  /** Loads it ahead. Where that fails, it is loaded when it is asked for. */
  Deferred.preload = () => void loading().catch(() => undefined)
  return Deferred
}
