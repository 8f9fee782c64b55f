import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { UserId } from '@/lib/events'
import type { ChatFile, ImportPreview, PreviewedChat } from '@/lib/protocol'
import { BeyondPartError, type FilePart, type ForeignChat, UnreadableExportError } from '@/lib/transfer'
import { cutOff } from '@/lib/transfer/chat-limits'
import { InvalidRequestError } from '../errors'
import { fileName } from '../files/store-file'
import type { Ports } from '../ports'
import { contentDigest } from './content-digest'
import { choiceIdOf } from './import-choice'
import { checkNotEmpty } from './imports'
import { KnownChats } from './known-chats'
import type { ImportItem, OpenImport } from './open-import'
import { importedTitle } from './plan-chat'
import { readChatFile } from './read-chat-file'
import { UnpackedContents } from './unpacked-contents'

/** A preview reads so many chats of a file, and so many bytes of their text. The rest is imported unseen. */
const MOST = { chats: 5000, bytes: 64 * 1024 * 1024 }
/** Chats that are looked up together, and bytes of the file that they are held with. */
const GROUP = { chats: 50, bytes: 4 * 1024 * 1024 }
/** Problems that are listed. */
const LISTED = 500

type Uses = Pick<Ports, 'importing' | 'imports' | 'reads'>

interface Previewed {
  ownerId: UserId
  /** the file's path on this server's disk; it may be deleted when this resolves */
  path: string
  name: string
  /** the part of the file at the path, when it is not the whole file */
  part?: FilePart
  signal?: AbortSignal
}

/**
 * The chats of a file as an import would bring them, without storing anything: read as an import reads them, up to a bound.
 *
 * @throws InvalidRequestError for a file that cannot be read
 */
export async function previewImport(
  ports: Uses,
  { ownerId, path: file, name: given, part, signal }: Previewed,
): Promise<ImportPreview> {
  const name = fileName(given)
  const { size } = await stat(file)
  checkNotEmpty(name, size)
  if (part && (part.length > size || part.from + size > part.size))
    throw new InvalidRequestError('“size”, “from” and “length” do not fit the bytes that were sent.')
  const facts = { file: name, size: part?.size ?? size }
  const none = { source: '', chats: [], problems: [], problem_count: 0 }
  try {
    const opened = await ports.importing.open(file, {
      name,
      ...(part && { part }),
      ...(signal && { signal }),
    })
    try {
      return { ...facts, source: opened.source, ...(await look(ports, { ownerId, opened, isPart: !!part })) }
    } finally {
      await opened.close()
    }
  } catch (error) {
    if (error instanceof BeyondPartError)
      return { ...facts, ...none, rest: true, ...(error.next !== undefined && { next: error.next }) }
    if (error instanceof UnreadableExportError)
      throw new InvalidRequestError(error.message, 'unreadable_file')
    throw error
  }
}

