/** Waits until `subscribe`'s callback is called, `signal` fires or `timeoutMs` milliseconds have passed, and leaves nothing behind. */
export async function waitFor(
  subscribe: (wake: () => void) => () => unknown,
  { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs?: number },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = () => resolve()
  const unsubscribe = subscribe(wake)
  const timer = timeoutMs === undefined ? undefined : setTimeout(wake, timeoutMs)
  signal?.addEventListener('abort', wake)
  if (signal?.aborted) wake()
  await promise
  clearTimeout(timer)
  // a signal may outlive its thousands of waits
  signal?.removeEventListener('abort', wake)
  unsubscribe()
}
