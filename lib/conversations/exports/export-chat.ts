import { NotFoundError } from '@/lib/context'
import type { BranchId, ChatId, LoggedEvent, UserId } from '@/lib/events'
import type { ExportFormat, ExportPart, PickedChats } from '@/lib/protocol'
import { keyedPick } from '../chats/chat-list'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { chatFileText } from './chat-file'
import { chatSource } from './chat-source'
import { fileEnding, slug } from './file-names'
import { markdownFolder } from './markdown-folder'
import { type ReadableChat, readableChat } from './readable-chat'
import { chatDocx } from './write-docx'
import { chatHtml } from './write-html'
import { chatJsonl } from './write-jsonl'
import { chatMarkdown } from './write-markdown'
import { chatPreferences } from './write-preferences'
import { type ArchiveEntry, inOnePiece, zipStream } from './zip-stream'

/** A file that is written while it is read. */
export interface ExportedFile {
  name: string
  mediaType: string
  content: AsyncIterable<string | Uint8Array>
}

interface Wish {
  ownerId: UserId
  chatId: ChatId
  format: ExportFormat
  /** parts that are left out; nothing unless given */
  without?: readonly ExportPart[] | undefined
  /** name or id of the one branch to write */
  branch?: string | undefined
}

type Uses = Pick<Ports, 'exports' | 'store' | 'files' | 'reads' | 'tools' | 'models'>

/** A chat that is written: a text, or the entries of a zip; those of a folder stand by themselves in a larger zip. */
type Written = { text: AsyncIterable<string> } | { entries: AsyncIterable<ArchiveEntry>; isFolder: boolean }

interface Format {
  ending: string
  mediaType: string
  write(
    ports: Uses,
    chat: ReadableChat,
    place: { ownerId: UserId; chatId: ChatId; name: string; only: BranchId | undefined },
  ): Written
}

/** The formats that are written from a chat as it is read; `json` is written from its log. */
const formats: Record<Exclude<ExportFormat, 'json'>, Format> = {
  markdown: {
    ending: 'md',
    mediaType: 'text/markdown',
    write: (_, chat) => ({ text: chatMarkdown(chat) }),
  },
  'markdown-zip': {
    ending: 'zip',
    mediaType: 'application/zip',
    write: (ports, chat, place) => ({ entries: markdownFolder(ports, chat, place), isFolder: true }),
  },
  docx: {
    ending: 'docx',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    write: (ports, chat, place) => ({ entries: chatDocx(ports, chat, place), isFolder: false }),
  },
  html: {
    ending: 'html',
    mediaType: 'text/html',
    write: (ports, chat, place) => ({ text: chatHtml(ports, chat, place) }),
  },
  jsonl: {
    ending: 'jsonl',
    mediaType: 'application/jsonl',
    write: (ports, chat, place) => ({ text: chatJsonl(ports, chat, place) }),
  },
  preferences: {
    ending: 'preferences.jsonl',
    mediaType: 'application/jsonl',
    write: (ports, chat, place) => ({ text: chatPreferences(ports, chat, place) }),
  },
}

const json = { ending: 'ramify.json', mediaType: 'application/json' }

/**
 * A chat as a file. Ramify's own format holds all of it; the others can hold one branch, and leave parts out.
 *
 * @throws NotFoundError for a missing or another person's chat or branch; InvalidRequestError for a part of a
 * chat as JSON
 */
export async function exportChat(ports: Uses, wish: Wish): Promise<ExportedFile> {
  const { format } = wish
  if (format === 'json') {
    checkWhole(wish)
    const source = await chatSource(ports, wish)
    const name = `${slug(titleIn(source.events) ?? '')}.${json.ending}`
    return { name, mediaType: json.mediaType, content: chatFileText(source) }
  }
  const { name, written } = await writtenChat(ports, { ...wish, format })
  const { ending, mediaType } = formats[format]
  const content = 'text' in written ? written.text : zipped(written.entries)
  return { name: `${name}.${ending}`, mediaType, content }
}

function checkWhole({ branch, without = [] }: Pick<Wish, 'branch' | 'without'>): void {
  if (branch === undefined && without.length === 0) return
  throw new InvalidRequestError(
    'JSON holds the whole chat, so that it can be restored. Leave nothing out and name no branch, or choose another format.',
    'whole_chat_only',
  )
}

