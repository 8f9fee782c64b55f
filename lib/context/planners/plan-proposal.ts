import type { BranchId, MessageId, NotedFact, Step } from '@/lib/events'
import { type NewId, planTitle } from './plan-moves'
import { planReceive, type ReceivedMessage } from './plan-receive'

/** A proposal, as the log of the chat names it. */
export interface NotedProposal {
  id: string
  /** in its chat, from 1 */
  number: number
}

type Taken = Extract<NotedFact, { type: 'ProposalTaken' }>['payload']

/**
 * Brings the branch of a copy into the chat that it is proposed to, on an archived branch of its own: people do not write there.
 *
 * @param input.messages at least one, each below the one before it
 */
export function planProposal({
  proposal: { id, number },
  author,
  title,
  branch,
  messages,
  at,
  newId,
}: {
  proposal: NotedProposal
  /** the author's name */
  author: string
  title: string
  /** `from` is its present head; undefined for a branch to open */
  branch: { branchId: BranchId; from: MessageId | null | undefined; to: MessageId }
  messages: readonly ReceivedMessage[]
  at: number
  newId: NewId
}): Step[] {
  const { branchId, from, to } = branch
  const line = { branchId, name: `${PROPOSALS}${number}`, from, to, archived: true }
  const remote = messages.length > 0 ? `${author} (proposal ${number})` : undefined
  const steps = planReceive({ messages, branches: [line], remote, at, newId })
  if (from !== undefined) return steps
  const payload = { proposal_id: id, number, author, title, branch_id: branchId, message_id: to }
  return [
    ...steps,
    ...planTitle(branchId, `${title} (${author})`),
    { kind: 'note', fact: { type: 'ProposalOpened', payload } },
  ]
}

/** Names of branches that keep proposals begin with it. */
export const PROPOSALS = 'proposals/'

/** Notes that a branch has all or some of a proposal now. */
export const planProposalTaken = (
  { id, number }: NotedProposal,
  { branchId, mode }: { branchId: BranchId; mode: Taken['mode'] },
): Step => ({
  kind: 'note',
  fact: { type: 'ProposalTaken', payload: { proposal_id: id, number, to_branch_id: branchId, mode } },
})

/** Notes that the owner of the chat does not take a proposal. */
export const planProposalDeclined = ({ id, number }: NotedProposal): Step[] => [
  { kind: 'note', fact: { type: 'ProposalDeclined', payload: { proposal_id: id, number } } },
]
