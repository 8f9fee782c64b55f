/**
 * A stream that makes the next value only when its reader asks for one. A reader that leaves ends the generator; the
 * signal ends it even while it waits.
 */
export function pullStream<T>(
  generate: (signal: AbortSignal) => AsyncGenerator<T, unknown>,
): ReadableStream<T> {
  const left = new AbortController()
  const values = generate(left.signal)
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const next = await values.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      async cancel() {
        left.abort()
        await values.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
