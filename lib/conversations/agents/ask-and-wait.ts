import type { UIMessageChunk } from 'ai'
import { v5 } from 'uuid'
import { canonicalJson, NotFoundError } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import type { ChatMessage, TurnData, Waiting } from '@/lib/protocol'
import { inCalledChat } from '../chats/called-chat'
import { toChatMessage } from '../chats/to-chat-message'
import type { Ports } from '../ports'
import { runTurn } from '../turns/run-turn'
import { parseUserMessage } from '../turns/user-message'

/** The ids of a turn follow from its key, so that a repeated turn is one turn. */
const KEY_NAMESPACE = '2c7a7c0e-8a2b-5c52-9d0f-6a51d2f0b7c4'

/** A message as an agent sends it. */
export interface Ask {
  ownerId: UserId
  /** the owner's id for the chat; without it, a chat is begun */
  chatId?: ChatId | undefined
  /** a name or an id; the branch that the chat opens on unless given */
  branch?: string | undefined
  text: string
  /** `provider:model`; the branch's own unless given */
  model?: string | undefined
  /** the head that the agent has seen; with another head nothing is written */
  expectedHead?: MessageId | undefined
  /** names this one turn: the same key and text again are the same turn */
  key?: string | undefined
  /** longest wait for the reply, in ms; 0 does not wait */
  waitMs: number
  /** ends the wait; the reply continues */
  signal: AbortSignal
  /** called with the reply's progress so far */
  onProgress?: ((progress: ReplyProgress) => void) | undefined
}

/** Progress of a reply. */
export interface ReplyProgress {
  status: 'queued' | 'running'
  /** why it waits */
  waiting?: Waiting | undefined
  /** letters that are written */
  letters: number
}

/** A turn, and the outcome of its reply. */
export interface Told {
  chatId: ChatId
  branchId: BranchId
  userMessageId: MessageId
  /** `running`: it is not there yet */
  status: 'completed' | 'stopped' | 'failed' | 'running'
  /** the stored reply */
  reply: ChatMessage | undefined
  /** reason for a missing or incomplete reply */
  failure: string | undefined
  /** resolves when the reply is stored, waited for or not */
  ended: Promise<void>
}

/**
 * Stores a message, queues its reply, and waits for it at most `waitMs`. The reply is written and stored in
 * any case.
 *
 * @throws NotFoundError for a missing or another person's chat or branch; the errors of `runTurn`. Then
 * nothing is written
 */
export async function askAndWait(ports: Ports, ask: Ask): Promise<Told> {
  const { ownerId, key, waitMs, signal, onProgress } = ask
  const idOf = (what: string) =>
    key === undefined ? ports.newId() : v5(canonicalJson([ownerId, what, key]), KEY_NAMESPACE)
  const chatId = ask.chatId ?? idOf('chat')
  const message = parseUserMessage({
    id: idOf('message'),
    role: 'user',
    parts: [{ type: 'text', text: ask.text }],
  })
  // a turn begins a chat of an id that is new
  if (ask.chatId !== undefined) {
    const { chat } = await ports.reads.calledState(chatId, ownerId)
    if (chat !== 'own') throw new NotFoundError('chat', chatId)
  }
  const { stream, ended } = await runTurn(ports, {
    ownerId,
    chatId,
    message,
    trigger: 'submit-message',
    branch: ask.branch,
    model: ask.model,
    expectedHead: ask.expectedHead,
  })
  const seen = await follow(stream, { waitMs, signal, onProgress })
  const { recordedOn, reply, ending, failure } = await readTurn(ports, {
    ownerId,
    chatId,
    messageId: message.id,
    replyId: seen.replyId,
  })
  const known = { chatId, userMessageId: message.id, branchId: seen.run?.branchId ?? recordedOn, ended }
  if (reply) return { ...known, reply, failure, status: ending ?? 'completed' }
  return {
    ...known,
    reply,
    ...(seen.isOver ? { status: 'failed', failure: seen.failure } : { status: 'running', failure }),
  }
}

/** News from a turn's stream so far. */
interface Seen {
  run?: TurnData['run']
  replyId?: MessageId
  failure?: string
  isOver: boolean
}

/** Reads a turn's stream until its end, or for as long as is asked. */
async function follow(
  stream: ReadableStream<UIMessageChunk>,
  { waitMs, signal, onProgress }: Pick<Ask, 'waitMs' | 'signal' | 'onProgress'>,
): Promise<Seen> {
  const reader = stream.getReader()
  const seen: Seen = { isOver: false }
  let letters = 0
  const patience = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
  const leave = () => {
    reader.cancel().catch(() => undefined)
  }
  // the first part names the run, however short the patience
  let part = await reader.read()
  patience.addEventListener('abort', leave, { once: true })
  if (patience.aborted) leave()
  try {
    for (; !part.done; part = await reader.read()) {
      const { value } = part
      if (value.type === 'data-run') {
        seen.run = value.data as TurnData['run']
        seen.replyId = seen.run.replyId
      } else if (value.type === 'start' && value.messageId !== undefined) seen.replyId ??= value.messageId
      else if (value.type === 'text-delta') letters += value.delta.length
      else if (value.type === 'error') seen.failure = value.errorText
      const { status = 'running', waiting } = seen.run ?? {}
      onProgress?.({ status: status === 'queued' ? 'queued' : 'running', waiting, letters })
    }
    // a stream that was left ends too
    return { ...seen, isOver: !patience.aborted }
  } finally {
    patience.removeEventListener('abort', leave)
  }
}

/** A turn as it is stored, and its reply as far as that is. */
function readTurn(
  ports: Ports,
  {
    messageId,
    replyId,
    ...chat
  }: { ownerId: UserId; chatId: ChatId; messageId: MessageId; replyId?: MessageId },
) {
  return inCalledChat(ports, chat, async ({ chatId, ownerId }) => {
    const [asked, found] = await Promise.all([
      ports.reads.message(chatId, ownerId, messageId),
      replyId === undefined ? undefined : ports.reads.message(chatId, ownerId, replyId),
    ])
    if (!asked) throw new NotFoundError('chat', chatId)
    const reply = found && toChatMessage(found.message)
    const { status: ending, error } = reply?.metadata ?? {}
    return {
      recordedOn: asked.recordedOn,
      reply,
      ending,
      failure: error && `${error.message} ${error.advice}`.trim(),
    }
  })
}
