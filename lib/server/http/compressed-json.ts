import 'server-only'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Turns } from '@/lib/conversations'

const compress = promisify(gzip)

/** A shorter answer is not compressed, in bytes. */
const worthIt = 16_384
/** Beyond this level a graph takes twice the time for one percent. */
const level = 5

/**
 * Answers JSON, as a gzip file if the request accepts `application/gzip`. The framework compresses pages but not the
 * answers of routes, and since 16.4 it drops the `content-encoding` of a route's own compression, so a browser would read
 * it as text.
 */
export async function compressedJson(request: Request, value: object): Promise<Response> {
  const json = await jsonOf(value)
  const headers = { 'cache-control': 'no-store', vary: 'accept' }
  const takesGzip = request.headers.get('accept')?.includes('application/gzip') ?? false
  if (json.length < worthIt || !takesGzip) {
    return new Response(json, { headers: { ...headers, 'content-type': 'application/json' } })
  }
  const body = new Uint8Array(await compress(json, { level }))
  return new Response(body, { headers: { ...headers, 'content-type': 'application/gzip' } })
}

/** Elements of a list that are written at a time. */
const PAGE = 200

/** An object as JSON. A long list in it is written page by page, and others have their turn between two. */
async function jsonOf(value: object): Promise<Buffer<ArrayBuffer>> {
  const turns = new Turns()
  const pieces: Buffer[] = []
  const write = async (text: string) => {
    pieces.push(Buffer.from(text))
    await turns.next()
  }
  let before = '{'
  for (const [key, member] of Object.entries(value)) {
    const name = `${before}${JSON.stringify(key)}:`
    if (!Array.isArray(member) || member.length <= PAGE) {
      const text = JSON.stringify(member)
      if (text === undefined) continue
      await write(`${name}${text}`)
    } else {
      await write(`${name}[`)
      for (let at = 0; at < member.length; at += PAGE) {
        const elements = JSON.stringify(member.slice(at, at + PAGE)).slice(1, -1)
        await write(at === 0 ? elements : `,${elements}`)
      }
      await write(']')
    }
    before = ','
  }
  await write(before === '{' ? '{}' : '}')
  return Buffer.concat(pieces)
}
