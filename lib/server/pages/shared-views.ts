import { createHash } from 'node:crypto'

/** Programs that fetch pages for themselves: search engines, previews of links, monitors, scripts. */
const programs =
  /bot\b|bot\/|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|embed|fetch|monitor|headless|lighthouse|curl|wget|python|java\/|go-http|axios|okhttp/i

/** True when a request for a page comes from a person who looks at it, as far as its headers tell. */
export function isView(headers: Headers): boolean {
  const agent = headers.get('user-agent') ?? ''
  if (agent === '' || programs.test(agent)) return false
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose') ?? ''
  return !purpose.includes('prefetch') && !headers.has('next-router-prefetch')
}

/** Pages that one reader opens within this time are one view, in ms. */
const VISIT = 30 * 60_000
/** Readers remembered at a time; the oldest are forgotten. */
const MOST = 20_000

/** When a reader was last seen, by a hash of address and link: no address is kept. */
const seen = new Map<string, number>()

/**
 * True when a link was opened from an address a short time ago, in this process. An address that is not known is always
 * new: all readers would share it.
 */
export function isSeenAgain(shareId: string, address: string, now = Date.now()): boolean {
  if (address === 'unknown') return false
  const key = createHash('sha256').update(`${shareId} ${address}`).digest('base64')
  const last = seen.get(key)
  // the latest stand at the end
  seen.delete(key)
  seen.set(key, now)
  for (const oldest of seen.keys()) {
    if (seen.size <= MOST) break
    seen.delete(oldest)
  }
  return last !== undefined && now - last < VISIT
}
