import type { ShareLink } from '@/lib/protocol'

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** The day of a time that a link tells. */
export const linkDate = (iso: string): string => date.format(new Date(iso))

/** The scope of a link, in a few words. */
export const opensWords = ({ graph, follow, branch }: ShareLink): string =>
  [graph ? 'Every branch' : `Only “${branch}”`, follow ? 'follows what comes' : 'as it was then'].join(', ')

/** Time that a link is in force, from now. */
export function endWords({ expires_at: until }: ShareLink, now: number): string {
  if (until === null) return 'until it is revoked'
  return Date.parse(until) <= now ? `expired on ${linkDate(until)}` : `until ${linkDate(until)}`
}

/** Who can read what a new link opens, and until when. */
export function readersWords(indexed: boolean, lasts: number | null, now = Date.now()): string {
  const finders = indexed ? ', and anyone who finds it through a search engine' : ''
  const end = lasts === null ? '' : `${linkDate(new Date(now + lasts).toISOString())} or until `
  return `Anyone who has the link${finders}, without an account, until ${end}you revoke it.`
}

export const viewWords = ({ views }: ShareLink): string =>
  views === 0 ? 'no views' : views === 1 ? 'one view' : `${views.toLocaleString('en')} views`
