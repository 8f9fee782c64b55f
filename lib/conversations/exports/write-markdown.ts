import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import type { MessageData } from '@/lib/context'
import { speakerOf } from '@/lib/graph/speaker'
import { isCostly } from '@/lib/markdown/markdown-cost'
import { modelOf, type ReadableChat, timeOf } from './readable-chat'
import { type ReadablePart, readableParts, valueText } from './readable-parts'

/**
 * A chat in Markdown: a heading for each branch and each message. What a message holds stays within it: text that would leave
 * a block open, or that has headings of its own, is quoted.
 */
export async function* chatMarkdown(chat: ReadableChat): AsyncGenerator<string> {
  const { title, sections, index } = chat
  const { nodes, branches, checkpoints } = index.graph
  yield `# ${inline(title)}\n\n`
  yield `${nodes.length} ${nodes.length === 1 ? 'message' : 'messages'}, ${branches.length} ${branches.length === 1 ? 'branch' : 'branches'}\n`
  const named = new Map<string, string[]>()
  for (const { messageId, name } of checkpoints) named.set(messageId, [...(named.get(messageId) ?? []), name])
  for (const section of sections) {
    const archived = section.isArchived ? ' (archived)' : ''
    if (sections.length > 1) yield `\n# Branch: ${inline(section.title)}${archived}\n`
    const from = section.after?.preview.trim()
    if (section.after) yield `\nIt goes on from “${inline(from || 'a message without text')}”.\n`
    for await (const message of chat.bodies(section.nodes)) {
      const marks = (named.get(message.id) ?? []).map((name) => `checkpoint “${inline(name)}”`)
      yield messageMarkdown(message, marks)
    }
  }
}

function messageMarkdown(message: MessageData, marks: readonly string[]): string {
  const { name, status, createdAt } = message
  const model = modelOf(message)
  const facts = [timeOf(createdAt), model && inline(model), status && endings[status], ...marks].filter(
    Boolean,
  )
  const parts = readableParts(message).map((part) => partMarkdown(part, name === 'assistant'))
  return `\n## ${inline(speakerOf(name))}\n\n*${facts.join(' · ')}*\n\n${parts.join('\n\n')}\n`
}

const endings = { stopped: 'stopped', failed: 'failed' } as const

function partMarkdown(part: ReadablePart, isReply: boolean): string {
  switch (part.kind) {
    case 'text':
      return isReply ? contained(part.text) : contained(asWritten(part.text))
    case 'thoughts':
      return `**Thoughts**\n\n${quoted(part.text)}`
    case 'tool': {
      const answer =
        part.error !== undefined
          ? `\n\n**It failed**\n\n${fenced(part.error)}`
          : part.output === undefined
            ? ''
            : `\n\n**Answer**\n\n${fenced(valueText(part.output), typeof part.output === 'string' ? '' : 'json')}`
      return `**Tool: ${inline(part.name)}**\n\n${fenced(valueText(part.input), typeof part.input === 'string' ? '' : 'json')}${answer}`
    }
    case 'file':
      return `**File:** ${inline(part.name)} (${inline(part.mediaType || 'unknown type')})`
    case 'source':
      return `**Source:** ${inline(part.title)} ${isWeb(part.url) ? `<${part.url.replace(/[\s<>]/g, encodeURIComponent)}>` : ''}`.trim()
  }
}

/** Line ends that a person typed stay line ends. */
const asWritten = (text: string): string => text.replace(/([^\s\\])\n(?=\S)/g, '$1  \n')

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url)

/** A text in a fence that it cannot close: longer than any row of backticks in it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${lines(text).join('\n')}\n${fence}`
}

/** A text as a quotation: whatever block it begins ends with it. */
const quoted = (text: string): string =>
  lines(text)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

const lines = (text: string): string[] => text.split(/\r\n|\r|\n/)

const end = 'end-of-the-message'

/** A text as it is, where all that it begins ends with it and it has no heading; else quoted. */
export function contained(text: string): string {
  const trimmed = text.replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, '').trimEnd()
  // to read it would keep the server busy
  if (isCostly(trimmed)) return quoted(trimmed)
  const html = micromark(`${trimmed}\n\n## ${end}`, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  })
  const isWhole = html.endsWith(`\n<h2>${end}</h2>`) || html === `<h2>${end}</h2>`
  const hasHeadings = /<h[12][\s>]/i.test(html.slice(0, -`<h2>${end}</h2>`.length))
  const hasRawBlocks = /<!--|<\/?(?:details|script|style|pre|textarea|table|div)\b/i.test(trimmed)
  return isWhole && !hasHeadings && !hasRawBlocks ? trimmed : quoted(trimmed)
}

/** Words in a line: no mark of Markdown's in them has a meaning. */
export const inline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~$&!]/g, (sign) => `\\${sign}`)
