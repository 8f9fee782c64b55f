import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

const closes = new Set<() => Promise<void>>()

/** Serves HTTP on this machine until `close`, or until {@link closeServers}, which belongs into `afterEach`. */
export async function serveHttp(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    closes.delete(close)
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  closes.add(close)
  return { port, url: `http://127.0.0.1:${port}`, close }
}

export async function closeServers(): Promise<void> {
  for (const close of closes) await close()
}
