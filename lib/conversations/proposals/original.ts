import { NotFoundError } from '@/lib/context'
import type { ChatId, MessageId, UserId } from '@/lib/events'
import { indexGraph } from '@/lib/graph'
import type { OpenedShare } from '@/lib/protocol'
import type { ExchangedChat } from '../exchange/exchange-port'
import { openShare } from '../shares/read-share'
import { readShownGraph } from '../shares/shown-graph'
import { ProposalRefusedError } from './errors'
import type { ProposingPorts } from './proposals-port'

/** Names the original: by the token of a link, by the chat, or without either by the link that a chat was copied from. */
export interface ProposedTo {
  shareToken?: string | undefined
  chatId?: ChatId | undefined
}

/** The chat that a branch is proposed to, and the author's view of it. */
export interface Original {
  ownerId: UserId
  /** the key of the chat, and the owner's id for it */
  chatId: ChatId
  called: ChatId
  isShown(id: MessageId): Promise<boolean>
}

/**
 * Finds the chat that a branch is proposed to. An id names a chat of the author, or the original of the
 * author's clone.
 *
 * @throws NotFoundError, ProposalRefusedError
 */
export async function originalFor(
  ports: ProposingPorts,
  authorId: UserId,
  source: ExchangedChat,
  { shareToken, chatId }: ProposedTo,
): Promise<Original> {
  if (shareToken !== undefined) return shownBy(ports, await openShare(ports, shareToken))
  if (chatId === undefined) return shownBy(ports, await copiedFrom(ports, source))
  const own = await ports.reads.chatCalled(chatId, authorId)
  const key = own ?? chatId
  const chat = await ports.proposals.chatOf(key)
  if (!chat || key === source.chatId || (own === undefined && chat.origin !== source.origin))
    throw new NotFoundError('chat', chatId)
  const { ownerId, called } = chat
  return { ownerId, chatId: key, called, isShown: async () => true }
}

async function shownBy(ports: ProposingPorts, share: OpenedShare): Promise<Original> {
  const { chatId, ownerId, withGraph, end } = share
  const chat = await ports.proposals.chatOf(chatId)
  if (!chat) throw new NotFoundError('share', '')
  return {
    ownerId,
    chatId,
    called: chat.called,
    async isShown(id) {
      if (!withGraph) return ports.shares.isOnChain(chatId, end, id)
      const graph = await readShownGraph(ports, share)
      return graph !== undefined && indexGraph(graph).byId(id) !== undefined
    },
  }
}

/**
 * The link that a chat was copied from. The origin must match too, since a chat's own statements can be
 * changed.
 */
async function copiedFrom(ports: ProposingPorts, { chatId, origin }: ExchangedChat): Promise<OpenedShare> {
  const chat = await ports.store.getChat(chatId)
  const { shareId } = (chat?.metadata?.sharedFrom ?? {}) as { shareId?: unknown }
  const share = typeof shareId === 'string' ? await ports.shares.inForce(shareId) : undefined
  if (!share || share.origin !== origin) throw new ProposalRefusedError('link_over')
  return share
}
