import { connect, type Socket } from 'node:net'

/** An answer as it came over the wire. */
interface RawAnswer {
  status: number
  headers: ReadonlyMap<string, string>
  body: string
}

/** The outcome of a request that may be no HTTP at all. */
export type RawOutcome =
  | { kind: 'answer'; answer: RawAnswer; ms: number }
  /** the connection ended without an answer */
  | { kind: 'closed'; ms: number }
  /** neither an answer nor an end within the time given */
  | { kind: 'hung'; ms: number }

/**
 * Sends any bytes and reads one answer, for `timeout` ms at most; of an event stream only the headers, unless it is read
 * `toItsEnd`.
 */
export function sendRaw(
  base: string,
  bytes: Uint8Array,
  timeout: number,
  { toItsEnd = false }: { toItsEnd?: boolean } = {},
): Promise<RawOutcome> {
  const { hostname, port } = new URL(base)
  const start = performance.now()
  // an answer to HEAD has the headers of a body, and no body
  const bodiless = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === 'HEAD '
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let received = Buffer.alloc(0)
    const settle = (kind: 'closed' | 'hung') => {
      clearTimeout(timer)
      socket.destroy()
      const ms = performance.now() - start
      const answer = parse(received)
      resolve(answer ? { kind: 'answer', answer, ms } : { kind, ms })
    }
    const timer = setTimeout(() => settle('hung'), timeout)
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (data) => {
      received = Buffer.concat([received, data])
      if (isWhole(received, { bodiless, toItsEnd })) settle('closed')
    })
    socket.on('error', () => settle('closed'))
    socket.on('close', () => settle('closed'))
  })
}

/** Sends the beginning of a request, and leaves without waiting for an answer. */
export async function leaveAfter(base: string, bytes: Uint8Array): Promise<void> {
  const socket = await openPeer(base)
  await new Promise((resolve) => socket.write(bytes, resolve))
  socket.destroy()
}

/** Opens a connection, writes the bytes, and leaves it open. Resolves when it is connected. */
export function openPeer(base: string, bytes?: string): Promise<Socket> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      if (bytes !== undefined) socket.write(bytes)
      resolve(socket)
    })
    socket.once('error', reject)
    // a reset later is an end like any other
    socket.on('error', () => socket.destroy())
  })
}

const HEAD_END = '\r\n\r\n'

function parse(bytes: Buffer): RawAnswer | undefined {
  const at = bytes.indexOf(HEAD_END)
  if (at < 0) return undefined
  // the answer proper follows
  if (bytes.subarray(0, 12).toString('latin1') === 'HTTP/1.1 100') return parse(bytes.subarray(at + 4))
  const [first = '', ...lines] = bytes.subarray(0, at).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1])
  if (!status) return undefined
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const rest = bytes.subarray(at + HEAD_END.length)
  const chunked = headers.get('transfer-encoding') === 'chunked'
  return { status, headers, body: (chunked ? dechunk(rest) : rest).toString('utf8') }
}

/** Whether the answer is complete. */
function isWhole(bytes: Buffer, { bodiless, toItsEnd }: { bodiless: boolean; toItsEnd: boolean }): boolean {
  const answer = parse(bytes)
  if (!answer) return false
  const begins = bytes.indexOf(`HTTP/1.1 ${answer.status}`)
  const { status, headers } = answer
  if (bodiless) return true
  if (status === 204 || status === 304) return true
  if (!toItsEnd && headers.get('content-type')?.startsWith('text/event-stream')) return true
  const length = headers.get('content-length')
  if (length !== undefined)
    return bytes.length >= bytes.indexOf(HEAD_END, begins) + HEAD_END.length + Number(length)
  return headers.get('transfer-encoding') === 'chunked' && bytes.subarray(-7).includes('\r\n0\r\n\r\n')
}

function dechunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = end < 0 ? 0 : Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    if (!size) return Buffer.concat(parts)
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
