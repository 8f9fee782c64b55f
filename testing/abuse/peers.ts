import type { Socket } from 'node:net'
import { type Attack, times } from './attack'
import { openPeer } from './raw-http'

/** Connections of each kind. */
const EACH = 100
/** How long the server may keep them, in ms: it means to end them after 20 s, and any request after 120 s. */
const PATIENCE = 90_000

const head = 'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
const upgrade =
  'GET /api/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAA\r\nSec-WebSocket-Version: 13\r\n\r\n'

const kinds: { name: string; first?: string; drip?: string }[] = [
  { name: 'silent' },
  { name: 'slow to send their headers', first: 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', drip: 'a' },
  { name: 'slow to send their body', first: `${head}Content-Length: 100000\r\n\r\n{"id":"`, drip: 'a' },
  {
    name: 'slow to send their chunks',
    first: `${head}Transfer-Encoding: chunked\r\n\r\n`,
    drip: '1\r\na\r\n',
  },
  { name: 'idle after an answer', first: 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n' },
  { name: 'waiting for an upgrade', first: upgrade },
]

/** Connections that send a byte a second, or nothing. */
export const slowPeers: Attack = {
  name: 'slow and idle connections',
  on: 'postgres',
  async run({ base }) {
    const start = performance.now()
    const problems: string[] = []
    const groups = await Promise.all(
      kinds.map(async ({ name, first, drip }) => {
        const sockets = await Promise.all(times(EACH, () => openPeer(base, first)))
        for (const socket of sockets) socket.resume()
        const timer = setInterval(() => {
          for (const socket of sockets) if (drip && socket.writable) socket.write(drip)
        }, 1000)
        return { name, sockets, timer }
      }),
    )
    await Promise.all(
      groups.map(async ({ name, sockets, timer }) => {
        const left = await ended(sockets, PATIENCE - (performance.now() - start))
        clearInterval(timer)
        for (const socket of sockets) socket.destroy()
        if (left > 0)
          problems.push(`${left} of ${EACH} connections ${name} are open after ${PATIENCE / 1000} s`)
      }),
    )
    return problems
  },
}

/** Waits until connections have ended, so many ms at most. Resolves with how many have not. */
async function ended(sockets: readonly Socket[], timeout: number): Promise<number> {
  let open = sockets.filter(({ closed }) => !closed).length
  const { promise, resolve } = Promise.withResolvers<void>()
  if (open === 0) return 0
  const timer = setTimeout(resolve, timeout)
  for (const socket of sockets) {
    if (socket.closed) continue
    socket.once('close', () => {
      open -= 1
      if (open === 0) resolve()
    })
  }
  await promise
  clearTimeout(timer)
  return open
}
