import { createServer } from 'node:net'
import { listen } from './listen'

/** A port on 127.0.0.1 that was free a moment ago. Nothing reserves it: who cannot bind to it asks for another. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
