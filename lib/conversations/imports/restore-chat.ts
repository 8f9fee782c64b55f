import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { v5 } from 'uuid'
import {
  BrokenHistoryError,
  type Change,
  canonicalJson,
  InvalidDataError,
  jsonEqual,
  NameTakenError,
  NotFoundError,
  planRestore,
  type RestoredEvent,
  type RestoredMessage,
  type Step,
} from '@/lib/context'
import {
  type BranchId,
  type ChatId,
  type LoggedEvent,
  type MessageId,
  recordedMessage,
  type UserId,
} from '@/lib/events'
import type { ChatFile } from '@/lib/protocol'
import { keepAsBefore } from '../chats/kept-chat'
import { InvalidRequestError } from '../errors'
import { refsOf } from '../exports/chat-file'
import { storeFile } from '../files/store-file'
import type { Ports } from '../ports'
import { withToolsAsking } from './lower-permissions'
import {
  bytesOf,
  checkRefs,
  type RestoredIds,
  restoredContexts,
  restoredLog,
  restoredMessages,
} from './read-chat-file'

/** Bytes of messages that are written together. */
const PART_BYTES = 2 * 1024 * 1024

/** Outcome of a restored file. */
export interface RestoredChat {
  /** the owner's id for the chat */
  chatId: ChatId
  /**
   * `restored`: the chat was not there; `continued`: the stored chat was a beginning of it; `unchanged`: the
   * stored chat holds all of it; `copied`: under new ids, beside a chat of the same id that went another way
   */
  outcome: 'restored' | 'continued' | 'unchanged' | 'copied'
  messages: { found: number; added: number }
  /** tools ran without asking at the file's origin; here they ask first */
  lowered: boolean
}

interface Restoring {
  ownerId: UserId
  /** as `readChatFile` gave it */
  file: ChatFile
  /** the entry of the zip that the file came in */
  open?: (entry: string) => Promise<Buffer | null>
}

type Uses = Pick<Ports, 'imports' | 'store' | 'reads' | 'files' | 'summaries' | 'listed' | 'clock' | 'newId'>

/**
 * Makes a chat of its file: the same messages, branches, checkpoints, contexts and log under the same ids and
 * dates. A long chat is written in several changes; after a crash the same file continues behind the last
 * one. The same file again changes nothing, and a later export adds its new part. When another person's chat
 * has the id, the chat gets its own key, which its owner never sees. Tools that ran without asking ask first:
 * permissions are never taken from a file.
 *
 * @throws InvalidRequestError for a file that contradicts itself: then nothing is written but files without a
 * chat, which
 * are deleted after a day. QuotaExceededError: earlier writes stay
 */
export async function restoreChat(ports: Uses, { ownerId, file, open }: Restoring): Promise<RestoredChat> {
  const as = (ids: Naming) => restoreAs(ports, { ownerId, file, ...(open && { open }) }, ids)
  const own = await as({ called: file.chat.id, branch: (id) => id })
  if (own) return own
  // the chat of this id went another way: the file makes its own chat, the same one each time
  const space = v5(await digestOf(file), v5.URL)
  const copy = await as({ called: v5(file.chat.id, space), branch: (id) => v5(id, space) })
  if (!copy)
    throw new InvalidRequestError('A chat of this file has gone another way here.', 'invalid_chat_file')
  return copy.outcome === 'restored' ? { ...copy, outcome: 'copied' } : copy
}

