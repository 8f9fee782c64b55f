import type { LanguageModelV4FilePart, LanguageModelV4Prompt } from '@ai-sdk/provider'

/** A file of a message, as far as the demo model looks at it. */
export type DemoFile = { readonly name: string; readonly type: string; readonly bytes: number }

/** The parts of a prompt that the demo model knows. */
export type DemoPrompt = {
  /** The last thing the user said. */
  readonly question: string
  /** The files that came with it. */
  readonly files: readonly DemoFile[]
  /** The user's messages, the latest `READ` characters of them, each with its place among the messages, counted from 1. */
  readonly said: readonly { readonly text: string; readonly position: number }[]
  readonly messages: number
  readonly fromUser: number
  readonly fromAssistant: number
  /** Names of the fragments in the instructions, in order, repeated as often as they occur. */
  readonly fragments: readonly string[]
  /** The role the instructions give, in their words. */
  readonly role: string | undefined
  /** Length of all text, from which token counts are guessed. */
  readonly characters: number
}

/**
 * Characters of the messages, and of the instructions, that are looked at: expressions over megabytes take seconds.
 */
const READ = 100_000

/** Reads a prompt: counts it, and keeps what the user said. Tool results are not messages of the chat. */
export function readPrompt(prompt: LanguageModelV4Prompt): DemoPrompt {
  const instructions: string[] = []
  const said: { text: string; position: number }[] = []
  let files: DemoFile[] = []
  let messages = 0
  let fromUser = 0
  let characters = 0
  /** held characters of the user's messages */
  let held = 0
  for (const message of prompt) {
    if (message.role === 'system') {
      instructions.push(message.content)
      characters += message.content.length
      continue
    }
    const text = textOf(message.content)
    characters += text.length
    if (message.role === 'tool') continue
    messages += 1
    if (message.role !== 'user') continue
    fromUser += 1
    const begun = text.slice(0, READ)
    said.push({ text: begun, position: messages })
    for (held += begun.length; held > READ && said.length > 1; ) held -= said.shift()?.text.length ?? 0
    files = message.content.flatMap((part) => fileIn(part) ?? [])
  }
  const system = instructions.join('\n\n').slice(0, READ)
  return {
    question: said.at(-1)?.text ?? '',
    files,
    said,
    messages,
    fromUser,
    fromAssistant: messages - fromUser,
    fragments: fragmentNames(system),
    role: roleIn(system),
    characters,
  }
}

/** The texts of a message. A text file that is written into the prompt is a file. */
function textOf(content: readonly { readonly type: string }[]): string {
  return content
    .filter((part) => fileIn(part) === undefined)
    .map((part) => ('text' in part && part.type === 'text' ? String(part.text) : ''))
    .join('')
}

const writtenFile = /^<file name=("(?:[^"\\]|\\.)*")>\n([\s\S]*)\n<\/file>$/

function fileIn(part: { readonly type: string }): DemoFile | undefined {
  if (part.type === 'file') {
    const { filename = 'a file', mediaType, data } = part as LanguageModelV4FilePart
    return { name: filename, type: mediaType, bytes: data.type === 'data' ? sizeOf(data.data) : 0 }
  }
  const [, name, text = ''] = 'text' in part ? (writtenFile.exec(String(part.text)) ?? []) : []
  if (name === undefined) return undefined
  return { name: String(JSON.parse(name)), type: 'text', bytes: Buffer.byteLength(text) }
}

/** The size of bytes that may come as base64. */
const sizeOf = (data: Uint8Array | string): number =>
  typeof data === 'string' ? Buffer.byteLength(data, 'base64') : data.byteLength

/** Counts fragments however they were rendered: as elements, headings, TOML tables, keys or paragraphs. */
function fragmentNames(system: string): string[] {
  const elements = topElements(system).map(({ name }) => name)
  if (elements.length > 0) return elements
  const headings = namesAt(system, /^#{1,3}\s+(\S.*)$/gm)
  if (headings.length > 0) return headings
  const tables = namesAt(system, /^\[{1,2}([\w.-]+)\]{1,2}\s*$/gm)
  const keys = namesAt(system, /^([A-Za-z][\w-]*)(?:\[\d+\])?\s*[:=]/gm)
  if (tables.length + keys.length > 0) return [...keys, ...tables]
  return system
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map(() => 'text')
}

function namesAt(system: string, pattern: RegExp): string[] {
  return [...system.matchAll(pattern)].map((match) => match[1]?.trim() ?? '')
}

function topElements(system: string): { name: string; body: string }[] {
  const found: { name: string; body: string }[] = []
  let depth = 0
  let opened: { name: string; from: number } | undefined
  for (const tag of system.matchAll(/<(\/?)([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>/g)) {
    const [whole, closing, name = ''] = tag
    if (closing === '/') {
      depth = Math.max(0, depth - 1)
      if (depth === 0 && opened !== undefined) {
        found.push({ name: opened.name, body: system.slice(opened.from, tag.index) })
        opened = undefined
      }
    } else if (whole.endsWith('/>')) {
      if (depth === 0) found.push({ name, body: '' })
    } else {
      if (depth === 0) opened = { name, from: tag.index + whole.length }
      depth += 1
    }
  }
  return found
}

function roleIn(system: string): string | undefined {
  const element = topElements(system).find(({ name }) => name.toLowerCase() === 'role')
  const keyed = /^(?:#+\s*)?role\s*[:=\n]\s*"?([^"\n]+)/im.exec(system)
  const sentence = /\byou are [^.!?\n<]+[.!?]?/i.exec(system)
  const role = element?.body ?? keyed?.[1] ?? sentence?.[0]
  return role === undefined
    ? undefined
    : unescapeXml(role).replace(/\s+/g, ' ').trim().slice(0, 300) || undefined
}

function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}
