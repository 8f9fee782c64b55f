import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { speakerOf } from '@/lib/graph/speaker'
import { isCostly } from '@/lib/markdown/markdown-cost'
import { modelOf, type ReadableChat, type ReadableMessage, timeOf } from './readable-chat'
import { type ReadablePart, valueText } from './readable-parts'

/**
 * A chat in Markdown: a heading for each branch and each message. A message's content stays within it: text
 * that would leave a block open, or has its own headings, is quoted.
 *
 * @param fileAt the address of a file beside the text; without it files are named only
 */
export async function* chatMarkdown(
  chat: ReadableChat,
  fileAt: (fileId: string) => string | undefined = () => undefined,
): AsyncGenerator<string> {
  const { title, sections, index, origin, onlyBranch, counts } = chat
  const { checkpoints } = index.graph
  yield `# ${inline(title)}\n\n`
  if (onlyBranch !== undefined) yield `**Branch:** ${inline(onlyBranch)}\n\n`
  yield `${counts.join(', ')}\n`
  if (origin) yield `\nImported from ${linked(origin)}\n`
  const named = new Map<string, string[]>()
  for (const { messageId, name } of checkpoints) named.set(messageId, [...(named.get(messageId) ?? []), name])
  for (const section of sections) {
    const archived = section.isArchived ? ' (archived)' : ''
    if (sections.length > 1) yield `\n# Branch: ${inline(section.title)}${archived}\n`
    const from = section.after?.preview.trim()
    if (section.after) yield `\nIt goes on from “${inline(from || 'a message without text')}”.\n`
    for await (const read of chat.messages(section.nodes)) {
      if (read.context) yield contextMarkdown(read.context)
      const marks = (named.get(read.message.id) ?? []).map((name) => `checkpoint “${inline(name)}”`)
      yield messageMarkdown(read, marks, fileAt)
    }
  }
}

function contextMarkdown({ instructions, tools }: NonNullable<ReadableMessage['context']>): string {
  const said = instructions.trim() === '' ? '' : `\n**Instructions**\n\n${quoted(instructions)}\n`
  return tools.length === 0 ? said : `${said}\n**Tools:** ${tools.map(inline).join(', ')}\n`
}

function messageMarkdown(
  { message, parts }: ReadableMessage,
  marks: readonly string[],
  fileAt: (fileId: string) => string | undefined,
): string {
  const { name, status, createdAt } = message
  const model = modelOf(message)
  const facts = [timeOf(createdAt), model && inline(model), status && endings[status], ...marks].filter(
    Boolean,
  )
  const written = parts.map((part) => partMarkdown(part, { isReply: name === 'assistant', fileAt }))
  return `\n## ${inline(speakerOf(name))}\n\n*${facts.join(' · ')}*\n\n${written.join('\n\n')}\n`
}

const endings = { stopped: 'stopped', failed: 'failed' } as const

function partMarkdown(
  part: ReadablePart,
  { isReply, fileAt }: { isReply: boolean; fileAt(fileId: string): string | undefined },
): string {
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
    case 'file': {
      const at = part.fileId === undefined ? undefined : fileAt(part.fileId)
      if (at !== undefined && part.mediaType.startsWith('image/')) return `![${inline(part.name)}](${at})`
      const name = at === undefined ? inline(part.name) : `[${inline(part.name)}](${at})`
      return `**File:** ${name} (${inline(part.mediaType || 'unknown type')})`
    }
    case 'source':
      return `**Source:** ${inline(part.title)} ${isWeb(part.url) ? linked(part.url) : ''}`.trim()
  }
}

/** Line ends that a person typed stay line ends. */
const asWritten = (text: string): string => text.replace(/([^\s\\])\n(?=\S)/g, '$1  \n')

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url)

const linked = (url: string): string => `<${url.replace(/[\s<>]/g, encodeURIComponent)}>`

/** A text in a fence that it cannot close: longer than any row of backticks in it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${lines(text).join('\n')}\n${fence}`
}

/** A text as a quotation: any block that it begins ends with it. */
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
