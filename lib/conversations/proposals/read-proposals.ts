import { NotFoundError } from '@/lib/context'
import type { ChatId, MessageId, UserId } from '@/lib/events'
import type { StoredComment, StoredProposal } from '@/lib/protocol/remotes/proposals'
import { checkText } from '../turns/user-message'
import { ProposalRefusedError } from './errors'
import type { ProposingPorts } from './proposals-port'
import { messagesOf, proposedId } from './proposed-branch'

/** A proposal, as the owner of the chat or its author sees it. */
export interface SeenProposal {
  proposal: StoredProposal
  role: 'owner' | 'author'
  comments: StoredComment[]
}

/**
 * The proposals to a chat, and those made from it, the newest first.
 *
 * @throws NotFoundError
 */
export async function listProposals(
  { proposals, reads, store }: Pick<ProposingPorts, 'proposals' | 'reads' | 'store'>,
  { ownerId, chatId }: { ownerId: UserId; chatId: ChatId },
): Promise<{ isCopy: boolean; seen: SeenProposal[] }> {
  const key = await reads.chatCalled(chatId, ownerId)
  if (key === undefined) throw new NotFoundError('chat', chatId)
  const [chat, found] = await Promise.all([store.getChat(key), proposals.list(key, ownerId)])
  const comments = found.length === 0 ? [] : await proposals.comments(found)
  const seen = found.map(
    (proposal): SeenProposal => ({
      proposal,
      role: proposal.chatId === key ? 'owner' : 'author',
      comments: comments.filter(({ proposalId }) => proposalId === proposal.id),
    }),
  )
  return { isCopy: chat?.metadata?.sharedFrom !== undefined, seen }
}

/**
 * Adds a comment on an open proposal, or on one of its messages, for the other side.
 *
 * @param input.messageId of the person's chat: the owner's, or the copy
 * @throws NotFoundError, ProposalRefusedError, InvalidRequestError
 */
export async function commentOnProposal(
  ports: Pick<ProposingPorts, 'proposals' | 'store' | 'newId'>,
  {
    personId,
    id,
    words,
    messageId,
  }: { personId: UserId; id: string; words: string; messageId?: MessageId | undefined },
): Promise<{ id: string }> {
  checkText(words)
  const proposal = await ports.proposals.find(id, personId)
  if (!proposal) throw new NotFoundError('proposal', id)
  if (proposal.state !== 'open') throw new ProposalRefusedError('proposal_over')
  const { chatId } = proposal
  const about = messageId === undefined ? undefined : await messageOf(ports, proposal, messageId)
  const comment = {
    id: ports.newId(),
    proposalId: id,
    saidBy: proposal.ownerId === personId ? ('owner' as const) : ('author' as const),
    messageId: about?.id ?? null,
    sourceMessageId: about?.sourceId ?? null,
    words,
  }
  if (!(await ports.proposals.comment(chatId, comment))) throw new ProposalRefusedError('too_many_comments')
  return { id: comment.id }
}

/** A message of a proposal by its id in the chat or in the copy. @throws NotFoundError */
async function messageOf(
  ports: Pick<ProposingPorts, 'store'>,
  proposal: StoredProposal,
  id: MessageId,
): Promise<{ id: MessageId; sourceId: MessageId | null }> {
  const chain = await messagesOf(ports, proposal)
  const found = chain.find((message) => message.id === id || proposedId(message) === id)
  if (!found) throw new NotFoundError('message', id)
  return { id: found.id, sourceId: proposedId(found) ?? null }
}
