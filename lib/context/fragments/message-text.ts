import { isAddedContext, SPLIT, saidWords } from '@/lib/events/said-words'
import { cutTitle, titleWords } from '@/lib/events/title-words'
import { asksPerson, stepOf, stepsIn, stepsLine } from '@/lib/events/tool-step'
import { isObject, typeIn } from '@/lib/events/tool-text'

/**
 * The text of a stored message: its text parts, each on a line of its own, as `message_text` in the database has it.
 * Parts are separate blocks: the last word of one and the first of the next are two words. Reasoning, tools and files
 * have no text here.
 *
 * Other data gives its likeliest text: a string itself, `content` or `text` of an object, else its JSON.
 * Never throws; without a text the result is an empty string.
 *
 * @example messageText({ id: 'q1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }) // 'Hello'
 */
export function messageText(data: unknown): string {
  try {
    return textOf(data)
  } catch {
    // A getter, proxy or cycle: there is no text to be had, and a preview must not break a save.
    return ''
  }
}

function textOf(data: unknown): string {
  if (typeof data === 'string') return data
  if (data === null || data === undefined) return ''
  if (typeof data !== 'object') return String(data)
  if (Array.isArray(data)) return data.some(isTextPart) ? textOfParts(data) : JSON.stringify(data)
  if ('parts' in data && Array.isArray(data.parts)) return textOfParts(data.parts)
  if ('content' in data) return textOf(data.content)
  if ('text' in data && typeof data.text === 'string') return data.text
  return JSON.stringify(data) ?? ''
}

function textOfParts(parts: unknown[]): string {
  return parts
    .filter(isTextPart)
    .map((part) => part.text)
    .join('\n')
}

function isTextPart(part: unknown): part is { type: 'text'; text: string } {
  return (
    typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    part.type === 'text' &&
    'text' in part &&
    typeof part.text === 'string'
  )
}

/**
 * The text by which a stored message is found: its text parts, and the names of its tools, files and sources,
 * each on a line of its own, in the order of its parts. Other data gives a plain string or its `content`. The
 * same rule in SQL: `search_text`.
 */
export function searchText(data: unknown): string {
  if (typeof data === 'string') return data
  if (typeof data !== 'object' || data === null) return ''
  if ('parts' in data && Array.isArray(data.parts)) return data.parts.flatMap(foundBy).join('\n')
  if (!('content' in data) || data.content === null) return ''
  return typeof data.content === 'string' ? data.content : JSON.stringify(data.content)
}

/**
 * A message's content for a model, for estimates, summaries and briefs: texts, and tool calls with their
 * arguments and results. Thoughts are left out, since few models are sent them again, and so are the bytes of
 * files, whose cost depends on the model.
 */
export function promptText(data: unknown): string {
  if (typeof data !== 'object' || data === null || !('parts' in data)) return messageText(data)
  return Array.isArray(data.parts) ? data.parts.flatMap(readBy).join('\n') : messageText(data)
}

function readBy(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  const { type, text, input, output, errorText } = part as Record<string, unknown>
  if (type === 'reasoning') return []
  if (typeof text === 'string') return [text]
  const said = [input, output ?? errorText].filter((value) => value !== undefined)
  return said.length === 0 ? [] : [...namesOf(part), ...said.map((value) => JSON.stringify(value) ?? '')]
}

const foundBy = (part: unknown): string[] => (isTextPart(part) ? [part.text] : namesOf(part))

/** The name of a part that is no text: of its tool, its file or its source. */
function namesOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null || !('type' in part)) return []
  const { type, toolName, filename, title } = part as Record<string, unknown>
  const name =
    type === 'dynamic-tool'
      ? toolName
      : type === 'file' || type === 'reasoning-file'
        ? filename
        : type === 'source-url' || type === 'source-document'
          ? title
          : typeof type === 'string' && type.startsWith('tool-')
            ? type.slice('tool-'.length)
            : undefined
  return typeof name === 'string' ? [name] : []
}

/** The text of a message, without texts that a client has put around a person's words. */
function saidText(data: unknown): string {
  const text = messageText(data)
  return isOfPerson(data) ? saidWords(text.slice(0, SPLIT)) : text
}

/** A text alone is a person's: a chat is named after it. */
const isOfPerson = (data: unknown): boolean =>
  typeof data === 'string' ||
  (typeof data === 'object' && data !== null && 'role' in data && data.role === 'user')

