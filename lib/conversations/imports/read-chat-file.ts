import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  BrokenHistoryError,
  type ContextData,
  checkData,
  jsonEqual,
  messagePreview,
  type RestoredEvent,
  type RestoredMessage,
} from '@/lib/context'
import { type BranchId, type ChatId, type Fact, isEventType, type MessageId, payloads } from '@/lib/events'
import type { ChatFile, ChatFileAttachment, ChatFileEvent, ChatFileMessage } from '@/lib/protocol'
import { CHAT_FORMAT, CHAT_FORMAT_VERSION, chatFile } from '@/lib/protocol/chat-file'
import { fileIdOf, fileUrl } from '@/lib/protocol/file-types'
import { InvalidRequestError } from '../errors'
import { contextOf } from '../turns/context-value'
import { fileIdsOf } from '../turns/user-message'
import { membersOf } from './chat-file-members'
import { contextKeys } from './lower-permissions'
import type { UnpackedContents } from './unpacked-contents'

/** Refuses a file that cannot be restored; `message` names its fault. */
const refused = (what: string) => new InvalidRequestError(what, 'invalid_chat_file')

const damaged = (what: string) => refused(`The file of this chat is damaged: ${what}.`)

const { format, version, chat, ...lists } = chatFile.shape
const single: ReadonlyMap<string, z.ZodType> = new Map(Object.entries({ format, version, chat }))
const elements: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(lists).map(([key, list]) => [key, list.element]),
)

/**
 * A chat's file, checked: its form, its contexts against their names, and the references between its parts.
 * It is read within limits, and other work of the process has its turn meanwhile.
 *
 * @param text its bytes, as they come
 * @param contents takes the contents of its files, which are then entries of it; without it they stay in
 * memory
 * @throws InvalidRequestError
 */
export async function readChatFile(
  text: AsyncIterable<Buffer> | Iterable<Buffer>,
  contents?: UnpackedContents,
): Promise<ChatFile> {
  const file: Record<string, unknown> = {}
  const found = new Map<string, unknown[]>([...elements.keys()].map((key) => [key, []]))
  for await (const { key, isElement, unpacked, ...member } of membersOf(text, contents)) {
    const value = unpacked.length === 0 ? member.value : unpackedFile(member.value, unpacked)
    if (key === 'format' ? value !== CHAT_FORMAT : file.format === undefined)
      throw refused('This is no chat that Ramify has exported.')
    if (key === 'version') checkVersion(value)
    const list = isElement ? found.get(key) : undefined
    const read = entryOf(list ? `${key}.${list.length}` : key, (list ? elements : single).get(key), value)
    if (list) list.push(read)
    else if (Object.hasOwn(file, key)) throw damaged(`"${key}" stands twice in it`)
    else file[key] = read
    if (list && key === 'messages') checkBody(read as ChatFileMessage)
    if (list && key === 'contexts') checkContext(read as ChatFile['contexts'][number])
  }
  if (file.format === undefined) throw refused('This is no chat that Ramify has exported.')
  for (const key of single.keys()) if (!Object.hasOwn(file, key)) throw damaged(`it has no "${key}"`)
  // each entry was looked into as its schema says
  const whole = { ...file, ...Object.fromEntries(found) } as unknown as ChatFile
  checkIds(whole)
  return whole
}

/** An attached file whose content was unpacked: it names it as an entry. No other text of it is long. */
function unpackedFile(value: unknown, [entry, ...others]: readonly string[]): unknown {
  const { content, ...rest } = value as Partial<ChatFileAttachment>
  if (content !== '' || others.length > 0)
    throw damaged('an entry under "files" has a long text that is no content')
  return { ...rest, entry }
}

/** Parses an entry of the file; the first wrong one ends the reading. */
function entryOf(place: string, schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) throw damaged(`"${place}" has no place in it`)
  try {
    checkData(value)
  } catch (error) {
    throw refused(`The file of this chat cannot be stored: ${error instanceof Error ? error.message : ''}.`)
  }
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw damaged(`${[place, ...(issue?.path ?? [])].join('.')} is not what it should be (${issue?.message})`)
}

