import type { Quote } from '@/lib/events'
import { plainWords } from '@/lib/events/title-words'
import { isHiddenMessage, messagePreview, promptText } from '../fragments'
import type { MessageData } from '../store'
import type { MergedContext } from './merge-contexts'

/** Turns that a digest tells; of more, the latest. */
const MAX_TURNS = 60
/** Files, results and changes that it lists of each kind. */
const MAX_ITEMS = 40
const MAX_QUESTION = 160
const MAX_ANSWER = 320
const MAX_RESULT = 160

/** A summary of messages made without a model: Markdown in sections, and the replies it quotes. */
export interface Digest {
  text: string
  quotes: Quote[]
}

/**
 * Digest of messages: questions and answers, files, tool results, and the differences of a context. The same
 * messages always give the same digest.
 *
 * @param messages of one chain, in order
 */
export function digestOf(
  messages: readonly MessageData[],
  changes: Partial<Pick<MergedContext, 'added' | 'changed' | 'removed'>> = {},
): Digest {
  const shown = messages.filter(({ data }) => !isHiddenMessage(data))
  const turns = turnsOf(shown)
  const told = turns.slice(-MAX_TURNS)
  const quotes = told.flatMap(({ reply }): Quote[] => {
    const text = reply ? opening(reply.data) : ''
    return reply && text !== '' ? [{ messageId: reply.id, text }] : []
  })
  const left = turns.length - told.length
  const context = [
    ...(changes.added ?? []).map((item) => `Added: ${short(item)}`),
    ...(changes.changed ?? []).map((item) => `Changed: ${short(item)}`),
    ...(changes.removed ?? []).map((item) => `Removed: ${short(item)}`),
  ]
  const sections = [
    section('Asked and answered', [
      ...(left > 0 ? [`${left} earlier ${left === 1 ? 'turn' : 'turns'}, not listed here`] : []),
      ...told.map(lineOf),
    ]),
    section('Files', listed(shown.flatMap(filesOf))),
    section('Results of tools', listed(shown.flatMap(resultsOf))),
    section('Context', listed(context)),
  ]
  return { text: sections.filter((text) => text !== '').join('\n\n'), quotes }
}

interface Turn {
  question: MessageData | undefined
  /** the last reply to it that says something */
  reply: MessageData | undefined
}

function turnsOf(messages: readonly MessageData[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const turn = turns.at(-1)
    if (message.name !== 'assistant') turns.push({ question: message, reply: undefined })
    else if (!turn) turns.push({ question: undefined, reply: message })
    else if (!turn.reply || messagePreview(message.data) !== '') turn.reply = message
  }
  return turns
}

function lineOf({ question, reply }: Turn): string {
  const asked = question ? `“${messagePreview(question.data, MAX_QUESTION)}”` : 'Without a question'
  const answered = reply ? opening(reply.data) : ''
  return answered === '' ? `${asked}: no reply` : `${asked}: ${answered}`
}

/** The first sentences of a message, on one line. */
function opening(data: unknown): string {
  const whole = plainWords(messagePreview(data, 2 * MAX_ANSWER))
  if (whole.length <= MAX_ANSWER) return whole
  const line = whole.slice(0, MAX_ANSWER).toWellFormed()
  const end = Math.max(...['. ', '! ', '? ', '。'].map((mark) => line.lastIndexOf(mark)))
  return end > MAX_ANSWER / 4 ? line.slice(0, end + 1) : `${line}…`
}

function partsOf({ data }: MessageData): Record<string, unknown>[] {
  if (typeof data !== 'object' || data === null || !('parts' in data) || !Array.isArray(data.parts)) return []
  return data.parts.filter(
    (part: unknown): part is Record<string, unknown> => typeof part === 'object' && part !== null,
  )
}

const filesOf = (message: MessageData): string[] =>
  partsOf(message).flatMap(({ type, filename, mediaType }) =>
    type === 'file' ? [String(filename ?? mediaType ?? 'a file')] : [],
  )

function resultsOf(message: MessageData): string[] {
  return partsOf(message).flatMap((part) => {
    const { type, toolName, output } = part
    if (typeof type !== 'string' || output === undefined) return []
    const name = type === 'dynamic-tool' ? String(toolName) : type.startsWith('tool-') ? type.slice(5) : null
    if (name === null) return []
    const said = typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
    return [`${name}: ${messagePreview(said, MAX_RESULT)}`]
  })
}

const short = (text: string): string => messagePreview(text, MAX_ANSWER)

function listed(items: readonly string[]): string[] {
  const all = [...new Set(items)]
  const left = all.length - MAX_ITEMS
  return left > 0 ? [...all.slice(0, MAX_ITEMS), `and ${left} more`] : all
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`**${title}**`, '', ...lines.map((line) => `- ${line}`)].join('\n')

/** Messages as plain text, each with its id, for a model that reads them. */
export const transcriptOf = (messages: readonly MessageData[]): string =>
  messages
    .filter(({ data }) => !isHiddenMessage(data))
    .map(
      ({ id, name, data }) => `[${id}] ${name === 'assistant' ? 'Assistant' : 'User'}: ${promptText(data)}`,
    )
    .join('\n\n')
