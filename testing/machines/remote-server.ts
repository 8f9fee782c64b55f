import { createServer } from 'node:http'
import { close, listen } from './listen'

/**
 * Another Ramify server as it is when a remote is added: it says that it exchanges chats, and takes any key that is not `wrong`.
 * It has no chats.
 */
export async function startRemoteServer(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(({ headers: { authorization } }, response) => {
    const refused = { type: 'about:blank', title: 'No', status: 401, detail: 'No.', code: 'unauthenticated' }
    const isTaken = authorization !== 'Bearer wrong'
    response.writeHead(isTaken ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isTaken ? { server: 'ramify', exchange: 1, writes: true } : refused))
  })
  return { url: `http://127.0.0.1:${await listen(server)}`, close: () => close(server) }
}
