import { ReadableStream as NodeStream } from 'node:stream/web'

/**
 * A stream that asks the iterator for one value at a time, and ends it when the reader cancels. The types of the DOM do
 * not know `from` yet.
 */
export const streamFrom = <T>(values: AsyncIterable<T> | Iterable<T>): ReadableStream<T> =>
  NodeStream.from(values) as unknown as ReadableStream<T>
