/** A stream that asks the iterator for one value at a time, and ends it when the reader cancels. */
export function streamFrom<T>(values: AsyncIterable<T>): ReadableStream<T> {
  const iterator = values[Symbol.asyncIterator]()
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const next = await iterator.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