/**
 * The beginning of a message's text on one line, fit for an indexed column: whitespace collapsed, no NUL, no
 * lone surrogate, at most `max` UTF-16 units, and never half a surrogate pair at the end. Texts that clients
 * put around a person's words are left out. A message without text gives its tools' inputs and outcomes, and
 * the names of its files. Never throws.
 *
 * @param data a stored message, or anything `messageText` reads
 * @param max limit in UTF-16 units, 160 unless told
 *
 * @example messagePreview({ id: 'q1', role: 'user', parts: [{ type: 'text', text: 'Two\n\nlines' }] }) // 'Two lines'
 */
export function messagePreview(data: unknown, max = 160): string {
  const line =
    beginningOf(typeof data === 'string' ? data : saidText(data), max) || onOneLine(partsLine(data))
  return withoutHalfPair(line.slice(0, Math.max(0, max)), line)
    .toWellFormed()
    .trimEnd()
}

/** A text on one line; of a long one a beginning with more than `max` units, which is found without reading all of it. */
function beginningOf(text: string, max: number): string {
  const begun = text.length > 2 * max ? onOneLine(text.slice(0, 2 * max)) : ''
  return begun.length > max + 1 ? begun : onOneLine(text)
}

const onOneLine = (text: string): string => text.replaceAll('\0', '').replace(/\s+/gu, ' ').trim()

/** A message without text: its steps, and the names of its other parts. */
function partsLine(data: unknown): string {
  if (typeof data !== 'object' || data === null || !('parts' in data) || !Array.isArray(data.parts)) return ''
  const others = data.parts.filter((part: unknown) => stepOf(part) === null)
  return [stepsLine(stepsIn(data)), ...others.flatMap((part) => [...namesOf(part), ...itemType(part)])]
    .filter(Boolean)
    .join(', ')
}

/** The type of an item that an agent sent and that is not understood. */
function itemType(part: unknown): string[] {
  if (!isObject(part) || part.type !== 'data-item' || !isObject(part.data)) return []
  const type = typeIn(part.data.item)
  return type === undefined ? [] : [type]
}

/** Drops a high surrogate that the cut, and not the text itself, left without its other half. */
function withoutHalfPair(cut: string, whole: string): string {
  const next = whole.codePointAt(cut.length - 1)
  return cut.length < whole.length && next !== undefined && next > 0xffff ? cut.slice(0, -1) : cut
}

/** The width of a title in letters, the ellipsis not counted. */
const TITLE_WIDTH = 60

/**
 * Title of a chat from its first message: the beginning of its text on one line, without Markdown's marks and
 * cut between words; empty when there is no text. Never throws.
 *
 * @param data a stored message, or anything `messageText` reads
 */
export const messageTitle = (data: unknown): string =>
  // the beginning of a link's address may be all there is room for
  cutTitle(titleWords(saidText(data).slice(0, 1000).replaceAll('\0', '')), TITLE_WIDTH)

/**
 * Marks of a message in the graph: `step` for tool calls without text, `failure` for a failed call,
 * `question` for a call that waits for a person or asks one, `context` for context alone that an agent has
 * added.
 */
export type Held = 'file' | 'tool' | 'step' | 'failure' | 'question' | 'context'

/** The marks of a stored message. */
export function heldBy(data: unknown): Held[] {
  if (typeof data !== 'object' || data === null || !('parts' in data) || !Array.isArray(data.parts)) return []
  const held: Held[] = []
  if (data.parts.some((part: unknown) => isOfType(part, 'file'))) held.push('file')
  const steps = stepsIn(data)
  if (steps.length === 0) return isAddedContext(data) ? [...held, 'context'] : held
  held.push('tool')
  if (messageText(data).trim() === '') held.push('step')
  if (steps.some(({ state }) => state === 'failed')) held.push('failure')
  if (steps.some((step) => step.state === 'waits' || asksPerson(step))) held.push('question')
  return held
}

const isOfType = (part: unknown, type: string): boolean =>
  typeof part === 'object' && part !== null && 'type' in part && part.type === type

/** Tells whether the program that a message was imported from kept it from the person: no model is sent it. */
export const isHiddenMessage = (data: unknown): boolean =>
  isObject(data) && isObject(data.metadata) && data.metadata.hidden !== undefined
