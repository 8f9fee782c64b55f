/** Addresses for programs: their errors are answered with a problem document. */
const api = /^\/(?:api|commands|threads|v1|mcp|health|\.well-known\/oauth-[a-z-]+)(?:[/?#]|$)/

/** Addresses that speak the protocols of model providers: their errors are those of the provider, byte for byte. */
const providers = /^\/v1(?:[/?#]|$)/

/** True when the errors of a path are answered in the protocol of a model provider. */
export const isProviderPath = (path: string): boolean => providers.test(path)

/** True when a path, or a request target that begins with one, belongs to the API and not to the pages. */
export const isApiPath = (path: string): boolean => api.test(path)

const titles: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Not signed in',
  403: 'Not allowed from here',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Too large',
  414: 'Address too long',
  415: 'Unsupported content type',
  417: 'Expectation failed',
  421: 'Misdirected request',
  422: 'Invalid request',
  426: 'Upgrade required',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Something went wrong',
  503: 'Unavailable',
}

/** The reason why a request is refused before it reaches the app, or by the framework. */
export interface Refusal {
  status: number
  code: string
  detail: string
}

/** A refusal as a problem document (RFC 9457). */
export const asProblem = ({ status, code, detail }: Refusal) => ({
  type: 'about:blank',
  title: titles[status] ?? 'Error',
  status,
  detail,
  code,
})

/** The same as text. */
export const problemText = (refusal: Refusal): string => JSON.stringify(asProblem(refusal))

/** The headers of every refusal of the front. */
export const problemHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
}

/** A whole HTTP answer that refuses and ends the connection, for a socket without a response object. */
export function rawProblem(refusal: Refusal): string {
  const body = problemText(refusal)
  const headers = {
    ...problemHeaders,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${titles[refusal.status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`
}

/** The refusal for an answer with only a status. */
export function refusalOfStatus(status: number): Refusal {
  const known: Record<number, Refusal> = {
    400: { status, code: 'invalid', detail: 'The request is not in the expected form.' },
    404: { status, code: 'not_found', detail: 'Not found' },
    405: { status, code: 'method_not_allowed', detail: 'This method is not possible here.' },
    413: { status, code: 'too_large', detail: 'The request is too large.' },
  }
  const detail =
    status < 500 ? 'The request was refused.' : 'Something went wrong on our side. Please try again.'
  return known[status] ?? { status, code: status < 500 ? 'refused' : 'internal', detail }
}
