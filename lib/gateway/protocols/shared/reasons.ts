import { type Fields, fieldsOf, listOf, numberOf, parsed, textOf } from './values'

/** Fields that hold a reason, the most telling first. */
const reasonFields = [
  ...['message', 'msg', 'detail', 'error_description', 'error_message', 'error_msg', 'errorMessage'],
  ...['error', 'errors', 'details', 'reason', 'title', 'description', 'response'],
]

/** Sentences that say no more than a status does. */
const empty =
  /^(?:\d{3} )?(?:error|failed|bad request|unauthorized|forbidden|not found|internal server error|internal error|bad gateway|service unavailable|gateway timeout|too many requests|unprocessable entity|provider returned error|invalid_request_error|true|none|null)[.!]?$/i

/** Tells whether a reason says no more than that there was a failure. */
export const saysNothing = (reason: string): boolean => reason === '' || empty.test(reason)

/** The reason in a body of any kind: JSON in any shape, JSON in a text, a page, or words. */
export function reasonIn(body: string): string | undefined {
  const text = body.trim()
  if (text === '') return undefined
  if (text.startsWith('<')) return wordsOfPage(text)
  return sentenceOf(parsed(text) ?? text)
}

/** The reason in a value that a provider sent in place of a reply. */
export function sentenceOf(value: unknown, depth = 0): string | undefined {
  // a provider may pack the error of another provider into its own, but not without end
  if (depth > 8) return undefined
  if (typeof value === 'string') return reasonInText(value.trim(), depth)
  if (Array.isArray(value)) {
    const reasons = value.map((item) => sentenceOf(item, depth + 1)).filter((reason) => reason !== undefined)
    return reasons.length > 0 ? reasons.slice(0, 3).join('; ') : undefined
  }
  const said = fieldsOf(value)
  if (said !== value) return undefined
  const nested = textOf(fieldsOf(said.metadata).raw)
  const found = [nested, ...reasonFields.map((name) => said[name])]
    .map((inner) => sentenceOf(inner, depth + 1))
    .filter((reason) => reason !== undefined)
  const [first] = [...found.filter((reason) => !saysNothing(reason)), ...found]
  const words = first ?? codeOf(said)
  const place = placeOf(said.loc)
  return words === undefined || place === '' ? words : `${place}: ${words}`
}

function reasonInText(text: string, depth: number): string | undefined {
  if (text === '') return undefined
  const from = text.search(/[[{]/)
  const inner = from === -1 ? undefined : parsed(text.slice(from))
  const reason = inner === undefined ? undefined : sentenceOf(inner, depth + 1)
  return reason ?? text
}

/** A provider's own word for the failure, where it has no sentence. */
const codeOf = ({ code, type, status }: Fields): string | undefined =>
  [code, type, status].map(textOf).find((word) => word !== undefined && /[a-z]/i.test(word))

/** The field that a check of the request names. */
const placeOf = (loc: unknown): string =>
  listOf(loc)
    .filter((part) => part !== 'body')
    .join('.')

/** The title of a page, or the message of an XML document. */
function wordsOfPage(text: string): string | undefined {
  const found = /<(title|message|h1)\b[^>]*>([^<]+)<\//i.exec(text)?.[2]
  return found?.replaceAll(/\s+/g, ' ').trim() || undefined
}

/** The HTTP status that an error names in its body. */
export function statusOf(value: unknown): number | undefined {
  const said = fieldsOf(Array.isArray(value) ? value[0] : value)
  const { error } = said
  const named = [
    said.status,
    said.statusCode,
    said.status_code,
    said.code,
    fieldsOf(error).code,
    fieldsOf(error).status,
  ]
  return named.map(wholeNumber).find((status) => status !== undefined && status >= 400 && status < 600)
}

/** A whole number, also one in a text. */
export const wholeNumber = (value: unknown): number | undefined =>
  numberOf(value) ??
  (typeof value === 'string' && /^\d{1,12}$/.test(value.trim()) ? Number(value) : undefined)

/**
 * True when a value of a stream says that the provider failed. A value that only tells of the work (its state, its
 * place in a queue, a heart beat) does not.
 *
 * @param event the name of the event
 * @param isReply true when the value also holds a piece of the reply: then it fails by its field `error` alone
 */
export function isFailure(value: unknown, event: string | undefined, isReply: boolean): boolean {
  const said = fieldsOf(value)
  if (saysError(said.error)) return true
  if (isReply) return false
  if (event === 'error') return true
  if (said.object === 'error' || /(?:^|_)error$/i.test(String(said.type ?? ''))) return true
  if (listOf(said.errors).length > 0 || said.success === false) return true
  const hasReason = ['message', 'msg', 'detail', 'error_message', 'error_msg'].some((name) => name in said)
  return hasReason && (statusOf(said) !== undefined || 'detail' in said)
}

/** Many servers send the field with every piece, empty. */
function saysError(error: unknown): boolean {
  if (typeof error === 'string') return error.trim() !== ''
  if (error === true) return true
  if (Array.isArray(error)) return error.length > 0
  return Object.values(fieldsOf(error)).some((value) => value !== null && value !== '' && value !== 0)
}
