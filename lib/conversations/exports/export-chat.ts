import { NotFoundError } from '@/lib/context'
import type { ChatId, LoggedEvent, UserId } from '@/lib/events'
import type { ExportFormat } from '@/lib/protocol'
import { InvalidRequestError } from '../errors'
import type { FileFacts, Ports } from '../ports'
import { chatFileText } from './chat-file'
import { chatSource } from './chat-source'
import { readableChat } from './readable-chat'
import { chatHtml } from './write-html'
import { chatJsonl } from './write-jsonl'
import { chatMarkdown } from './write-markdown'

/** A file that is written while it is read. */
export interface ExportedFile {
  name: string
  mediaType: string
  text: AsyncIterable<string>
}

const kinds: Record<ExportFormat, { ending: string; mediaType: string }> = {
  json: { ending: 'ramify.json', mediaType: 'application/json' },
  markdown: { ending: 'md', mediaType: 'text/markdown' },
  html: { ending: 'html', mediaType: 'text/html' },
  jsonl: { ending: 'jsonl', mediaType: 'application/jsonl' },
}

type Uses = Pick<Ports, 'exports' | 'store' | 'files' | 'reads'>

/**
 * A chat as a file. The file of ours holds all of it; the others can be of one branch.
 *
 * @param input.branch name or id
 * @throws NotFoundError for a chat or a branch that is missing or someone else's; InvalidRequestError for one branch as JSON
 */
export async function exportChat(
  ports: Uses,
  {
    format,
    branch,
    ...chat
  }: { ownerId: UserId; chatId: ChatId; format: ExportFormat; branch?: string | undefined },
): Promise<ExportedFile> {
  const { ending, mediaType } = kinds[format]
  if (format === 'json') {
    const source = await chatSource(ports, chat)
    if (branch !== undefined) {
      const detail =
        'JSON holds the whole chat, so that it can be restored. Leave the branch out, or export it as Markdown, HTML or JSONL.'
      throw new InvalidRequestError(detail, 'whole_chat_only')
    }
    return { name: `${slug(titleIn(source.events) ?? '')}.${ending}`, mediaType, text: chatFileText(source) }
  }
  const readable = await readableChat(ports, { ...chat, branch })
  const of = branch === undefined ? '' : ` ${readable.sections[0]?.title ?? ''}`
  const name = `${slug(`${readable.title}${of}`)}.${ending}`
  const only = branch === undefined ? undefined : readable.branchId
  const texts = {
    markdown: () => chatMarkdown(readable),
    html: () => chatHtml(ports, readable, chat),
    jsonl: () => chatJsonl(ports, readable, { ...chat, only }),
  }
  return { name, mediaType, text: texts[format]() }
}

/** An entry of a person's archive. */
export interface ArchiveEntry {
  path: string
  content: AsyncIterable<string | Uint8Array>
}

/** Chats whose keys are read at once. */
const PAGE = 100

/**
 * Everything a person has, as the entries of an archive: each chat as a file of ours, each content once, and at the end what the
 * archive holds. One chat is read at a time.
 */
export async function* exportAll(
  ports: Uses & Pick<Ports, 'clock'>,
  ownerId: UserId,
): AsyncGenerator<ArchiveEntry> {
  const chats: { id: ChatId; title: string | null; entry: string }[] = []
  const files = new Map<string, string>()
  for (let after: { id: ChatId; createdAt: string } | null = null; ; ) {
    const page: { id: ChatId; createdAt: string }[] = await ports.exports.chatsOf(ownerId, after, PAGE)
    for (const { id: chatId } of page) {
      const source = await chatSource(ports, { ownerId, chatId }).catch((error: unknown) => {
        // it was deleted meanwhile
        if (error instanceof NotFoundError) return undefined
        throw error
      })
      if (!source) continue
      for (const file of source.files) {
        if (files.has(file.sha256)) continue
        const path = `files/${file.sha256}${endingOf(file)}`
        files.set(file.sha256, path)
        yield { path, content: source.pieces(file) }
      }
      const title = titleIn(source.events)
      const entry = `chats/${String(chats.length + 1).padStart(6, '0')}-${slug(title ?? '')}.${kinds.json.ending}`
      chats.push({ id: source.called, title, entry })
      yield { path: entry, content: chatFileText(source, ({ sha256 }) => files.get(sha256) ?? '') }
    }
    after = page.at(-1) ?? null
    if (page.length < PAGE) break
  }
  const manifest = {
    ...{ format: 'ramify.export', version: 1, exportedAt: new Date(ports.clock()).toISOString() },
    ...{ chats, files: [...files].map(([sha256, entry]) => ({ sha256, entry })) },
  }
  yield { path: 'manifest.json', content: once(`${JSON.stringify(manifest, null, 2)}\n`) }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

const endings: Readonly<Record<string, string>> = {
  ...{ 'image/png': '.png', 'image/jpeg': '.jpg', 'image/gif': '.gif', 'image/webp': '.webp' },
  'application/pdf': '.pdf',
}

const endingOf = ({ mediaType }: FileFacts): string =>
  endings[mediaType] ?? (mediaType.startsWith('text/') ? '.txt' : '')

/** The title of a chat as its log says it. */
function titleIn(events: readonly LoggedEvent[]): string | null {
  const renamed = events.findLast(({ type }) => type === 'ChatRenamed')
  return renamed?.type === 'ChatRenamed' ? renamed.payload.title : null
}

/** Words as the beginning of a file's name on any system. */
const slug = (words: string): string => {
  const kept = words
    .normalize()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return [...kept].slice(0, 60).join('').replace(/-+$/, '') || 'chat'
}
