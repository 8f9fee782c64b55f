import { type EffectCallback, useEffect, useEffectEvent, useLayoutEffect } from 'react'

/**
 * Runs an effect on the first render and whenever one of the versions is another. The effect reads the newest of
 * everything else, which makes it run no more often. It may answer what ends it, as in `useEffect`.
 */
export function useOnChange(versions: readonly unknown[], run: EffectCallback): void {
  const begin = useEffectEvent(run)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists what begins it again
  useEffect(() => begin(), versions)
}

/** `useOnChange` before the browser paints, for states that the reader must not see in between. */
export function useOnChangeBeforePaint(versions: readonly unknown[], run: EffectCallback): void {
  const begin = useEffectEvent(run)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists what begins it again
  useLayoutEffect(() => begin(), versions)
}
