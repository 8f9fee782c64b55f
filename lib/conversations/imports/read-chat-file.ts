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
import { contextKeys } from './lower-permissions'

/** A file that cannot be restored; `message` says what is wrong with it. */
const refused = (what: string) => new InvalidRequestError(what, 'invalid_chat_file')

/** Whether a value looks like a file of ours, of whatever version. */
const isChatFile = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'format' in value && value.format === CHAT_FORMAT

/**
 * The file of a chat, looked into: its form, its contexts against their names, and what its parts say of each other.
 *
 * @param value what its JSON is
 * @throws InvalidRequestError
 */
export function readChatFile(value: unknown): ChatFile {
  if (!isChatFile(value)) throw refused('This is no chat that Ramify has exported.')
  const { version } = value as { version?: unknown }
  if (typeof version === 'number' && version > CHAT_FORMAT_VERSION) {
    throw refused(
      `This chat was exported by a later version of Ramify (format ${version}). Update this server, or export it again from here.`,
    )
  }
  checkDepth(value)
  const read = chatFile.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    throw refused(
      `The file of this chat is damaged: ${issue?.path.join('.') || 'it'} is not what it should be (${issue?.message}).`,
    )
  }
  const file = read.data
  checkIds(file)
  for (const message of file.messages) checkBody(message)
  for (const { id, fragments, model, setup } of file.contexts) {
    if (contextOf({ fragments, model, setup: setup ?? null }).id !== id) {
      throw refused(
        `The file of this chat is damaged: the context "${id.slice(0, 12)}…" does not have the content of its name.`,
      )
    }
  }
  return file
}

/** Deeper than this nothing is stored; the file has its own levels around it. */
function checkDepth(value: unknown): void {
  try {
    checkData(value)
  } catch (error) {
    throw refused(`The file of this chat cannot be stored: ${error instanceof Error ? error.message : ''}.`)
  }
}

/** Each list names its things once, and only contexts that are there. */
function checkIds({ contexts, branches, messages, files, summaries }: ChatFile): void {
  for (const [what, list] of Object.entries({ contexts, branches, messages, files })) {
    const ids = new Set<string>()
    for (const { id } of list as readonly { id: string }[]) {
      if (ids.has(id))
        throw refused(`The file of this chat is damaged: "${id}" stands twice under "${what}".`)
      ids.add(id)
    }
  }
  const known = new Set<string>(contexts.map(({ id }) => id))
  for (const { id, contextId } of [...messages, ...branches]) {
    if (contextId != null && !known.has(contextId)) {
      throw refused(`The file of this chat is damaged: "${id}" names a context that is not in it.`)
    }
  }
  const said = new Set<string>(messages.map(({ id }) => id))
  const lost = summaries.find(({ messageId }) => !said.has(messageId))
  if (lost)
    throw refused('The file of this chat is damaged: a summary stands at a message that is not in it.')
}

const text = z.string()
const toolPart = z.looseObject({ toolCallId: text, state: text })
const otherPart = z.looseObject({ type: text })

/** What the page and the prompt take for granted of a part of each type. */
const parts: Readonly<Record<string, z.ZodType>> = {
  ...{ text: z.looseObject({ text }), reasoning: z.looseObject({ text }) },
  ...{ file: z.looseObject({ url: text, mediaType: text }), 'source-url': z.looseObject({ url: text }) },
  'dynamic-tool': toolPart.extend({ toolName: text }),
}

/** A body in another form than a UI message is a library caller's own, and shown as its text. */
function checkBody({ id, data }: ChatFileMessage): void {
  const damaged = () =>
    refused(`The file of this chat is damaged: message "${id}" has a body that cannot be read.`)
  if (data === null || data === undefined) throw damaged()
  if (typeof data !== 'object' || !('parts' in data)) return
  if ('metadata' in data && (typeof data.metadata !== 'object' || Array.isArray(data.metadata)))
    throw damaged()
  if (!Array.isArray(data.parts)) throw damaged()
  for (const part of data.parts as unknown[]) {
    const read = otherPart.safeParse(part)
    if (!read.success) throw damaged()
    const { type } = read.data
    const form = type.startsWith('tool-') ? toolPart : Object.hasOwn(parts, type) ? parts[type] : undefined
    if (form && !form.safeParse(part).success) throw damaged()
  }
}

/** The ids that things of a file have in the place where it is restored. */
export interface RestoredIds {
  /** the chat's key */
  chatId: ChatId
  branch(id: BranchId): BranchId
  /** ids of stored files by those of the file */
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
    ...{ id, name: role, data: stored, preview: messagePreview(stored), createdAt: Date.parse(createdAt) },
    ...(told && { reply: { model: model ?? null, usage: usage ?? null, ...(imported && { imported }) } }),
    ...(held.length > 0 && { files: held }),
  } as RestoredMessage
}

/** A message whose files have the ids that they are stored under. */
function withFiles(data: unknown, files: ReadonlyMap<string, string>): unknown {
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
 * The log of a file, with the ids of the place where it is restored.
 *
 * @throws BrokenHistoryError for an event of no known type, or without what its type has
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

/** Where payloads name branches. */
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
 * The bytes of a file, as large as it says and of the content that it says.
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

/** Whether what follows from the log is what the file says. */
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
