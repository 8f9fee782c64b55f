import { type ContextData, canonicalJson, type MessageData } from '@/lib/context'
import { type ChatId, type ChatState, fold, type LoggedEvent, noChat, threadAt } from '@/lib/events'
import type { ChatFile, ChatFileEvent, ChatFileMessage, ChatFileRefs } from '@/lib/protocol'
import { CHAT_FORMAT, CHAT_FORMAT_VERSION } from '@/lib/protocol/chat-file'
import type { KeptChat } from '../chats/kept-chat'
import type { FileFacts, Summary } from '../ports'

/** Everything that a file of a chat is made from. */
export interface ChatSource {
  /** the owner's id for it */
  called: ChatId
  events: readonly LoggedEvent[]
  contexts: readonly ContextData[]
  /** ids by name, for events that do not say them */
  checkpointIds: Readonly<Record<string, string>>
  summaries: readonly (Summary & { model: string })[]
  files: readonly FileFacts[]
  kept: KeptChat
  /** in the order of the log; may be read more than once */
  messages(): AsyncIterable<MessageData>
  pieces(file: FileFacts): AsyncIterable<Uint8Array>
}

/**
 * A chat as the text of its file: keys in a fixed order and one line for each thing, so equal chats have equal files. Messages
 * and files are read as the text is, none is held.
 *
 * @param entryOf where a zip holds a file; without it the text holds the bytes, in base64
 */
export async function* chatFileText(
  source: ChatSource,
  entryOf?: (file: FileFacts) => string,
): AsyncGenerator<string> {
  const { events, files } = source
  const log = withCheckpointIds(source)
  const state = stateOf(log)
  const { chat, branches, checkpoints } = refsOf(state, source.called)
  const { pinned, archived, tags = [] } = source.kept
  const kept = {
    ...(pinned && { pinned }),
    ...(archived && { archived }),
    ...(tags.length > 0 && { tags }),
  }
  yield `{\n"format": ${JSON.stringify(CHAT_FORMAT)},\n"version": ${CHAT_FORMAT_VERSION},\n"chat": ${JSON.stringify({ ...chat, ...kept })}`
  yield* section('contexts', source.contexts.map(contextEntry))
  yield* section('branches', branches)
  yield* section('checkpoints', checkpoints)
  yield* section('messages', messageEntries(source.messages(), events))
  const known = source.summaries.filter(({ messageId }) => state.messages.has(messageId))
  yield* section(
    'summaries',
    known.map(({ messageId, leftOut, text, model }) => ({ messageId, leftOut, text, model })),
  )
  yield ',\n"files": ['
  for (const [at, file] of files.entries()) {
    const { id, name, mediaType, size, sha256 } = file
    const facts = JSON.stringify({
      id,
      name,
      mediaType,
      size,
      sha256,
      ...(entryOf && { entry: entryOf(file) }),
    })
    yield `${at === 0 ? '' : ','}\n`
    if (entryOf) yield facts
    else {
      yield `${facts.slice(0, -1)},"content":"`
      yield* base64(source.pieces(file))
      yield '"}'
    }
  }
  yield files.length === 0 ? ']' : '\n]'
  yield* section('history', historyOf(log))
  yield '\n}\n'
}

async function* section(name: keyof ChatFile, items: Iterable<object> | AsyncIterable<object>) {
  yield `,\n"${name}": [`
  let isEmpty = true
  for await (const item of items) {
    yield `${isEmpty ? '' : ','}\n${JSON.stringify(item)}`
    isEmpty = false
  }
  yield isEmpty ? ']' : '\n]'
}

/** Bytes in base64, three at a time: pieces need not end where its groups do. */
async function* base64(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.subarray(0, whole).toString('base64')
    rest = Buffer.from(bytes.subarray(whole))
  }
  yield rest.toString('base64')
}

/** State of a chat after some events. */
const stateOf = (events: readonly LoggedEvent[]): ChatState => fold(noChat(events[0]?.chatId ?? ''), events)

