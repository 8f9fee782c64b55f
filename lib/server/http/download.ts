import 'server-only'
import { Readable } from 'node:stream'
import { type ArchiveEntry, zipStream } from '@/lib/conversations'
import { onBehalfOf } from '@/lib/runtime'
import { inPages } from './heavy-work'

/**
 * Text or bytes as a body that is written as fast as its client reads, page by page, and no further once the client has left.
 *
 * @param ended called once, however it ends
 */
export function textBody(
  ownerId: string,
  text: AsyncIterable<string | Uint8Array>,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const pages = inPages(ownerId, text)
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await pages.next()
          if (!done) return controller.enqueue(value)
          controller.close()
          ended()
        } catch (error) {
          ended()
          throw error
        }
      },
      async cancel() {
        ended()
        await pages.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * Entries as a zip that is written as fast as its client reads: one entry at a time, and no further once the client has left.
 *
 * @param ended called once, however it ends
 */
export function zipBody(
  ownerId: string,
  entries: AsyncIterable<ArchiveEntry>,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const paged = async function* () {
    for await (const { path, content } of entries) yield { path, content: inPages(ownerId, content) }
  }
  const output = zipStream(paged(), (write) => onBehalfOf(ownerId, write))
  output.once('close', ended)
  return Readable.toWeb(output) as ReadableStream<Uint8Array>
}

/** Headers of a file that a browser saves under its name, in any script. */
export function savedAs(name: string, mediaType: string): Record<string, string> {
  return {
    'content-type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
    'content-disposition': disposition('attachment', name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

/** Tells a browser to open or save a file, and its name in any script (RFC 6266). */
export function disposition(kind: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}
