import { type NotedProposal, NotFoundError, planProposalDeclined, planProposalTaken } from '@/lib/context'
import type { MessageId, UserId } from '@/lib/events'
import type { Moved } from '@/lib/protocol'
import type { StoredProposal } from '@/lib/protocol/remotes/proposals'
import { type MergeRequest, mergeBranches } from '../merging/merge-branches'
import { pickMessages } from '../merging/pick-messages'
import { ProposalRefusedError } from './errors'
import type { ProposingPorts } from './proposals-port'
import { messagesOf } from './proposed-branch'

interface Settling {
  ownerId: UserId
  id: string
}

/** The way in which a proposal is taken: as a reviewed merge, or some of its messages. */
export type TakenAs =
  | Omit<MergeRequest, 'ownerId' | 'chatId' | 'sourceId' | 'noted'>
  | { mode: 'messages'; targetId: string; messageIds: readonly MessageId[] }

/**
 * Brings all or some messages of a proposal to a branch of the owner: once, also when two requests come at
 * the same time. Undo takes it back, and the proposal is open again.
 *
 * @param input.headId the message that it was pinned at when it was reviewed; refused when it was updated
 * since
 * @throws NotFoundError, ProposalRefusedError, and the errors of a merge and a pick; then nothing is written
 */
export async function takeProposal(
  ports: ProposingPorts,
  { ownerId, id, headId, ...taken }: Settling & { headId?: MessageId | undefined } & TakenAs,
): Promise<Moved> {
  const proposal = await ownProposal(ports, { ownerId, id })
  return claimed(ports, proposal, async () => {
    const now = await ownProposal(ports, { ownerId, id })
    if (headId !== undefined && headId !== now.headMessageId) throw new ProposalRefusedError('proposal_moved')
    const { chatId, branchId: sourceId } = now
    const { targetId, mode } = taken
    const noted = [planProposalTaken(now, { branchId: targetId, mode })]
    const moved =
      taken.mode === 'messages'
        ? await pickMessages(ports, {
            ownerId,
            chatId,
            branchId: targetId,
            messageIds: await namedOf(ports, now, taken.messageIds),
            noted,
          })
        : await mergeBranches(ports, { ...taken, ownerId, chatId, sourceId, noted })
    const { moveSeq, seq } = moved.delta
    await ports.proposals.settle(now, { state: 'taken', seq: moveSeq ?? seq, as: mode })
    return moved
  })
}

/**
 * Ends a proposal without taking anything of it. Its author reads the words.
 *
 * @throws NotFoundError, ProposalRefusedError; then nothing is written
 */
export async function declineProposal(
  ports: ProposingPorts,
  { ownerId, id, words }: Settling & { words: string },
): Promise<void> {
  const proposal = await ownProposal(ports, { ownerId, id })
  await claimed(ports, proposal, async () => {
    await ports.store.commit({
      chatId: proposal.chatId,
      ownerId,
      at: ports.clock(),
      steps: planProposalDeclined(proposal),
    })
    await ports.proposals.settle(proposal, { state: 'declined', answer: words })
  })
}

/** @throws NotFoundError for a proposal that is missing, or made to another person */
async function ownProposal(
  { proposals }: Pick<ProposingPorts, 'proposals'>,
  { ownerId, id }: Settling,
): Promise<StoredProposal> {
  const proposal = await proposals.find(id, ownerId)
  if (!proposal || proposal.ownerId !== ownerId) throw new NotFoundError('proposal', id)
  return proposal
}

/** Runs the work that ends a proposal, unless another request ends it. */
async function claimed<T>(
  { proposals }: Pick<ProposingPorts, 'proposals'>,
  proposal: StoredProposal & NotedProposal,
  work: () => Promise<T>,
): Promise<T> {
  if (!(await proposals.claim(proposal))) throw new ProposalRefusedError('proposal_over')
  try {
    return await work()
  } catch (error) {
    await proposals.settle(proposal, { state: 'open' })
    throw error
  }
}

/** @throws NotFoundError for a message that is not of the proposal */
async function namedOf(
  ports: Pick<ProposingPorts, 'store'>,
  proposal: StoredProposal,
  ids: readonly MessageId[],
): Promise<readonly MessageId[]> {
  const chain = await messagesOf(ports, proposal)
  const own = new Set(chain.map((message) => message.id))
  const other = ids.find((id) => !own.has(id))
  if (other !== undefined) throw new NotFoundError('message', other)
  return ids
}
