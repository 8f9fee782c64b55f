import 'server-only'

/** Bytes that are read before they are asked for, at most. */
const MOST = 65_536

/** Reads the next bytes; undefined after the last. Rejects when the connection breaks, after all that came before. */
export type ReadBytes = () => Promise<Uint8Array | undefined>

/** Reads all that is left. */
export async function readAll(read: ReadBytes): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  for (let part = await read(); part; part = await read()) parts.push(part)
  return parts
}

/**
 * Reads a body a little further than its reader, from now on. A breaking stream drops its unread bytes; the
 * bytes read ahead are kept.
 */
export function readAhead(body: ReadableStream<Uint8Array> | null): ReadBytes {
  const reader = body?.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  let broken: { error: unknown } | undefined
  let ended = reader === undefined
  let busy = false
  let wake: (() => void) | undefined

  const read = async () => {
    try {
      while (size < MOST && !ended) {
        const part = await reader?.read()
        if (!part || part.done) ended = true
        else {
          parts.push(part.value)
          size += part.value.length
          wake?.()
        }
      }
    } catch (error) {
      broken = { error }
      ended = true
    }
    busy = false
    wake?.()
  }
  const goOn = () => {
    if (busy || ended) return
    busy = true
    void read()
  }
  goOn()
  return async () => {
    while (parts.length === 0) {
      if (broken) throw broken.error
      if (ended) return undefined
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      goOn()
      await promise
    }
    const part = parts.shift()
    size -= part?.length ?? 0
    goOn()
    return part
  }
}
