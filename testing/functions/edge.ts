import { existsSync, readFileSync, statSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { close, listen } from '@/testing/machines/listen'
import { repoRoot } from '@/testing/runner/repo-root'
import type { FunctionPlan } from './function-plan'
import { beforeProxy, matchOf, outputAt } from './match-route'

/** The most that a function is sent. */
export const MOST_BYTES = 4_500_000

/** Has a process of a function answer. */
type Invoke = (
  output: string,
  request: { method: string; path: string; headers: OutgoingHttpHeaders },
  body: Buffer,
) => Promise<IncomingMessage>

/**
 * What stands before functions: it serves files, applies the rules of routing, has the proxy look at a request, and passes
 * requests on to functions and their answers back piece by piece. A function does not hear that a client has left.
 */
export async function startEdge(plan: FunctionPlan, invoke: Invoke) {
  const { routing, outputs } = plan
  const files = new Map(outputs.staticFiles.map(({ pathname, filePath }) => [pathname, filePath]))
  const functions = new Set([...outputs.appPages, ...outputs.appRoutes].map(({ pathname }) => pathname))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const { pathname, search } = new URL(url, 'http://edge')
    const body = await buffer(request)
    if (body.length > MOST_BYTES) {
      response.writeHead(413, { 'content-type': 'text/plain' }).end('FUNCTION_PAYLOAD_TOO_LARGE')
      return
    }
    let headers = edgeHeaders(request)
    const before = beforeProxy(routing, { pathname, headers })
    for (const [name, value] of Object.entries(before.headers)) response.setHeader(name, value)
    if (before.status) {
      response.writeHead(before.status).end()
      return
    }
    if (routing.middlewareMatchers.some((matcher) => matchOf(matcher, { pathname, headers }))) {
      const looked = await invoke('/_middleware', { method, path: url, headers }, body)
      const passed = readProxy(looked.headers, headers)
      for (const [name, value] of Object.entries(passed.answer)) if (value) response.setHeader(name, value)
      if (!passed.goesOn) {
        response.statusCode = looked.statusCode ?? 500
        looked.pipe(response)
        return
      }
      looked.resume()
      headers = passed.headers
    }
    const file = files.get(pathname) ?? publicFile(pathname)
    if (file) {
      response.end(readFileSync(file))
      return
    }
    const target = outputAt(routing, { pathname, headers }, (output) => functions.has(output))
    const asked = { method, path: `${target?.pathname ?? pathname}${search}`, headers }
    const answered = await invoke(target?.output ?? '/_not-found', asked, body)
    response.writeHead(target ? (answered.statusCode ?? 500) : 404, answered.headers)
    // without this a client would see nothing before the first piece
    response.flushHeaders()
    answered.on('data', (piece) => void response.write(piece))
    answered.once('end', () => response.end())
    answered.once('error', () => response.destroy())
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(`FUNCTION_INVOCATION_FAILED ${error}`)
    })
  })
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) }
}

/** The headers of a request as a function gets them; those that the edge writes itself cannot be sent. */
function edgeHeaders({ headers, socket }: IncomingMessage): IncomingHttpHeaders {
  const sent = Object.entries(headers).filter(([name]) => !/^(x-vercel-|x-forwarded-|x-real-ip$)/.test(name))
  const address = socket.remoteAddress ?? '127.0.0.1'
  return {
    ...Object.fromEntries(sent),
    'x-forwarded-host': headers.host ?? '',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': address,
    'x-real-ip': address,
    'x-vercel-forwarded-for': address,
  }
}

/** What the proxy says: the request goes on with other headers, or is answered; and headers of the answer. */
function readProxy(said: IncomingHttpHeaders, sent: IncomingHttpHeaders) {
  const overridden = String(said['x-middleware-override-headers'] ?? '')
  const headers = overridden
    ? Object.fromEntries(overridden.split(',').map((name) => [name, said[`x-middleware-request-${name}`]]))
    : sent
  const answer = Object.entries(said).filter(
    ([name]) => !/^(x-middleware-|connection$|keep-alive$|transfer-encoding$|date$)/.test(name),
  )
  return { goesOn: said['x-middleware-next'] === '1', headers, answer: Object.fromEntries(answer) }
}

function publicFile(pathname: string): string | undefined {
  const file = path.join(repoRoot, 'public', decodeURIComponent(pathname))
  return existsSync(file) && statSync(file).isFile() ? file : undefined
}
