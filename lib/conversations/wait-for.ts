/** Waits until `subscribe`'s callback is called, `signal` fires or `timeoutMs` milliseconds have passed. */
export async function waitFor(
  subscribe: (wake: () => void) => () => void,
  { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs: number },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const unsubscribe = subscribe(resolve)
  const timer = setTimeout(resolve, timeoutMs)
  signal?.addEventListener('abort', () => resolve(), { once: true })
  if (signal?.aborted) resolve()
  await promise
  clearTimeout(timer)
  unsubscribe()
}