async function look(
  ports: Uses,
  { ownerId, opened, isPart }: { ownerId: UserId; opened: OpenImport; isPart: boolean },
): Promise<Pick<ImportPreview, 'chats' | 'problems' | 'problem_count' | 'rest'>> {
  const chats: PreviewedChat[] = []
  const problems: ImportPreview['problems'] = []
  let [bytes, held, count, rest] = [0, 0, 0, isPart]
  const tell = (chat: string, reasons: readonly string[]) => {
    count += reasons.length
    for (const reason of reasons.slice(0, LISTED - problems.length)) problems.push({ chat, reason })
  }
  let group: ImportItem[] = []
  const lookUp = async () => {
    const known = new KnownChats(ports.imports, ownerId, 'preview')
    await known.look(group)
    for (const item of group) {
      if ('problem' in item) tell(item.problem.chat, [item.problem.reason])
      if (!('chat' in item)) continue
      const found = known.of(item)
      const standing = !found ? 'new' : found.digest === contentDigest(item.chat) ? 'here' : 'changed'
      const chat = foreignFacts(item.chat)
      chats.push({ ...chat, id: choiceIdOf(item) ?? '', source: item.source, size: item.bytes, standing })
      tell(
        chat.title,
        item.chat.problems.filter((reason) => !isPart || reason !== cutOff),
      )
    }
    group = []
    held = 0
  }
  for await (const item of opened.items()) {
    if (chats.length + group.length >= MOST.chats || bytes > MOST.bytes) {
      rest = true
      break
    }
    if ('own' in item) {
      const own = await ownFacts(ports, { ownerId, item })
      if ('reason' in own) isPart || tell(item.title, [own.reason])
      else {
        chats.push(own)
        bytes += own.size
      }
      continue
    }
    // a part can cut a chat off, and in a zip it knows nothing yet of most files
    if (isPart && !('chat' in item)) continue
    if ('notes' in item) {
      await lookUp()
      for (const { chat, reason } of item.notes) tell(chat, [reason])
      continue
    }
    group.push(item)
    bytes += 'chat' in item ? item.bytes : 0
    held += 'chat' in item ? item.bytes : 0
    if (group.length >= GROUP.chats || held > GROUP.bytes) await lookUp()
  }
  await lookUp()
  return { chats, problems, problem_count: count, rest }
}

const instant = (time: number | undefined): string | null =>
  time !== undefined && Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : null

/** Branches are counted as an import makes them: one for each message without an answer, and those with a name. */
function foreignFacts(
  chat: ForeignChat,
): Pick<PreviewedChat, 'title' | 'messages' | 'branches' | 'from' | 'to'> {
  const heads = new Set(chat.messages.map(({ id }) => id))
  const times: number[] = []
  for (const { parentId, createdAt } of chat.messages) {
    if (parentId !== null) heads.delete(parentId)
    if (createdAt) times.push(createdAt.getTime())
  }
  for (const { headId } of chat.branches) heads.add(headId)
  if (chat.currentId !== null) heads.add(chat.currentId)
  const told = [chat.createdAt, chat.updatedAt].flatMap((time) => (time ? [time.getTime()] : []))
  const all = (times.length > 0 ? times : told).toSorted((one, other) => one - other)
  return {
    title: importedTitle(chat),
    messages: chat.counts.found - chat.counts.skipped,
    branches: heads.size,
    from: instant(all[0]),
    to: instant(all.at(-1)),
  }
}

/** A chat that Ramify has exported, or why it cannot be read. */
async function ownFacts(
  { reads }: Pick<Uses, 'reads'>,
  { ownerId, item }: { ownerId: UserId; item: Extract<ImportItem, { own: unknown }> },
): Promise<PreviewedChat | { reason: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ramify-preview-'))
  const contents = new UnpackedContents(path.join(folder, 'contents'))
  let size = 0
  try {
    const { text } = await item.own()
    const counted = async function* () {
      for await (const piece of text) {
        size += piece.length
        yield piece
      }
    }
    const file: ChatFile = await readChatFile(counted(), contents)
    const { chat, messages, branches } = file
    const standing = await reads.calledState(chat.id, ownerId)
    const isWhole =
      standing.chat === 'own' &&
      (await reads.isLong(standing.chatId, ownerId, (file.history.at(-1)?.seq ?? 0) - 1))
    return {
      id: choiceIdOf(item) ?? '',
      title: chat.title ?? 'Untitled',
      source: 'ramify',
      messages: messages.length,
      branches: branches.length,
      size,
      from: chat.createdAt,
      to: chat.updatedAt,
      standing: standing.chat !== 'own' ? 'new' : isWhole ? 'here' : 'changed',
    }
  } catch (error) {
    if (error instanceof InvalidRequestError || error instanceof UnreadableExportError)
      return { reason: error.message }
    throw error
  } finally {
    await contents.close()
    await rm(folder, { recursive: true, force: true })
  }
}
