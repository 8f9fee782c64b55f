import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server that listens. */
export interface Listening {
  port: number
  /** Takes no more connections; resolves when the last one has ended. */
  close(): Promise<void>
}

/**
 * Makes `server` listen. `localhost` means both of its addresses: machines resolve the name to one or the
 * other, and so do a browser and a script on one machine.
 *
 * @throws the system's error when the port is taken or the host is not this machine's
 */
export async function listen(server: Server, hostname: string, port: number): Promise<Listening> {
  if (hostname !== 'localhost') return listenAt(server, hostname, port)
  const first = await listenAt(server, '127.0.0.1', port)
  const other = createServer((socket: Socket) => server.emit('connection', socket))
  const second = await listenAt(other, '::1', first.port).catch(async (error: NodeJS.ErrnoException) => {
    // a machine without IPv6
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return undefined
    await first.close()
    throw error
  })
  return {
    port: first.port,
    close: async () => {
      await Promise.all([first.close(), second?.close()])
    },
  }
}

async function listenAt(
  server: ReturnType<typeof createServer>,
  host: string,
  port: number,
): Promise<Listening> {
  server.listen(port, host)
  // rejects on `error`
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
