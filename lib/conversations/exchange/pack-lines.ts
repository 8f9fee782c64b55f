import { createHash } from 'node:crypto'
import { z } from 'zod'
import { checkData, InvalidDataError } from '@/lib/context'
import { chatFile } from '@/lib/protocol/chat-file'
import { PackRefusedError } from './errors'

/** Letters of a line, values in it, and levels, at most. */
const MAX_LINE = 32 * 1024 * 1024
const MAX_LINE_VALUES = 500_000
const MAX_LEVELS = 64
/** Bytes of a file that stand in one line. */
export const FILE_PIECE = 192 * 1024

const { contexts, messages, summaries, files } = chatFile.shape
const { content: _content, entry: _entry, id: _id, ...fileFields } = files.element.shape

const lineTypes = {
  /** the first line of a pack */
  pack: z.strictObject({
    t: z.literal('pack'),
    version: z.literal(1),
    chat_id: z.string().min(1).max(128),
    origin: z.uuid(),
    title: z.string().nullable(),
  }),
  context: contexts.element.extend({ t: z.literal('context') }),
  /** a file, whose bytes follow; messages name it by its content */
  file: z.strictObject({ t: z.literal('file'), ...fileFields }),
  bytes: z.strictObject({ t: z.literal('bytes'), content: z.base64() }),
  message: messages.element.extend({ t: z.literal('message') }),
  summary: summaries.element.extend({ t: z.literal('summary') }),
  /** the last line: how many came before it, and their hash */
  end: z.strictObject({
    t: z.literal('end'),
    lines: z.int().positive(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
}

const packLine = z.discriminatedUnion('t', [
  lineTypes.pack,
  lineTypes.context,
  lineTypes.file,
  lineTypes.bytes,
  lineTypes.message,
  lineTypes.summary,
  lineTypes.end,
])

export type PackLine = z.infer<typeof packLine>
export type PackedMessage = z.infer<typeof lineTypes.message>
export type PackedContext = z.infer<typeof lineTypes.context>
export type PackedSummary = z.infer<typeof lineTypes.summary>

/** Tells the last line of a pack by its beginning. */
export const isEnd = (line: string): boolean => line.startsWith('{"t":"end"')

/** The hash of lines, each with its end. */
export function lineHash() {
  const hash = createHash('sha256')
  let lines = 0
  return {
    add(line: string) {
      hash.update(line).update('\n')
      lines += 1
    },
    end: () => ({ lines, sha256: hash.digest('hex') }),
  }
}

/**
 * A line of a pack. Its letters, values and levels are counted before anything is built from it.
 *
 * @throws PackRefusedError
 */
export function readLine(line: string, at: number): PackLine {
  const read = packLine.safeParse(readJson(line, at))
  if (!read.success) {
    const [issue] = read.error.issues
    throw new PackRefusedError(
      `Line ${at} of the pack is not what it should be (${issue?.path.join('.')}: ${issue?.message}).`,
    )
  }
  return read.data
}

/** @throws PackRefusedError */
function readJson(line: string, at: number): unknown {
  if (line.length > MAX_LINE) throw new PackRefusedError(`Line ${at} of the pack is too long.`)
  if (!isBounded(line))
    throw new PackRefusedError(`Line ${at} of the pack is made of too many values, or nested too deeply.`)
  try {
    const value: unknown = JSON.parse(line)
    checkData(value)
    return value
  } catch (error) {
    if (error instanceof InvalidDataError)
      throw new PackRefusedError(`Line ${at} of the pack cannot be stored: ${error.message}.`)
    throw new PackRefusedError(`Line ${at} of the pack is no JSON.`)
  }
}

const [QUOTE, BACKSLASH] = ['"', '\\'].map((sign) => sign.charCodeAt(0))
const [BRACE, BRACKET, END_BRACE, END_BRACKET, COMMA] = ['{', '[', '}', ']', ','].map((sign) =>
  sign.charCodeAt(0),
)

/** Tells whether a text has no more values and levels than a line may have: it counts them without building any. */
function isBounded(text: string): boolean {
  let [values, levels, inString] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (inString) {
      if (sign === BACKSLASH) at += 1
      else if (sign === QUOTE) inString = false
    } else if (sign === QUOTE) inString = true
    else if (sign === BRACE || sign === BRACKET) {
      values += 1
      levels += 1
      if (levels > MAX_LEVELS) return false
    } else if (sign === END_BRACE || sign === END_BRACKET) levels -= 1
    else if (sign === COMMA) values += 1
    if (values > MAX_LINE_VALUES) return false
  }
  return true
}

/**
 * The lines of a pack from its bytes, without their ends. A line that is too long is refused before its end
 * has come.
 *
 * @throws PackRefusedError
 */
export async function* linesOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const decoded = (part?: Uint8Array) => {
    try {
      return utf8.decode(part, { stream: part !== undefined })
    } catch {
      throw new PackRefusedError('The pack is not in UTF-8.')
    }
  }
  let rest: string[] = []
  let length = 0
  for await (const part of parts) {
    const [first = '', ...more] = decoded(part).split('\n')
    rest.push(first)
    length += first.length
    if (length > MAX_LINE) throw new PackRefusedError('A line of the pack is too long.')
    if (more.length === 0) continue
    yield rest.join('')
    const last = more.pop() ?? ''
    yield* more
    rest = [last]
    length = last.length
  }
  const last = rest.join('') + decoded()
  if (last !== '') yield last
}

/** The moves of a push: each branch once, from one message to another. */
export const refUpdates = z
  .array(
    z.object({
      branch: z.string().min(1).max(200),
      old: z.string().min(1).max(128).nullable(),
      new: z.string().min(1).max(128),
    }),
  )
  .min(1)
  .max(1000)

/**
 * A push: its moves, and its pack.
 *
 * @param said its moves, when given beside the lines; by default the first line has them
 * @throws PackRefusedError
 */
export async function packStart(
  lines: AsyncGenerator<string>,
  said?: string,
): Promise<{ updates: z.infer<typeof refUpdates>; lines: AsyncIterable<string> }> {
  const text = said ?? (await lines.next()).value
  const value = typeof text === 'string' ? readJson(text, 1) : undefined
  const list = said !== undefined ? value : (value as { updates?: unknown } | undefined)?.updates
  const updates = refUpdates.safeParse(list)
  if (!updates.success) throw new PackRefusedError('The push does not say which branches it moves.')
  return { updates: updates.data, lines }
}

/** The first line of a push, with its moves. */
export const updatesLine = (updates: z.infer<typeof refUpdates>): string =>
  JSON.stringify({ t: 'updates', updates })
