import { madeOnce } from '@/lib/events/made-once'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const clock = madeOnce(() => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }))
const date = madeOnce(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }))
const dateOfYear = madeOnce(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }),
)

/** `3 Feb`, with the year unless it is this year. */
const dateWords = (then: Date, now: Date): string =>
  (then.getFullYear() === now.getFullYear() ? date : dateOfYear)().format(then)

/** The time of day: `14:03`. */
export const clockWords = (at: number): string => clock().format(at)

/** The day of a time: `Today`, `Yesterday`, `3 Feb`, with the year unless it is this year. */
export function dayWords(at: number, now: Date): string {
  const then = new Date(at)
  // a day of 25 hours is still yesterday
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  const isOn = (other: Date) => then.toDateString() === other.toDateString()
  return isOn(now) ? 'Today' : isOn(yesterday) ? 'Yesterday' : dateWords(then, now)
}

/** The day of a time within a sentence: `today`, `yesterday`, `3 Feb`, with the year unless it is this year. */
export function dateInWords(at: number, now: Date): string {
  const day = dayWords(at, now)
  return day === 'Today' || day === 'Yesterday' ? day.toLowerCase() : day
}

/**
 * The age of a time, as short as a list needs it: `now`, `5 min`, `3 h`, `2 d`, then its date.
 *
 * @param at milliseconds since 1970, as `now`
 */
export function ageWords(at: number, now: number): string {
  const age = now - at
  if (age < minute) return 'now'
  if (age < hour) return `${Math.floor(age / minute)} min`
  if (age < day) return `${Math.floor(age / hour)} h`
  if (age < 7 * day) return `${Math.floor(age / day)} d`
  return dateWords(new Date(at), new Date(now))
}

/**
 * A time as short as it is clear: `14:03` today, `3 Feb, 18:20`, with the year unless it is this year.
 *
 * @param at milliseconds since 1970
 * @param now a time of today
 */
export function timeWords(at: number, now: Date): string {
  const then = new Date(at)
  const time = clock().format(then)
  return then.toDateString() === now.toDateString() ? time : `${dateWords(then, now)}, ${time}`
}

/**
 * A time with its day: `today 14:03`, `yesterday 09:15`, `3 Feb 18:20`, with the year unless it is this year.
 *
 * @param at milliseconds since 1970
 * @param now a time of today
 */
export function whenWords(at: number, now: Date): string {
  return `${dateInWords(at, now)} ${clock().format(at)}`
}