function checkVersion(version: unknown): void {
  if (typeof version === 'number' && version > CHAT_FORMAT_VERSION) {
    throw refused(
      `This chat was exported by a later version of Ramify (format ${version}). Update this server, or export it again from here.`,
    )
  }
}

function checkContext({ id, fragments, model, setup }: ChatFile['contexts'][number]): void {
  if (contextOf({ fragments, model, setup: setup ?? null }).id !== id)
    throw damaged(`the context "${id.slice(0, 12)}…" does not have the content of its name`)
}

/** Each list names its things once, and only contexts that are there. */
function checkIds({ contexts, branches, messages, files, summaries }: ChatFile): void {
  for (const [what, list] of Object.entries({ contexts, branches, messages, files })) {
    const ids = new Set<string>()
    for (const { id } of list as readonly { id: string }[]) {
      if (ids.has(id)) throw damaged(`"${id}" stands twice under "${what}"`)
      ids.add(id)
    }
  }
  const known = new Set<string>(contexts.map(({ id }) => id))
  for (const { id, contextId } of [...messages, ...branches]) {
    if (contextId != null && !known.has(contextId)) {
      throw damaged(`"${id}" names a context that is not in it`)
    }
  }
  const said = new Set<string>(messages.map(({ id }) => id))
  const lost = summaries.find(({ messageId }) => !said.has(messageId))
  if (lost) throw damaged('a summary stands at a message that is not in it')
}

const text = z.string()
const toolPart = z.looseObject({ toolCallId: text, state: text })
const otherPart = z.looseObject({ type: text })

/** Fields of each part type that the page and the prompt rely on. */
const parts: Readonly<Record<string, z.ZodType>> = {
  text: z.looseObject({ text }),
  reasoning: z.looseObject({ text }),
  file: z.looseObject({ url: text, mediaType: text }),
  'source-url': z.looseObject({ url: text }),
  'dynamic-tool': toolPart.extend({ toolName: text }),
}

/** A body in another form than a UI message is a library caller's own, and shown as its text. */
export function checkBody({ id, data }: Pick<ChatFileMessage, 'id' | 'data'>): void {
  const unreadable = () => damaged(`message "${id}" has a body that cannot be read`)
  if (data === null || data === undefined) throw unreadable()
  if (typeof data !== 'object' || !('parts' in data)) return
  if ('metadata' in data && (typeof data.metadata !== 'object' || Array.isArray(data.metadata)))
    throw unreadable()
  if (!Array.isArray(data.parts)) throw unreadable()
  for (const part of data.parts as unknown[]) {
    const read = otherPart.safeParse(part)
    if (!read.success) throw unreadable()
    const { type } = read.data
    const form = type.startsWith('tool-') ? toolPart : Object.hasOwn(parts, type) ? parts[type] : undefined
    if (form && !form.safeParse(part).success) throw unreadable()
  }
}

/** New ids of a file's entries under which it is restored. */
export interface RestoredIds {
  /** the chat's key */
  chatId: ChatId
  branch(id: BranchId): BranchId
  /** ids of stored files by their ids in the file */
  files: ReadonlyMap<string, string>
}

/** The messages of a file as they are stored, by id. */
export function restoredMessages(file: ChatFile, { files }: RestoredIds): Map<MessageId, RestoredMessage> {
  const held = new Set(files.values())
  return new Map(file.messages.map((message) => [message.id, restoredMessage(message, files, held)]))
}

function restoredMessage(
  { role, model, usage, imported, createdAt, data, id, ...message }: ChatFileMessage,
  files: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
): RestoredMessage {
  const stored = withFiles(data, files)
  const held = [...new Set(fileIdsOf(stored as never))].filter((file) => known.has(file))
  const told = model !== undefined || usage !== undefined || imported
  return {
    ...message,
    id,
    name: role,
    data: stored,
    preview: messagePreview(stored),
    createdAt: Date.parse(createdAt),
    ...(told && { reply: { model: model ?? null, usage: usage ?? null, ...(imported && { imported }) } }),
    ...(held.length > 0 && { files: held }),
  } as RestoredMessage
}

