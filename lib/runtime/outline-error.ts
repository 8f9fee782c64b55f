import { explainError, withoutSecrets } from '@/lib/ai'

/** Causes that are written at most, and frames of each. */
const MOST_CAUSES = 6
const MOST_FRAMES = 12
const LONGEST_LINE = 300

/** Classes of SQLSTATE whose messages quote names of tables and roles, and no values. */
const quotesNames = /^(?:08|23|28|3D|40|42|53|55|57|58)/
/** The refusal of a word search; its class quotes names otherwise. */
const quotesWords = '42601'

/**
 * An error and its causes for the log: names, messages, and places in the code. Quotations and other properties of the
 * error are left out: a database quotes the values of a statement, a provider the conversation, a parser its input, and
 * any of them a key.
 */
export function outlineError(error: unknown): string {
  const causes: string[] = []
  for (let cause = error; cause !== undefined && causes.length < MOST_CAUSES; cause = causeOf(cause)) {
    causes.push(cause instanceof Error ? [sayingOf(cause), ...framesOf(cause)].join('\n') : saidBy(cause))
  }
  return causes.join('\n  because: ')
}

/** The first line of the outline: the error's name and message. */
export function sayingOf(error: Error): string {
  return `${nameOf(error)}: ${whatHappened(error)}`
}

/** Text as one line of bounded length; control characters and line breaks are escaped. */
export function onOneLine(text: string): string {
  const line = text
    .slice(0, LONGEST_LINE * 4)
    .toWellFormed()
    .replace(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
      (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    )
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? (error.cause ?? undefined) : undefined)

const nameOf = ({ name }: Error): string => (/^[\w.$ -]{1,60}$/.test(name) ? name : 'Error')

/** Errors of our own for an operator: they quote commands and settings. */
const ours = new Set(['DatabaseOpenError', 'EnvError', 'ModelSettingError', 'MovedLogError'])

function whatHappened(error: Error): string {
  // the error of a provider repeats the prompt
  if (error.name.startsWith('AI_')) {
    const status = field(error, 'statusCode')
    const { kind } = explainError(error)
    return typeof status === 'number' ? `${kind}, status ${status}` : kind
  }
  const [first = ''] = error.message.split('\n', 1)
  if (ours.has(error.name)) return onOneLine(withoutSecrets(first))
  const code = field(error, 'code')
  if (typeof code === 'string' && /^[\dA-Z]{5}$/.test(code))
    return onOneLine(`${code} ${refusalOf(error, code, first)}`)
  return clean(first)
}

/** Why a statement was refused. Errors of our own SQL functions name their arguments, so only the function is written. */
function refusalOf(error: Error, code: string, message: string): string {
  if (code.startsWith('P0')) {
    const [place = 'a function'] = /PL\/pgSQL function \w+/.exec(String(field(error, 'where') ?? '')) ?? []
    return `raised by ${place}`
  }
  const names = quotesNames.test(code) && code !== quotesWords
  return withoutSecrets(names ? message : withoutQuoted(message))
}

/** A thrown value that is not an error: a text, cleaned in the same way, or the type of the value. */
const saidBy = (thrown: unknown): string =>
  typeof thrown === 'string'
    ? clean(thrown.split('\n', 1)[0] ?? '')
    : `a thrown ${thrown === null ? 'null' : typeof thrown}`

const clean = (line: string): string =>
  onOneLine(withoutSecrets(withoutQuoted(line)).replace(/[^\s@<>]+@[^\s@<>]+/g, '[e-mail]'))

/** The line without the text from the first opening quotation mark to the last one: quotations may contain others. */
function withoutQuoted(line: string): string {
  return line.replace(/(^|[^\p{L}\p{N}])["'`“‘«].*["'`”’»]|(^|[^\p{L}\p{N}])["'`“‘«].*$/u, '$1$2…')
}

/** The frames of the stack. Lines of the message may look like frames, and are skipped. */
function framesOf({ message, stack = '' }: Error): string[] {
  const at = stack.indexOf(message)
  if (at < 0) return []
  return stack
    .slice(at + message.length)
    .split('\n')
    .filter((line) => /^ {4}at .*(?::\d+:\d+\)?|\((?:native|<anonymous>|index \d+)\))$/.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => line.slice(0, LONGEST_LINE))
}

const field = (error: Error, name: string): unknown => Reflect.get(error, name)
