const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dateOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/**
 * How long ago a time is, as short as a list needs it: `now`, `5 min`, `3 h`, `2 d`, then its date.
 *
 * @param at milliseconds since 1970, as `now`
 */
export function ageWords(at: number, now: number): string {
  const age = now - at
  if (age < minute) return 'now'
  if (age < hour) return `${Math.floor(age / minute)} min`
  if (age < day) return `${Math.floor(age / hour)} h`
  if (age < 7 * day) return `${Math.floor(age / day)} d`
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? date : dateOfYear).format(at)
}