async function writtenChat(
  ports: Uses,
  { format, ...wish }: Wish & { format: keyof typeof formats },
): Promise<{ title: string; name: string; written: Written }> {
  const { ownerId, chatId, branch } = wish
  const chat = await readableChat(ports, wish)
  const { title, branchId, sections } = chat
  const name = slug(branch === undefined ? title : `${title} ${sections[0]?.title ?? ''}`)
  const only = branch === undefined ? undefined : branchId
  return { title, name, written: formats[format].write(ports, chat, { ownerId, chatId, name, only }) }
}

/** The writing begins with the reading, so that a file costs nothing until it is read. */
async function* zipped(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  yield* zipStream(entries)
}

/** Chats whose keys are read at once. */
const PAGE = 100

/**
 * Many chats as the entries of an archive: each chat as a file, each content once, and at the end of files of ours what the
 * archive holds. One chat is read at a time.
 *
 * @param wish.picked everything a person has unless given
 */
export async function* exportAll(
  ports: Uses & Pick<Ports, 'clock'>,
  {
    ownerId,
    picked,
    format = 'json',
    without,
  }: Pick<Wish, 'ownerId' | 'without'> & { picked?: PickedChats | undefined; format?: ExportFormat },
): AsyncGenerator<ArchiveEntry> {
  const chats: { id: ChatId; title: string | null; entry: string }[] = []
  const files = new Map<string, string>()
  if (format === 'json') checkWhole({ without })
  for await (const chatId of chatsOf(ports, ownerId, picked)) {
    const entryOf = (name: string) => `chats/${String(chats.length + 1).padStart(6, '0')}-${name}`
    if (format !== 'json') {
      const found = await unlessGone(writtenChat(ports, { ownerId, chatId, format, without }))
      if (!found) continue
      const { title, name, written } = found
      const entry = entryOf(name)
      chats.push({ id: chatId, title, entry })
      const path = `${entry}.${formats[format].ending}`
      if ('text' in written) yield { path, content: written.text }
      else if (!written.isFolder) yield { path, content: zipped(written.entries) }
      else for await (const { path, content } of written.entries) yield { path: `${entry}/${path}`, content }
      continue
    }
    const source = await unlessGone(chatSource(ports, { ownerId, chatId }))
    if (!source) continue
    for (const file of source.files) {
      if (files.has(file.sha256)) continue
      const path = `files/${file.sha256}${fileEnding(file)}`
      files.set(file.sha256, path)
      yield { path, content: source.pieces(file) }
    }
    const title = titleIn(source.events)
    const entry = `${entryOf(slug(title ?? ''))}.${json.ending}`
    chats.push({ id: source.called, title, entry })
    yield { path: entry, content: chatFileText(source, ({ sha256 }) => files.get(sha256) ?? '') }
  }
  if (format !== 'json') return
  const manifest = {
    format: 'ramify.export',
    version: 1,
    exportedAt: new Date(ports.clock()).toISOString(),
    chats,
    files: [...files].map(([sha256, entry]) => ({ sha256, entry })),
  }
  yield { path: 'manifest.json', content: inOnePiece(`${JSON.stringify(manifest, null, 2)}\n`) }
}

/** The keys of the picked chats, in the order in which they were begun. */
async function* chatsOf(
  { exports }: Pick<Ports, 'exports'>,
  ownerId: UserId,
  picked: PickedChats | undefined,
): AsyncGenerator<ChatId> {
  for (let after: { id: ChatId; createdAt: string } | null = null; ; ) {
    const page: { id: ChatId; createdAt: string }[] = await exports.chatsOf(ownerId, {
      after,
      limit: PAGE,
      picked: picked && keyedPick(picked),
    })
    for (const { id } of page) yield id
    after = page.at(-1) ?? null
    if (page.length < PAGE) return
  }
}

/** Undefined for a chat that was deleted meanwhile. */
const unlessGone = <Found>(reading: Promise<Found>): Promise<Found | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined
    throw error
  })

/** The title of a chat as its log says it. */
function titleIn(events: readonly LoggedEvent[]): string | null {
  const renamed = events.findLast(({ type }) => type === 'ChatRenamed')
  return renamed?.type === 'ChatRenamed' ? renamed.payload.title : null
}
