import type { LanguageModelV4Prompt } from '@ai-sdk/provider'

/** What the demo model found in the one thing it is given. */
export type DemoPrompt = {
  /** The last thing the user said. */
  readonly question: string
  /** Everything the user said, with its place among the messages, countOf from 1. */
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

/** Reads a prompt: counts it, and keeps what the user said. Tool results are not messages of the chat. */
export function readPrompt(prompt: LanguageModelV4Prompt): DemoPrompt {
  const instructions: string[] = []
  const said: { text: string; position: number }[] = []
  let messages = 0
  let characters = 0
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
    if (message.role === 'user') said.push({ text, position: messages })
  }
  const system = instructions.join('\n\n')
  return {
    question: said.at(-1)?.text ?? '',
    said,
    messages,
    fromUser: said.length,
    fromAssistant: messages - said.length,
    fragments: fragmentNames(system),
    role: roleIn(system),
    characters,
  }
}

function textOf(content: readonly { readonly type: string }[]): string {
  return content.map((part) => ('text' in part && part.type === 'text' ? String(part.text) : '')).join('')
}

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
