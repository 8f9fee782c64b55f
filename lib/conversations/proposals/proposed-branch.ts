import { type MessageData, messagePreview, type ReceivedMessage } from '@/lib/context'
import type { MessageId, NewMessage } from '@/lib/events'
import type { SharedMessage } from '@/lib/protocol'
import type { StoredProposal } from '@/lib/protocol/remotes/proposals'
import { copyFiles } from '../shares/copy-files'
import { shownMessage } from '../shares/shown-message'
import { fileIdsOf } from '../turns/user-message'
import { ProposalRefusedError } from './errors'
import type { Original } from './original'
import type { ProposingPorts } from './proposals-port'

/** Messages of one proposal at most. */
const MOST = 500

/** The part of a branch that the original lacks. */
interface Own {
  /** the message of the original below which it continues */
  baseId: MessageId
  messages: MessageData[]
}

/**
 * Finds the message at which a branch leaves the original.
 *
 * @param known the messages of the original, by those of the branch
 * @throws ProposalRefusedError
 */
export async function ownOf(
  { store }: Pick<ProposingPorts, 'store'>,
  { chatId, headId }: { chatId: string; headId: MessageId },
  known: (messages: readonly MessageData[]) => Promise<ReadonlyMap<MessageId, MessageId>>,
): Promise<Own | undefined> {
  const chain = await store.getMessageChain(chatId, headId, { last: MOST + 1 })
  const there = await known(chain)
  const at = chain.findLastIndex(({ id }) => there.has(id))
  const baseId = there.get(chain[at]?.id ?? '')
  return baseId === undefined ? undefined : { baseId, messages: chain.slice(at + 1) }
}

/** The messages of a proposal, in order. */
export const messagesOf = (
  { store }: Pick<ProposingPorts, 'store'>,
  { chatId, headMessageId, messages }: StoredProposal,
): Promise<MessageData[]> => store.getMessageChain(chatId, headMessageId, { last: messages })

/** The message of the original that a message of a copy is. */
export const originalId = ({ id, data }: MessageData): MessageId => told(data).sharedFrom ?? id

/** The message of the copy that a message of a proposal is. */
export const proposedId = ({ data }: MessageData): MessageId | undefined => told(data).proposed?.id

interface Told {
  sharedFrom?: MessageId
  proposed?: { id: MessageId; by: string }
}

const told = (data: unknown): Told => (data as { metadata?: Told } | null)?.metadata ?? {}

/**
 * The messages of a branch as those of the original: as readers of a link see them, without thoughts,
 * memories and permissions of their author. Each names its author and its original message.
 *
 * @throws ProposalRefusedError
 */
export async function broughtFrom(
  ports: ProposingPorts,
  { ownerId }: Pick<Original, 'ownerId'>,
  { chatId, author, own: { baseId, messages } }: { chatId: string; author: string; own: Own },
): Promise<ReceivedMessage[]> {
  const files = await copyFiles(ports, { chatId, messages, ownerId })
  const kept = new Set(files.values())
  const at = ports.clock()
  let parentId = baseId
  return messages.flatMap((message) => {
    const fileUrl = (id: string) => `/api/files/${files.get(id) ?? id}`
    const shown = shownMessage(message, { lane: 0, fileUrl })
    if (!shown) return []
    const received = { message: proposed(shown, { id: ports.newId(), author, at, kept }), parentId }
    parentId = received.message.id
    return [received]
  })
}

function proposed(
  { id: from, role, parts, metadata }: SharedMessage,
  { id, author, at, kept }: { id: MessageId; author: string; at: number; kept: ReadonlySet<string> },
): NewMessage {
  const { createdAt = at, model, speaker, status, finishReason, seams } = metadata ?? {}
  const data = {
    id,
    role,
    parts,
    metadata: {
      createdAt,
      model,
      speaker,
      status,
      finishReason,
      seams,
      proposed: { id: from, by: author },
    },
  }
  const files = fileIdsOf({ parts }).filter((file) => kept.has(file))
  return {
    id,
    name: role,
    type: 'message',
    data,
    preview: messagePreview(data),
    createdAt,
    ...(status && { status }),
    ...(files.length > 0 && { files }),
    // its tokens were used by its author
    ...(role === 'assistant' && { reply: { model: model ?? null, usage: null, imported: true as const } }),
  }
}

/** @throws ProposalRefusedError for a branch without anything of its own */
export function someOf(messages: readonly ReceivedMessage[]): MessageId {
  const last = messages.at(-1)
  if (!last) throw new ProposalRefusedError('nothing_to_propose')
  return last.message.id
}
