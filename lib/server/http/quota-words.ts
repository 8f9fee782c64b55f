import 'server-only'
import type { QuotaExceededError, QuotaName } from '@/lib/context'

const whole = (n: number): string => n.toLocaleString('en-US')

/** Bytes, to three digits, the rest left out: `1 GB`, `999 MB`. */
function sizeOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let [size, unit] = [bytes, 0]
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1]
  const digits = size < 10 ? 100 : size < 100 ? 10 : 1
  return `${Math.floor(size * digits) / digits} ${units[unit]}`
}

const aDay = 'the most this server allows in a day'
const once = 'the most this server allows'

/** Names the reached limit: `n` are used, `most` are allowed. */
const sentences: Record<QuotaName, (n: number, most: number) => string> = {
  chats: (n) => `You have ${whole(n)} chats, ${once}. Delete a chat you no longer need.`,
  branches: (n) => `This chat has ${whole(n)} branches, ${once} in a chat. Go on in a new chat.`,
  bytes: (n, most) =>
    `What you have stored comes to ${sizeOf(n)}, and this server allows ${sizeOf(most)}. Delete a chat you no longer need.`,
  messages: (n) => `You have sent ${whole(n)} messages today, ${aDay}.`,
  calls: (n) => `You have asked for ${whole(n)} replies today, ${aDay}.`,
  tokens: (n, most) =>
    `Your replies have used ${whole(n)} tokens today, and this server allows ${whole(most)} a day.`,
  address_guests: (n) => `${whole(n)} guests have started at your network address today, ${aDay}.`,
  address_chats: (n) => `${whole(n)} chats were created at your network address today, ${aDay}.`,
  address_bytes: (n, most) =>
    `Your network address has stored ${sizeOf(n)} today, and this server allows ${sizeOf(most)} a day.`,
  address_messages: (n) => `${whole(n)} messages were sent from your network address today, ${aDay}.`,
  address_calls: (n) => `${whole(n)} replies were asked for from your network address today, ${aDay}.`,
  address_tokens: (n, most) =>
    `Replies to your network address have used ${whole(n)} tokens today, and this server allows ${whole(most)} a day.`,
  site_calls: (n) => `The whole site has asked for ${whole(n)} replies today, ${aDay}.`,
  site_tokens: (n, most) =>
    `All replies on this site have used ${whole(n)} tokens today, and this server allows ${whole(most)} a day.`,
}

/** A limit that was reached, as a sentence: which one, how much is used, and when it frees. */
export function quotaSentence({ limit, allowed, used, retryAfter }: QuotaExceededError): string {
  const frees = retryAfter === null ? '' : ` It frees at 00:00 UTC, ${inTime(retryAfter)}.`
  return `${sentences[limit](used, allowed)}${frees}`
}

function inTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const [n, unit] = minutes < 60 ? [minutes, 'minute'] : [Math.round(minutes / 60), 'hour']
  return `in ${n} ${unit}${n === 1 ? '' : 's'}`
}
