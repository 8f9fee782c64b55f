import { explainError, withoutSecrets } from '@/lib/ai'

/** Causes that are told at most, and frames of each. */
const MOST_CAUSES = 6
const MOST_FRAMES = 12
const LONGEST_LINE = 300

/** Classes of SQLSTATE whose messages quote names of tables and roles, and no values. */
const quotesNames = /^(?:08|23|28|3D|40|42|53|55|57|58)/
/** What a word search is refused with, of a class that quotes names otherwise. */
const quotesWords = '42601'

/**
 * An error and its causes for the log: names, what happened, and where in the code. What the error quotes is left out,
 * as are its other properties: a database quotes the values of a statement, a provider the conversation, a parser what it
 * read, and any of them a key.
 */
export function outlineError(error: unknown): string {
  const causes: string[] = []
  for (let cause = error; cause !== undefined && causes.length < MOST_CAUSES; cause = causeOf(cause)) {
    causes.push(cause instanceof Error ? [sayingOf(cause), ...framesOf(cause)].join('\n') : saidBy(cause))
  }
  return causes.join('\n  because: ')
}

/** The first line of that: the error's name and what happened. */
export function sayingOf(error: Error): string {
  return `${nameOf(error)}: ${whatHappened(error)}`
}

/** On one line, of bounded length, with what moves a terminal's cursor or begins a line written out. */
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

/** Errors of our own that are written for an operator: what they quote are commands and settings. */
const ours = new Set(['DatabaseOpenError', 'EnvError', 'ModelSettingError', 'MovedLogError'])

function whatHappened(error: Error): string {
  // what a provider answers repeats what it was asked
  if (error.name.startsWith('AI_')) {
    const status = field(error, 'statusCode')
    return [`${explainError(error).kind}`, ...(typeof status === 'number' ? [`status ${status}`] : [])].join(
      ', ',
    )
  }
  const [first = ''] = error.message.split('\n', 1)
  if (ours.has(error.name)) return onOneLine(withoutSecrets(first))
  const code = field(error, 'code')
  if (typeof code === 'string' && /^[\dA-Z]{5}$/.test(code))
    return onOneLine(`${code} ${refusalOf(error, code, first)}`)
  return clean(first)
}

/** Why a statement was refused. What our own functions raise names what they were given; of that only the place is told. */
function refusalOf(error: Error, code: string, message: string): string {
  if (code.startsWith('P0')) {
    const [place = 'a function'] = /PL\/pgSQL function \w+/.exec(String(field(error, 'where') ?? '')) ?? []
    return `raised by ${place}`
  }
  const names = quotesNames.test(code) && code !== quotesWords
  return withoutSecrets(names ? message : withoutQuoted(message))
}

/** What was thrown that is no error: a text, of which the same is left out; of anything else only what it is. */
const saidBy = (thrown: unknown): string =>
  typeof thrown === 'string'
    ? clean(thrown.split('\n', 1)[0] ?? '')
    : `a thrown ${thrown === null ? 'null' : typeof thrown}`

const clean = (line: string): string =>
  onOneLine(withoutSecrets(withoutQuoted(line)).replace(/[^\s@<>]+@[^\s@<>]+/g, '[e-mail]'))

/** Without everything from the first quotation mark that opens something to the last one: quotations may hold more of them. */
function withoutQuoted(line: string): string {
  return line.replace(/(^|[^\p{L}\p{N}])["'`“‘«].*["'`”’»]|(^|[^\p{L}\p{N}])["'`“‘«].*$/u, '$1$2…')
}

/** Where it was thrown. What stands in the message may look like that, and is not. */
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