/** The hash of the file's `canonicalJson`, without a text of all of it. */
async function digestOf(file: ChatFile): Promise<string> {
  const hash = createHash('sha256')
  for (const [at, key] of (Object.keys(file) as (keyof ChatFile)[]).sort().entries()) {
    hash.update(`${at === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    const value = file[key]
    if (!Array.isArray(value)) {
      hash.update(canonicalJson(value))
      continue
    }
    hash.update('[')
    for (const [place, entry] of value.entries()) {
      hash.update(`${place === 0 ? '' : ','}${canonicalJson(entry)}`)
      if (place % 100 === 99) await setImmediate()
    }
    hash.update(']')
  }
  return hash.update('}').digest('hex')
}

/** The owner's id for the chat, and the ids of its branches. */
interface Naming {
  called: ChatId
  branch(id: BranchId): BranchId
}

/** Restores a chat under some ids; undefined when another chat or branch of the owner has them. */
async function restoreAs(
  ports: Uses,
  restoring: Restoring,
  { called, branch }: Naming,
): Promise<RestoredChat | undefined> {
  const { ownerId } = restoring
  const file = withToolsAsking(restoring.file)
  const standing = await ports.reads.calledState(called, ownerId)
  const key = standing.chat === 'own' ? standing.chatId : standing.chat === 'unknown' ? called : ports.newId()
  const bytes = await checkedFiles(restoring)
  // planned once before its files are stored: a file that contradicts itself leaves nothing
  const before = await storedIds(ports, ownerId, file)
  const ids = { chatId: key, branch, files: new Map(file.files.map(({ id }) => [id, before.get(id) ?? id])) }
  const stored = standing.chat === 'own' ? await ports.store.getEvents(key) : []
  await plan({ ownerId, file, called, ids, stored: [] })
  if (stored.length > 0) {
    const messages = await ports.store.getMessages(key)
    const found = restoredMessages(file, ids)
    const isSame = messages.every((message) => isSameMessage(found.get(message.id), message))
    const isOf = (file: ChatFile) => isSame && isBeginning(stored, restoredLog(file, ids), found)
    const isWhole = stored.length >= (file.history.at(-1)?.seq ?? 0)
    // a complete stored chat takes nothing from the file: its person's permissions stay
    const isHere = isWhole && (isOf(file) || isOf(restoring.file))
    if (!isHere && !isOf(file)) return undefined
    if (isHere) {
      await keepSummaries(ports, key, file)
      return {
        chatId: called,
        outcome: 'unchanged',
        lowered: false,
        messages: { found: found.size, added: 0 },
      }
    }
  }
  const files = await storedFiles(ports, ownerId, file, bytes)
  const { create, steps } = await plan({ ownerId, file, called, ids: { ...ids, files }, stored })
  const change = { chatId: key, ownerId, at: Date.parse(file.chat.updatedAt) }
  let expectedSeq = stored.length
  try {
    let first: Partial<Change> | undefined = { contexts: restoredContexts(file), ...(create && { create }) }
    for (const some of inParts(steps, ports.imports.batch)) {
      const part: Change = { ...change, ...first, expectedSeq, steps: some }
      const committed =
        part.create && key !== called
          ? await ports.store.commitCalled({ ...part, create: part.create }, called)
          : await ports.store.commit(part)
      expectedSeq = committed.seq
      first = undefined
      // the embedded database answers before anything else of the process has its turn
      await setImmediate()
    }
  } catch (error) {
    // a branch of another chat of the owner has its id, or a chat of this id was begun meanwhile
    if (error instanceof NameTakenError) return undefined
    throw said(error)
  }
  await keepSummaries(ports, key, file)
  if (create) await keepAsBefore(ports, { ownerId, chatId: called }, file.chat)
  const added = steps.reduce((sum, step) => sum + (step.kind === 'append' ? step.messages.length : 0), 0)
  const outcome = create ? 'restored' : 'continued'
  const lowered = file !== restoring.file
  return { chatId: called, outcome, lowered, messages: { found: file.messages.length, added } }
}

/**
 * Steps that are written together: so many messages, or so many bytes of them. The process and the embedded database answer
 * nothing else while they write some. There is one part at least.
 */
function* inParts(steps: readonly Step[], most: number): Generator<Step[]> {
  let part: Step[] = []
  let [count, bytes] = [0, 0]
  const isFull = () => count >= most || bytes >= PART_BYTES
  const taken = () => {
    const full = part
    part = []
    ;[count, bytes] = [0, 0]
    return full
  }
  for (const step of steps) {
    if (step.kind !== 'append') {
      part.push(step)
      count += 1
    } else {
      // a line continues behind its last written message
      let { expectedHead, contextId, messages: line, ...same } = step
      let written: typeof step | undefined
      for (const message of line) {
        if (!written) {
          written = { ...same, ...(contextId !== undefined && { contextId }), expectedHead, messages: [] }
          part.push(written)
          contextId = undefined
        }
        written.messages.push(message)
        expectedHead = message.id
        count += 1
        bytes += JSON.stringify(message.data).length
        if (!isFull()) continue
        yield taken()
        written = undefined
      }
    }
    if (isFull()) yield taken()
  }
  if (part.length > 0 || steps.length === 0) yield taken()
}

async function plan({
  ownerId,
  file,
  called,
  ids,
  stored,
}: {
  ownerId: UserId
  file: ChatFile
  called: ChatId
  ids: RestoredIds
  stored: readonly LoggedEvent[]
}) {
  try {
    const log = restoredLog(file, ids)
    const planning = planRestore({
      chatId: ids.chatId,
      userId: ownerId,
      log,
      messages: restoredMessages(file, ids),
      stored,
    })
    let planned = planning.next()
    for (; !planned.done; planned = planning.next()) await setImmediate()
    const made = planned.value
    const named = called === file.chat.id ? file : withNames(file, called, ids)
    checkRefs(named, refsOf(made.state, called))
    return made
  } catch (error) {
    throw said(error)
  }
}

/** The file with other ids of its chat and its branches. */
const withNames = (file: ChatFile, called: ChatId, { branch }: RestoredIds): ChatFile => ({
  ...file,
  chat: { ...file.chat, id: called, activeBranchId: branch(file.chat.activeBranchId) },
  branches: file.branches.map(({ id, parentBranchId, ...rest }) => ({
    id: branch(id),
    ...rest,
    ...(parentBranchId !== undefined && { parentBranchId: branch(parentBranchId) }),
  })),
})

/** The person's error for a log that the store refuses. */
function said(error: unknown): unknown {
  if (!(error instanceof BrokenHistoryError || error instanceof InvalidDataError)) return error
  return new InvalidRequestError(
    `The file of this chat contradicts itself: ${error.message}. Nothing of it was restored.`,
    'invalid_chat_file',
  )
}

/** True when events are the first ones of a log, or all of it and more. */
function isBeginning(
  stored: readonly LoggedEvent[],
  log: readonly RestoredEvent[],
  messages: ReadonlyMap<MessageId, RestoredMessage>,
): boolean {
  const bySeq = new Map(log.map((event) => [event.seq, event]))
  const last = (log.at(-1)?.seq ?? 0) + 1
  return stored.every((event) => {
    if (event.seq > last || event.type === 'CheckpointCreated') return true
    const other = bySeq.get(event.seq)
    if (!other) return event.seq === last
    if (other.at !== event.createdAt) return false
    if (other.messageId === undefined) return sameFact(event, other)
    return (
      other.branchId === event.streamId &&
      messages.has(other.messageId) &&
      recordedMessage(event) === other.messageId
    )
  })
}

function sameFact(event: LoggedEvent, other: Exclude<RestoredEvent, { branchId: BranchId }>): boolean {
  if (event.type !== other.type || event.streamId !== other.streamId) return false
  // the ids of checkpoints came to events later
  const isOld = event.type === 'CheckpointSaved' && event.payload.checkpoint_id === null
  const payload =
    isOld && other.type === 'CheckpointSaved' ? { ...other.payload, checkpoint_id: null } : other.payload
  return jsonEqual(event.payload, payload)
}

/** Messages that the chat has beyond the file were written after it. */
const isSameMessage = (
  found: RestoredMessage | undefined,
  stored: { parentId: MessageId | null; data: unknown },
): boolean =>
  found === undefined || (found.parentId === stored.parentId && jsonEqual(found.data, stored.data))

async function checkedFiles({ file, open }: Restoring): Promise<ReadonlyMap<string, () => Promise<Buffer>>> {
  const bytes = new Map<string, () => Promise<Buffer>>()
  for (const attached of file.files) {
    // looked into now, read again when it is stored: only one is held at a time
    await bytesOf(attached, open)
    bytes.set(attached.id, () => bytesOf(attached, open))
  }
  return bytes
}

/** The ids of an export's files whose content the owner has already. */
async function storedIds(ports: Uses, ownerId: UserId, file: ChatFile): Promise<ReadonlyMap<string, string>> {
  const known = await ports.files.ofContent(
    ownerId,
    file.files.map(({ sha256 }) => sha256),
  )
  const byContent = new Map(known.map(({ sha256, id }) => [sha256, id]))
  return new Map(
    file.files.flatMap(({ id, sha256 }) => {
      const stored = byContent.get(sha256)
      return stored === undefined ? [] : [[id, stored]]
    }),
  )
}

async function storedFiles(
  ports: Uses,
  ownerId: UserId,
  file: ChatFile,
  bytes: ReadonlyMap<string, () => Promise<Buffer>>,
): Promise<ReadonlyMap<string, string>> {
  const stored = new Map<string, string>()
  for (const { id, name } of file.files) {
    const content = await bytes.get(id)?.()
    const made = content && (await storeFile(ports, { ownerId, name, bytes: content, id }))
    if (!made) throw new NotFoundError('file', id)
    stored.set(id, made.id)
  }
  return stored
}

async function keepSummaries({ summaries }: Uses, chatId: ChatId, file: ChatFile): Promise<void> {
  for (const summary of file.summaries) await summaries.save(chatId, summary)
}
