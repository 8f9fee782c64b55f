import { type BranchState, NotFoundError } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { AgentPin } from '@/lib/gateway/agent-call'
import { pinHash } from '@/lib/gateway/chain'
import { calledBranch } from './called-branch'
import type { AgentPorts, FoundStart, Stand } from './store-line'

/** The place where a call begins when none of it is stored, and the name from which its names continue. */
export interface Start {
  chain: string
  /** undefined: in a new chat */
  stand: Stand | undefined
  /** only messages of this chat are found */
  within: ChatId | undefined
  /** the agent sends another chain than the stored one */
  moved: boolean
  /** name by which its conversation finds its last message */
  lastName?: string
  /** searches for its beginning, in place of a new chat */
  findStart?: () => Promise<FoundStart | undefined>
}

/**
 * The place that an agent has named: below a message, at the end of a branch, or with a chat alone a new
 * beginning in that chat. Names of later messages continue from the place, so that the agent finds it again
 * when it sends all messages below the place, and when it sends only new ones.
 *
 * @throws NotFoundError for a missing or another person's place; both look the same
 */
export async function pinnedStart(ports: AgentPorts, ownerId: UserId, pin: AgentPin): Promise<Start> {
  const { chatId, called, state } = await pinnedBranch(ports, ownerId, pin)
  const own = branchOf(state)
  const common = { within: chatId, moved: false }
  if (pin.message !== undefined) {
    const found = await ports.reads.message(chatId, ownerId, pin.message)
    if (!found) throw new NotFoundError('message', pin.message)
    const { id: messageId } = found.message
    const branches = state.headId === messageId ? [own] : []
    const contextIds = [found.context?.id ?? null]
    const stand = { chatId, called, messageId, branches, contextIds, opensOn: null }
    return { ...common, chain: pinHash(chatId, 'message', messageId), stand, moved: true }
  }
  const stand = { chatId, called, contextIds: [own.contextId], opensOn: null }
  if (pin.branch !== undefined) {
    const { headId: messageId } = state
    const chain = pinHash(chatId, 'branch', own.id)
    return { ...common, chain, stand: { ...stand, messageId, branches: [own] }, moved: messageId !== null }
  }
  const branches = state.headId === null ? [own] : []
  return { ...common, chain: pinHash(chatId, 'chat'), stand: { ...stand, messageId: null, branches } }
}

async function pinnedBranch(
  { reads, threads }: AgentPorts,
  ownerId: UserId,
  { chat, branch, message }: AgentPin,
): Promise<{ chatId: ChatId; called: ChatId; state: BranchState }> {
  if (chat !== undefined) {
    const found = await calledBranch({ reads }, { ownerId, called: chat, branch })
    return { chatId: found.chatId, called: chat, state: found.state }
  }
  if (branch === undefined) throw new NotFoundError('message', message ?? '')
  const of = await threads.chatOf(branch, ownerId)
  const found = of && (await reads.branchState(of.chatId, ownerId, branch))
  if (!of || !found?.state) throw new NotFoundError('branch', branch)
  return { ...of, state: found.state }
}

const branchOf = ({ branchId: id, branchName: name, isArchived, context }: BranchState) => ({
  id,
  name,
  contextId: context?.id ?? null,
  isOpen: !isArchived,
})
