import { NotFoundError } from '@/lib/context'
import { type ChatId, type MessageId, mayAs, type UserId } from '@/lib/events'
import { indexGraph } from '@/lib/graph'
import type { OpenedShare } from '@/lib/protocol'
import type { ExchangedChat } from '../exchange/exchange-port'
import { openShare } from '../shares/read-share'
import { readShownGraph } from '../shares/shown-graph'
import { ProposalRefusedError } from './errors'
import type { ProposingPorts } from './proposals-port'

/** Names the original: by the token of a link, by the chat, or without either by what the chat was copied by. */
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
 * Finds what a branch is proposed to. By its id it is a chat of the author, one that the author is a member of, or one that the
 * author's chat is a clone of.
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
  if (chatId === undefined) return shownBy(ports, await copiedFrom(ports, source, authorId))
  const own = await ports.reads.chatCalled(chatId, authorId)
  const membership = own === undefined ? await ports.reads.membership(chatId, authorId) : undefined
  if (membership) {
    const opened = await openedTo(ports, membership.id, authorId)
    if (opened) return shownBy(ports, opened)
  }
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

/** A chat that a member may propose to; undefined for one who is none, or where nothing was said. */
async function openedTo(
  { members }: Pick<ProposingPorts, 'members'>,
  id: string,
  authorId: UserId,
): Promise<OpenedShare | undefined> {
  const opened = await members.opened(id, authorId)
  if (opened && !mayAs(opened.role, 'proposes')) throw new ProposalRefusedError('only_reads')
  return opened
}

/**
 * The link or the membership that a chat was copied by. The origin says so too, since what a chat tells of itself can be
 * changed.
 */
async function copiedFrom(
  ports: ProposingPorts,
  { chatId, origin }: ExchangedChat,
  authorId: UserId,
): Promise<OpenedShare> {
  const chat = await ports.store.getChat(chatId)
  const { shareId } = (chat?.metadata?.sharedFrom ?? {}) as { shareId?: unknown }
  const share =
    typeof shareId === 'string'
      ? ((await ports.shares.inForce(shareId)) ?? (await openedTo(ports, shareId, authorId)))
      : undefined
  if (!share || share.origin !== origin) throw new ProposalRefusedError('link_over')
  return share
}
