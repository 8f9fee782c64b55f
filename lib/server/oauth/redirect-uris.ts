/** A scheme that an app has claimed by the name of a domain, from its end: `com.example.app` (RFC 8252 §7.1). */
const CLAIMED = /^[a-z]{2,}(?:\.[a-z0-9-]+)+:$/

/** Apps that speak MCP and whose scheme is an older, shorter one. */
const known: ReadonlySet<string> = new Set([
  ...['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'warp:'],
])

const loopbacks: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const LONGEST = 500

/**
 * Why a code is not sent to an address; undefined for a good one. Good are https, http on the app's own machine, and schemes
 * that an app has claimed there (RFC 8252): the system has others of its own, which open settings, searches and installers.
 */
export function faultOfRedirect(uri: string): string | undefined {
  if (uri.length > LONGEST || !/^[\x21-\x7e]+$/.test(uri))
    return 'is too long, or has characters that an address has not'
  const url = URL.parse(uri)
  if (!url) return 'is not an address'
  if (uri.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '') return 'has a name or a password in it'
  const { protocol } = url
  if (protocol === 'http:')
    return loopbacks.has(url.hostname)
      ? undefined
      : 'is not encrypted: http is for an app on the same machine'
  if (protocol === 'https:' || known.has(protocol) || CLAIMED.test(protocol)) return undefined
  return `begins with ${protocol}, behind which is no app that is known here: take https, http on the same machine, or a scheme like com.example.app`
}

/**
 * True when a registered address equals the requested one, character by character. On the app's own machine
 * the port may differ.
 */
export function isSameRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true
  const [one, other] = [withoutPort(registered), withoutPort(asked)]
  return one !== undefined && one === other
}

/** An address on the app's own machine, without its port. */
function withoutPort(uri: string): string | undefined {
  const [, host = '', rest] = /^http:\/\/([^/?#@:]+|\[::1\])(?::\d{1,5})?((?:[/?][^#]*)?)$/.exec(uri) ?? []
  return loopbacks.has(host) && URL.canParse(uri) ? `${host}${rest}` : undefined
}

/** Target of a redirect in a person's words: the host, or the scheme of an app on the same machine. */
export function placeOf(uri: string): string {
  const url = new URL(uri)
  if (url.protocol === 'https:') return url.host
  return url.protocol === 'http:' ? 'this computer' : `an app on this device (${url.protocol})`
}

/** A redirect with the app's parameters. */
export function redirectWith(uri: string, told: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(told)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
