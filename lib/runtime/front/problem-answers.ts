import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isApiPath, isProviderPath, problemHeaders, problemText, refusalOfStatus } from './problem-text.ts'

/** Headers that describe the replaced body. */
const ofBody = [
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'etag',
  'last-modified',
  'x-powered-by',
]

/**
 * Addresses with refusals in other JSON: a process that cannot work answers in the form of its health, with a
 * status that a load balancer reads, and apps read the refusals of OAuth.
 */
const inOwnWords = /^\/api\/(?:health|oauth\/(?:register|token|revoke))(?:\?|$)/

/**
 * Sends an answer of 400 or above under the API's addresses only as a problem document, which replaces any other body.
 * Our routes send such documents themselves; the framework does not, when it refuses a request.
 */
export function answerWithProblems(request: IncomingMessage, response: ServerResponse): void {
  if (!isApiPath(request.url ?? '') || isProviderPath(request.url ?? '')) return
  const { writeHead, write, end, flushHeaders } = response
  const own = inOwnWords.test(request.url ?? '') ? 'application/json' : 'application/problem+json'
  let replaced = false
  let sent = false

  const replaces = () => {
    if (!replaced && !sent && !response.headersSent && response.statusCode >= 400) {
      replaced = !String(response.getHeader('content-type') ?? '').startsWith(own)
    }
    return replaced
  }
  const overrides = {
    writeHead(status: number, ...rest: unknown[]) {
      if (sent) return Reflect.apply(writeHead, response, [status, ...rest])
      response.statusCode = status
      setHeaders(response, rest.at(-1))
      if (!replaces()) Reflect.apply(writeHead, response, [status])
      return response
    },
    write(...args: unknown[]) {
      if (!replaces()) return Reflect.apply(write, response, args)
      // the writer waits for this callback; its body is dropped
      const done = args.at(-1)
      if (typeof done === 'function') process.nextTick(done)
      return true
    },
    flushHeaders() {
      if (!replaces()) Reflect.apply(flushHeaders, response, [])
    },
    end(...args: unknown[]) {
      if (sent || !replaces()) return Reflect.apply(end, response, args)
      sent = true
      for (const name of ofBody) response.removeHeader(name)
      const text = problemText(refusalOfStatus(response.statusCode))
      for (const [name, value] of Object.entries(problemHeaders)) response.setHeader(name, value)
      response.setHeader('content-length', Buffer.byteLength(text))
      const done = args.at(-1)
      return Reflect.apply(end, response, typeof done === 'function' ? [text, done] : [text])
    },
  }
  Object.assign(response, overrides)
}

/** The headers given to `writeHead`, an object or a flat list, as if set one by one. */
export function setHeaders(response: ServerResponse, headers: unknown): void {
  if (Array.isArray(headers)) {
    for (let at = 0; at + 1 < headers.length; at += 2)
      response.appendHeader(String(headers[at]), headers[at + 1])
  } else if (typeof headers === 'object' && headers !== null) {
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
      if (value !== undefined) response.setHeader(name, value as OutgoingHttpHeader)
    }
  }
}
