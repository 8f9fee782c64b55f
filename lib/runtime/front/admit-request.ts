import type { IncomingMessage } from 'node:http'
import { DIRECT_HEADER, isLoopback } from './own-machine.ts'
import type { Refusal } from './problem-text.ts'
import { ADDRESS_HEADER, isDecodable, isHost, limitedAddress, networkAddress } from './request-origin.ts'
import { isRouterState } from './router-state.ts'
import { refuseHost } from './served-hosts.ts'
import { clientOf, type TrustedProxies } from './trusted-proxies.ts'

/** The settings of the deployment that the front needs. */
export interface Deployment {
  proxies: TrustedProxies
  /** `BETTER_AUTH_URL`: every request counts as sent to this address */
  publicUrl?: string | undefined
  /** the server's listening host: a name that it answers to */
  hostname?: string | undefined
  /** called for a request that seems to come from a proxy on this machine or its network that is not trusted */
  onUnnamedProxy?: ((address: string) => void) | undefined
}

/** Addresses of this machine and of private networks, where a proxy in front of us may be. */
const NEAR = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd])/

/** Characters of path and query together; the framework looks for a file by the path. */
const MAX_TARGET = 8_000
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Headers about where a client is and which address it asked for; only a trusted proxy may set them. */
const hearsay =
  /^(forwarded|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|x-original-(host|url)|x-rewrite-url|x-ramify-(address|direct))$/

/** Headers from one part of the framework to another, and from our proxy to a page. */
const internal =
  /^(x-middleware-subrequest(-id)?|x-invoke-.*|x-nextjs-postponed|x-prerender-revalidate|x-nonce)$/

/**
 * Checks the head of a request before the app gets it. A request that the app cannot answer is refused. Any other is
 * changed in place: its target is a path, its headers name the client's address and the public address, and untrusted
 * claims about either are removed.
 */
export function admitRequest(request: IncomingMessage, deployment: Deployment): Refusal | undefined {
  if (!methods.has(request.method ?? '')) {
    return { status: 405, code: 'method_not_allowed', detail: `${request.method} is not possible here.` }
  }
  return takeTarget(request) ?? checkRouterState(request) ?? placeRequest(request, deployment)
}

/** The path of the request target; a host in the target replaces the `Host` header (RFC 9112 §3.2.2). */
function takeTarget(request: IncomingMessage): Refusal | undefined {
  let target = request.url ?? ''
  if (/^https?:\/\//i.test(target)) {
    if (!URL.canParse(target)) return invalid('The address is not valid.')
    const { host, pathname, search } = new URL(target)
    request.headers.host = host
    target = pathname + search
  }
  if (!target.startsWith('/')) return invalid('The address must begin with "/".')
  if (target.length > MAX_TARGET) {
    return {
      status: 414,
      code: 'address_too_long',
      detail: `The address is too long: ${MAX_TARGET} characters at most.`,
    }
  }
  if (!isDecodable(target.split(/[?#]/, 1)[0] ?? '')) return invalid('The path is not percent-encoded UTF-8.')
  request.url = target
  return undefined
}

function checkRouterState(request: IncomingMessage): Refusal | undefined {
  const state = request.headers['next-router-state-tree']
  if (state === undefined || (typeof state === 'string' && isRouterState(state))) return undefined
  return invalid('The header next-router-state-tree is not valid.')
}

function placeRequest(
  request: IncomingMessage,
  { proxies, publicUrl, hostname, onUnnamedProxy }: Deployment,
): Refusal | undefined {
  const { headers, socket } = request
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts > 1) return invalid('There is more than one Host header.')
  if (hosts === 0 && request.httpVersion !== '1.0') return invalid('The Host header is missing.')
  const peer = socket.remoteAddress
  const client = clientOf(peer, textOf(headers['x-forwarded-for']), proxies)
  const trusted = proxies.trusts(networkAddress(peer ?? '') ?? '', 0)
  if (!trusted && headers['x-forwarded-for'] !== undefined && NEAR.test(client)) onUnnamedProxy?.(client)
  const own = publicUrl ? new URL(publicUrl) : undefined
  const proto = trusted ? lastOf(headers['x-forwarded-proto']).toLowerCase() : ''
  const forwardedHost = trusted ? lastOf(headers['x-forwarded-host']) : ''
  const host = own?.host ?? (forwardedHost || headers.host || (hosts === 0 ? 'localhost' : ''))
  if (!isHost(host)) return invalid('The Host header does not name a host.')
  const misdirected = refuseHost(host, { publicUrl, hostname })
  if (misdirected) return misdirected
  const isDirect = !trusted && cameStraight(request)
  for (const name of Object.keys(headers)) {
    if (hearsay.test(name) || internal.test(name)) delete headers[name]
  }
  headers.host = host
  headers['x-forwarded-host'] = host
  headers['x-forwarded-proto'] = own?.protocol.slice(0, -1) ?? (proto === 'https' ? 'https' : 'http')
  headers['x-forwarded-for'] = client
  headers[ADDRESS_HEADER] = limitedAddress(client)
  if (isDirect) headers[DIRECT_HEADER] = 'yes'
  return undefined
}

/**
 * True when a request was sent on this machine, and to it: both ends of its connection are here, and nothing says that it was
 * passed on. A program that passes requests on without a word speaks HTTP/1.0 by default, as nginx does, and no browser does.
 */
function cameStraight({ headers, httpVersion, socket }: IncomingMessage): boolean {
  const ends = [socket.remoteAddress, socket.localAddress]
  if (httpVersion === '1.0' || !ends.every((end) => isLoopback(networkAddress(end ?? '') ?? ''))) return false
  return !Object.keys(headers).some((name) => hearsay.test(name) || name === 'via')
}

const invalid = (detail: string): Refusal => ({ status: 400, code: 'invalid', detail })

const textOf = (value: string | string[] | undefined): string => [value ?? []].flat().join(',')

const lastOf = (value: string | string[] | undefined): string => textOf(value).split(',').at(-1)?.trim() ?? ''
