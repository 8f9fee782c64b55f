import { isIP } from 'node:net'
import type { Refusal } from './problem-text.ts'
import { passesFront } from './request-origin.ts'

/** Settings that decide which hosts a server answers to. */
interface Served {
  /** `BETTER_AUTH_URL`: every request counts as sent there, and only its own pages write */
  publicUrl?: string | undefined
  /** the listening host of the server: `HOST`, or `-H` */
  hostname?: string | undefined
}

type WrongHost = Refusal & { status: 421 }

/** Names that no site can have: this machine's own, also as programs in a container call it. */
const OWN = /^(?:(?:.+\.)?localhost|host\.(?:docker|containers)\.internal)$/

/**
 * The refusal (421) of a request to a name that any site can point at this machine (DNS rebinding): without a public
 * address only `localhost`, IP addresses and the name the server listens at are its own.
 *
 * @param host the value of a `Host` header
 */
export function refuseHost(host: string, { publicUrl, hostname }: Served): WrongHost | undefined {
  const name = hostName(host)
  if (publicUrl || OWN.test(name) || isIP(name) !== 0) return undefined
  if (name !== '' && name === hostName(hostname ?? '')) return undefined
  const detail =
    'Without a public address, this server answers to localhost and to IP addresses only. To open it under a name, set BETTER_AUTH_URL to its address, like https://chat.example.org, and start it again.'
  return { status: 421, code: 'wrong_host', detail }
}

/** The same in the app, for servers whose requests pass no front. */
export function refuseHostOf(headers: Pick<Headers, 'get'>): WrongHost | undefined {
  const host = headers.get('host')
  // Vercel passes on requests to a deployment's own names; only HTTP/1.0, which no browser speaks, may name
  // none
  if (passesFront() || process.env.VERCEL || host === null) return undefined
  return refuseHost(host, { publicUrl: process.env.BETTER_AUTH_URL, hostname: process.env.HOST })
}

/** The name or address in a `Host` header, as browsers compare it: without port, brackets and the dot of the root. */
export const hostName = (host: string): string =>
  URL.parse(`http://${isIP(host) === 6 ? `[${host}]` : host}`)?.hostname.replace(/^\[|\]$|\.$/g, '') ?? ''
