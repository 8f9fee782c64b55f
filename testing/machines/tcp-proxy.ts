import { connect, createServer, type Socket } from 'node:net'
import { listen } from './listen'

/**
 * A network between a client and a server that can be disturbed:
 * - `open`: everything passes;
 * - `frozen`: connections stay and nothing moves, in either direction; what was sent arrives later;
 * - `closed`: connections are cut, new ones are refused.
 */
type ProxyMode = 'open' | 'frozen' | 'closed'

export interface TcpProxy {
  port: number
  /** the same address, through this proxy */
  through(url: string): string
  set(mode: ProxyMode): void
  /** Closes as soon as a client sends bytes that hold `words`: they arrive, their answer does not. */
  closeAt(words: string): Promise<void>
  close(): Promise<void>
}

/** Starts a proxy on a free port of 127.0.0.1 in front of the server that `url` names. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url)
  const pairs = new Set<{ client: Socket; server: Socket }>()
  let mode: ProxyMode = 'open'
  let trap: { words: string; caught: () => void } | undefined

  const proxy = createServer((client) => {
    if (mode === 'closed') return client.resetAndDestroy()
    const server = connect(Number(target.port || 5432), target.hostname)
    const pair = { client, server }
    pairs.add(pair)
    let caught: (() => void) | undefined
    client.on('data', (data) => {
      if (trap && data.includes(trap.words)) {
        caught = trap.caught
        trap = undefined
      }
      server.write(data)
    })
    server.on('data', (data) => {
      if (!caught) return client.write(data)
      set('closed')
      return caught()
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
    if (mode === 'frozen') freeze(pair, true)
    return undefined
  })
  const freeze = ({ client, server }: { client: Socket; server: Socket }, on: boolean) => {
    for (const socket of [client, server]) on ? socket.pause() : socket.resume()
  }
  const set = (next: ProxyMode) => {
    mode = next
    for (const pair of pairs) {
      if (mode === 'closed') pair.client.destroy()
      else freeze(pair, mode === 'frozen')
    }
  }
  const port = await listen(proxy)

  return {
    port,
    through(direct) {
      const own = new URL(direct)
      own.hostname = '127.0.0.1'
      own.port = String(port)
      return own.href
    },
    set,
    closeAt: (words) =>
      new Promise((caught) => {
        trap = { words, caught }
      }),
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve())
        for (const { client } of pairs) client.destroy()
      }),
  }
}
