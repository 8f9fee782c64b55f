import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { JsonSlice } from './split-json'

/** Bytes after which other work of the process has its turn. */
export const TURN_BYTES = 256 * 1024

/** The bytes of a file behind its first ones. */
export async function* without(stream: Readable, offset: number): AsyncGenerator<Buffer> {
  let left = offset
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (left < chunk.length) yield left === 0 ? chunk : chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

/** Lets other work of the process have its turn between chats, and ends when `signal` aborts. */
export async function* inTurns(
  slices: AsyncIterable<JsonSlice>,
  signal?: AbortSignal,
): AsyncGenerator<JsonSlice> {
  let bytes = 0
  for await (const slice of slices) {
    signal?.throwIfAborted()
    bytes += slice.kind === 'value' ? slice.bytes.length : 0
    yield slice
    if (bytes < TURN_BYTES) continue
    bytes = 0
    await setImmediate()
  }
}

/** The first bytes of a file. */
export async function headOf(stream: Readable, most: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      pieces.push(chunk)
      bytes += chunk.length
      if (bytes >= most) break
    }
  } finally {
    stream.destroy()
  }
  return Buffer.concat(pieces).subarray(0, most)
}