/** Chat, branches and checkpoints as their file has them: they follow from the log. */
export function refsOf(state: ChatState, called: ChatId): ChatFileRefs {
  return {
    chat: {
      id: called,
      title: state.title,
      metadata: sorted(state.metadata),
      activeBranchId: state.activeThreadId ?? '',
      createdAt: iso(state.createdAt),
      updatedAt: iso(state.updatedAt),
    },
    branches: [...state.threads.values()].map((thread) => ({
      id: thread.id,
      name: thread.name,
      ...(thread.title !== null && { title: thread.title }),
      headId: thread.headMessageId,
      ...(thread.parentThreadId !== null && {
        parentBranchId: thread.parentThreadId,
        forkedAtId: threadAt(state, thread.parentThreadId, thread.fromEventNumber).head,
      }),
      contextId: thread.contextId,
      createdAt: iso(thread.createdAt),
      ...(thread.archivedAt !== null && { archivedAt: iso(thread.archivedAt) }),
    })),
    checkpoints: [...state.checkpoints.values()].map(({ id, name, messageId, savedAt }) => ({
      id: id ?? '',
      name,
      messageId,
      createdAt: iso(savedAt),
    })),
  }
}

function contextEntry({ id, model, fragments, setup }: ContextData): ChatFile['contexts'][number] {
  return { id, model, fragments: fragments as unknown[], ...(setup && { setup: { ...setup } }) }
}

type Reply = Extract<LoggedEvent, { type: 'LLMResponseGenerated' }>['payload']

async function* messageEntries(
  messages: AsyncIterable<MessageData>,
  events: readonly LoggedEvent[],
): AsyncGenerator<ChatFileMessage> {
  const replies = new Map<string, Reply>()
  for (const event of events) {
    if (event.type === 'LLMResponseGenerated') replies.set(event.payload.ai_message_id, event.payload)
  }
  for await (const message of messages) yield messageEntry(message, replies.get(message.id))
}

function messageEntry(message: MessageData, reply: Reply | undefined): ChatFileMessage {
  const { mergeParentId, copiedFromId, type, status, contextId } = message
  return {
    id: message.id,
    parentId: message.parentId,
    ...(mergeParentId !== undefined && { mergeParentId }),
    ...(copiedFromId !== undefined && { copiedFromId }),
    role: message.name,
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(contextId !== undefined && { contextId }),
    ...(reply?.model != null && { model: reply.model }),
    ...(reply?.usage != null && { usage: sorted(reply.usage) }),
    ...(reply?.imported && { imported: reply.imported }),
    createdAt: iso(message.createdAt),
    data: message.data,
  }
}

/**
 * The log without facts of the file's other entries: a reply's own checkpoint, and fields that an event
 * repeats of its message.
 */
function* historyOf(events: readonly LoggedEvent[]): Generator<ChatFileEvent> {
  for (const event of events) {
    const place = { seq: event.seq, at: iso(event.createdAt) }
    const branch = event.streamId === event.chatId ? {} : { branchId: event.streamId }
    switch (event.type) {
      case 'CheckpointCreated':
        break
      case 'UserMessageAdded':
      case 'MessageCopied':
        yield { ...place, branchId: event.streamId, messageId: event.payload.message_id }
        break
      case 'LLMResponseGenerated':
        yield { ...place, branchId: event.streamId, messageId: event.payload.ai_message_id }
        break
      default:
        yield { ...place, ...branch, type: event.type, payload: sorted(event.payload) }
    }
  }
}

/** Events of before they carried the ids of checkpoints. */
function withCheckpointIds({ events, checkpointIds }: ChatSource): LoggedEvent[] {
  return events.map((event) => {
    if (event.type !== 'CheckpointSaved' || event.payload.checkpoint_id !== null) return event
    const id = checkpointIds[event.payload.name] ?? `checkpoint ${event.seq}`
    return { ...event, payload: { ...event.payload, checkpoint_id: id } }
  })
}

const iso = (at: number): string => new Date(at).toISOString()

/** The same value with its keys in order, at every depth: a database keeps them in an order of its own. */
const sorted = <Value extends object>(value: Value): Value & Record<string, unknown> =>
  JSON.parse(canonicalJson(value))