/** A message whose files have the ids that they are stored under. */
export function withFiles(data: unknown, files: ReadonlyMap<string, string>): unknown {
  if (typeof data !== 'object' || data === null || !('parts' in data) || !Array.isArray(data.parts))
    return data
  const parts = data.parts.map((part: unknown) => {
    if (typeof part !== 'object' || part === null || !('url' in part)) return part
    const stored = files.get(fileIdOf(part.url) ?? '')
    return stored === undefined ? part : { ...part, url: fileUrl(stored) }
  })
  return { ...data, parts }
}

/**
 * The log of a file, with the ids under which it is restored.
 *
 * @throws BrokenHistoryError for an event of an unknown type, or with missing fields
 */
export function restoredLog(file: ChatFile, ids: RestoredIds): RestoredEvent[] {
  const contexts = new Set<string>(file.contexts.map(({ id }) => id))
  return file.history.map((event) => restoredEvent(event, ids, contexts))
}

function restoredEvent(
  event: ChatFileEvent,
  { chatId, branch }: RestoredIds,
  contexts: ReadonlySet<string>,
): RestoredEvent {
  const place = { seq: event.seq, at: Date.parse(event.at) }
  if ('messageId' in event) return { ...place, branchId: branch(event.branchId), messageId: event.messageId }
  const { type, branchId } = event
  if (!isEventType(type)) throw new BrokenHistoryError(`Event ${event.seq} has the unknown type "${type}"`)
  const read = payloads[type].safeParse(event.payload)
  if (!read.success) throw new BrokenHistoryError(`Event ${event.seq} is no ${type}`)
  const payload: Record<string, unknown> = { ...read.data }
  for (const key of branchKeys) if (typeof payload[key] === 'string') payload[key] = branch(payload[key])
  for (const key of contextKeys) {
    const id = payload[key]
    if (typeof id === 'string' && !contexts.has(id)) {
      throw new BrokenHistoryError(`Event ${event.seq} names a context that is not in the file`)
    }
  }
  const streamId = branchId === undefined ? chatId : branch(branchId)
  return { ...place, ...({ streamId, type, payload } as Fact) }
}

/** Keys under which payloads name branches. */
const branchKeys = [
  'thread_id',
  'branch_id',
  'from_branch_id',
  'parent_thread_id',
  'source_thread_id',
] as const

/** A context as it is stored. */
export const restoredContexts = ({ contexts }: ChatFile): ContextData[] =>
  contexts.map(({ id, fragments, model, setup }) => ({ id, fragments, model, setup: setup ?? null }))

/**
 * The bytes of a file, checked against its size and hash.
 *
 * @param open the entry of a zip
 */
export async function bytesOf(
  { name, size, sha256, content, entry }: ChatFileAttachment,
  open?: (entry: string) => Promise<Buffer | null>,
): Promise<Buffer> {
  const bytes =
    content !== undefined
      ? Buffer.from(content, 'base64')
      : entry === undefined
        ? null
        : ((await open?.(entry)) ?? null)
  if (!bytes) throw refused(`The file “${name}” is missing from this export.`)
  if (bytes.length !== size || createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw refused(
      `The file “${name}” is damaged in this export: its content is another than the one that was exported.`,
    )
  }
  return bytes
}

/** Checks that the file's refs follow from its log. */
export function checkRefs(
  file: ChatFile,
  following: Pick<ChatFile, 'chat' | 'branches' | 'checkpoints'>,
): void {
  const { pinned, archived, tags, ...chat } = file.chat
  const told = { chat, branches: file.branches, checkpoints: file.checkpoints }
  for (const part of ['chat', 'branches', 'checkpoints'] as const) {
    if (!jsonEqual(told[part], following[part])) {
      throw refused(`The file of this chat contradicts itself: its ${part} are not what its history says.`)
    }
  }
}
