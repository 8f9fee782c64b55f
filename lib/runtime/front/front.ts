import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { admitRequest, type Deployment } from './admit-request.ts'
import { answerWithProblems } from './problem-answers.ts'
import { problemHeaders, problemText, type Refusal, rawProblem, refusalOfStatus } from './problem-text.ts'
import { noProxies } from './trusted-proxies.ts'
import { defaultPeerLimits, type PeerLimits, PeerWatch } from './watch-peers.ts'

/** Answers a request that the front has admitted. */
export type FrontHandler = (request: IncomingMessage, response: ServerResponse) => unknown

export interface FrontOptions extends Partial<Deployment> {
  limits?: Partial<PeerLimits>
}

const YEAR = 365 * 24 * 60 * 60

/**
 * The HTTP server of the app: an ordinary `http.Server`, not yet listening. It ends slow and idle connections, gives
 * `handler` the client's address and the public host in headers, refuses requests that `handler` cannot answer, and sends
 * errors of the API only as problem documents. It never upgrades a connection: who asks for a WebSocket is answered 426.
 */
export function createFront(handler: FrontHandler, options: FrontOptions = {}): Server {
  const limits = { ...defaultPeerLimits, ...options.limits }
  const { proxies = noProxies, publicUrl, hostname, onUnnamedProxy } = options
  const deployment = { proxies, publicUrl, hostname, onUnnamedProxy }
  const secure = deployment.publicUrl?.startsWith('https:') ?? false
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    keepAliveTimeoutBuffer: limits.idleGraceMs,
    connectionsCheckingInterval: limits.checkMs,
    // refused here, with a document that says why
    requireHostHeader: false,
  })
  const watch = new PeerWatch(server, limits)

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (secure) response.setHeader('strict-transport-security', `max-age=${YEAR}`)
    if (!watch.began(request, response)) return refuse(request, response, tooMany)
    // a client that prefers a socket continues without one at once
    if (request.headers.upgrade?.toLowerCase() === 'websocket') return refuse(request, response, noSocket)
    const refusal = admitRequest(request, deployment)
    if (refusal) return refuse(request, response, refusal)
    answerWithProblems(request, response)
    handler(request, response)
  }
  server.on('request', onRequest)
  server.on('checkExpectation', (request, response) => refuse(request, response, expectation))
  server.on('connect', (_request, socket) => endWith(socket, refusalOfStatus(405)))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => endWith(socket, refusalOfError(error)))
  return server
}

const tooMany: Refusal = {
  status: 429,
  code: 'too_many_requests',
  detail: 'Too many requests wait on this connection. Read the answers first.',
}
const noSocket: Refusal = {
  status: 426,
  code: 'upgrade_required',
  detail: 'There are no WebSockets here. Send the request over HTTP/1.1.',
}
const expectation: Refusal = {
  status: 417,
  code: 'expectation_failed',
  detail: 'The only expectation that can be met is 100-continue.',
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const text = problemText(refusal)
  response.writeHead(refusal.status, {
    ...problemHeaders,
    'content-length': Buffer.byteLength(text),
    ...(refusal.status === 405 ? { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } : {}),
    ...(refusal.status === 426 ? { upgrade: 'HTTP/1.1' } : {}),
    ...(refusal.status === 429 ? { 'retry-after': '1' } : {}),
    // further requests on this connection are not read
    connection: 'close',
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}

/** An error of Node's parser or its time limits as a refusal. */
function refusalOfError({ code }: NodeJS.ErrnoException): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, code: 'request_timeout', detail: 'The request came too slowly.' }
  }
  if (code === 'HPE_HEADER_OVERFLOW' || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return { status: 431, code: 'headers_too_large', detail: 'The headers of the request are too large.' }
  }
  return { status: 400, code: 'invalid', detail: 'This is not a valid HTTP request.' }
}

function endWith(socket: Duplex, refusal: Refusal): void {
  // an answer that has begun cannot be replaced
  const begun = (socket as { _httpMessage?: ServerResponse })._httpMessage?.headersSent ?? false
  if (socket.writable && !begun) socket.end(rawProblem(refusal), () => socket.destroy())
  else socket.destroy()
}
