import { setImmediate } from 'node:timers/promises'
import { canonicalJson, type MessageData } from '@/lib/context'
import type { MessageId, UserId } from '@/lib/events'
import { withFiles } from '../imports/read-chat-file'
import type { FileFacts, Ports } from '../ports'
import { fileIdsOf } from '../turns/user-message'
import { outlined, type Place } from './coverage'
import type { ExchangedChat, StoredReply } from './exchange-port'
import { FILE_PIECE, lineHash, type PackedMessage, type PackLine } from './pack-lines'

/** Messages that are read at once. */
const PAGE = 200

type Uses = Pick<Ports, 'exchange' | 'files'>

/**
 * The pack of the messages that can be reached from `want` and not from `have`: lines of NDJSON without their
 * ends. Messages come in the order of their recording, so parents come first, each after the context and the
 * files that it names. Equal requests give equal lines, so a pack that was cut off continues behind its first
 * `after` lines. Messages are read page by page.
 *
 * @param asked.have unknown ids are ignored
 */
export async function* packLines(
  { exchange, files }: Uses,
  chat: ExchangedChat,
  {
    ownerId,
    want,
    have,
    after = 0,
  }: { ownerId: UserId; want: readonly Place[]; have: readonly Place[]; after?: number },
): AsyncGenerator<string> {
  const { reach, missing } = outlined(chat, 'all')
  const stretches = missing(reach(want), reach(have))
  const ids = stretches.length === 0 ? [] : await exchange.idsIn(chat.chatId, stretches)
  const hash = lineHash()
  let sent = 0
  const line = (entry: PackLine): string[] => {
    const text = JSON.stringify(entry)
    if (entry.t !== 'end') hash.add(text)
    sent += 1
    return sent > after ? [text] : []
  }
  const { called, origin, title } = chat
  yield* line({ t: 'pack', version: 1, chat_id: called, origin, title })
  const told = { contexts: new Set<string>(), files: new Set<string>() }
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE)
    const page = await readPage({ exchange, files }, chat, { ownerId, ids: some, told: told.contexts })
    for (const context of page.contexts) {
      told.contexts.add(context.id)
      const { id, fragments, model, setup } = context
      yield* line({
        t: 'context',
        id,
        fragments: fragments as unknown[],
        model,
        ...(setup && { setup: { ...setup } }),
      })
    }
    for (const message of page.messages) {
      for (const file of page.filesOf(message)) {
        if (told.files.has(file.sha256)) continue
        told.files.add(file.sha256)
        const { sha256, name, mediaType, size } = file
        yield* line({ t: 'file', sha256, name, mediaType, size })
        for await (const content of inPieces(files.pieces(file))) yield* line({ t: 'bytes', content })
      }
      yield* line(packed(message, page.names))
    }
    for (const summary of page.summaries) yield* line({ t: 'summary', ...summary })
    await setImmediate()
  }
  yield* line({ t: 'end', ...hash.end() })
}

type StoredMessage = MessageData & { reply: StoredReply | null }

async function readPage(
  { exchange, files }: Uses,
  { chatId }: ExchangedChat,
  { ownerId, ids, told }: { ownerId: UserId; ids: readonly MessageId[]; told: ReadonlySet<string> },
) {
  const [messages, summaries] = await Promise.all([
    exchange.messages(chatId, ids),
    exchange.summaries(chatId, ids),
  ])
  const named = new Set(
    messages.flatMap(({ contextId }) => (contextId === undefined || told.has(contextId) ? [] : [contextId])),
  )
  const held = [...new Set(messages.flatMap(({ data }) => fileIdsOf(data as never)))]
  const [contexts, facts] = await Promise.all([
    named.size === 0 ? [] : exchange.contexts(chatId, [...named].sort()),
    held.length === 0 ? [] : files.of(ownerId, held),
  ])
  const byId = new Map(facts.map((file) => [file.id, file]))
  return {
    messages,
    summaries,
    contexts,
    /** names of files in a pack: hashes of their content */
    names: new Map(facts.map(({ id, sha256 }) => [id, sha256])),
    filesOf: ({ data }: StoredMessage): FileFacts[] =>
      fileIdsOf(data as never).flatMap((id) => byId.get(id) ?? []),
  }
}

/** A message as it travels: without facts of one server alone. */
function packed(message: StoredMessage, files: ReadonlyMap<string, string>): PackedMessage {
  const { id, parentId, mergeParentId, copiedFromId, name, type, status, contextId, reply } = message
  return {
    t: 'message',
    id,
    parentId,
    ...(mergeParentId !== undefined && { mergeParentId }),
    ...(copiedFromId !== undefined && { copiedFromId }),
    role: name,
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(contextId !== undefined && { contextId }),
    ...(reply?.model != null && { model: reply.model }),
    ...(reply?.usage != null && { usage: reply.usage }),
    createdAt: new Date(message.createdAt).toISOString(),
    data: withFiles(message.data, files),
  }
}

/** A message as it is on every server that holds it: its place among others, its time and its body. */
export function objectOf(
  message: Omit<PackedMessage, 't' | 'contextId' | 'model' | 'usage' | 'imported'>,
): string {
  const { id, parentId, mergeParentId, copiedFromId, role, type, status, createdAt, data } = message
  return canonicalJson({ id, parentId, mergeParentId, copiedFromId, role, type, status, createdAt, data })
}

/** Stored messages as `objectOf` compares them. */
export async function storedObjects(
  { exchange, files }: Uses,
  chat: ExchangedChat,
  { ownerId, ids }: { ownerId: UserId; ids: readonly MessageId[] },
): Promise<Map<MessageId, string>> {
  const objects = new Map<MessageId, string>()
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE)
    const { messages, names } = await readPage({ exchange, files }, chat, {
      ownerId,
      ids: some,
      told: new Set(),
    })
    for (const message of messages) objects.set(message.id, objectOf(packed(message, names)))
  }
  return objects
}

/** Bytes in base64, so many in a line. */
async function* inPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    for (let at = 0; at < bytes.length; at += FILE_PIECE)
      yield bytes.subarray(at, at + FILE_PIECE).toString('base64')
  }
}
