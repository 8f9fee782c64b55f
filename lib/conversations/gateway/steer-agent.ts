import { type Change, NotFoundError, planSteering, planSteeringTo } from '@/lib/context'
import type { BranchId, ChatId, MessageId, Step, UserId } from '@/lib/events'
import type { GraphAgent, GraphDelta, Moved } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { checkText, newUserMessage } from '../turns/user-message'
import { calledBranch } from './called-branch'

type SteerPorts = Pick<Ports, 'reads' | 'store' | 'clock' | 'newId'>

interface InChat {
  ownerId: UserId
  chatId: ChatId
}

/**
 * Steers the agent of a branch to the end of another branch with its next call: the provider gets the chain
 * there, and a note that says so. Calls under way end where they began. An agent can also continue after a
 * person's messages on its own branch.
 *
 * @param input.branch the agent's branch, by name or id
 * @param input.to the branch to continue; null takes the steering back
 * @returns the ids of both branches
 * @throws NotFoundError for a missing or another person's chat or branch; InvalidRequestError for a branch
 * that no agent
 * writes on, and for the agent's present place
 */
export async function steerAgent(
  ports: SteerPorts,
  { ownerId, chatId: called, branch, to }: InChat & { branch: string; to: string | null },
): Promise<{ branchId: BranchId; targetId: BranchId | null }> {
  const { chatId, state } = await calledBranch(ports, { ownerId, called, branch })
  const target = to === null ? null : await ports.reads.branchState(chatId, ownerId, to)
  if (target && !target.state) throw new NotFoundError('branch', to ?? '')
  const { branchId } = state
  const targetId = target?.state?.branchId ?? null
  const agent = await agentOn(ports, { ownerId, chatId }, branchId)
  if (targetId === branchId && target?.state?.headId === agent.messageId) throw new InvalidRequestError(HERE)
  await steered(ports, { ownerId, chatId }, planSteering(branchId, targetId))
  return { branchId, targetId }
}

/** Takes back an agent's steering. Rejects as `steerAgent`. */
export async function stopSteering(
  ports: SteerPorts,
  { branchId, ...chat }: InChat & { branchId: BranchId },
): Promise<GraphDelta> {
  await agentOn(ports, chat, branchId)
  return steered(ports, chat, planSteering(branchId, null))
}

interface SteerTo extends InChat {
  /** the branch that the agent writes on */
  agentId: BranchId
  messageId: MessageId
  /** the branch that the message is seen on */
  branchId: BranchId
  /** a person's message to add below the message first */
  text?: string | undefined
  /** opens the chat on a new branch; true unless told */
  activate?: boolean | undefined
}

/**
 * Steers an agent to a message with its next call, and can add a person's message there first. It continues
 * on the branch being read when that ends with the message and its last message is not an agent's; else on a
 * new branch, on which the chat opens unless told otherwise.
 *
 * @returns the branch
 * @throws NotFoundError for a missing or another person's chat, branch or message; InvalidRequestError as
 * `steerAgent`
 */
export async function steerTo(ports: SteerPorts, input: SteerTo): Promise<Moved> {
  const { ownerId, chatId, agentId, messageId, branchId, text = '', activate = true } = input
  if (text.trim() !== '') checkText(text)
  const [found, seen, agents] = await Promise.all([
    ports.reads.message(chatId, ownerId, messageId),
    ports.reads.branchState(chatId, ownerId, branchId),
    ports.reads.agents(chatId, ownerId),
  ])
  if (seen.chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!seen.state) throw new NotFoundError('branch', branchId)
  if (!found) throw new NotFoundError('message', messageId)
  const agent = among(agents, agentId)
  const isHere = seen.state.headId === messageId
  const isFree = !agents.some((other) => other.branchId === branchId && other.messageId === messageId)
  if (agent.messageId === messageId && text.trim() === '') throw new InvalidRequestError(HERE)
  const plan = planSteeringTo(agentId, {
    message: text.trim() === '' ? undefined : saidMessage(ports, text),
    ...(isHere && isFree && (activate || !seen.state.isArchived)
      ? { branch: seen.state }
      : { after: seen.state.branchName, messageId, activate, newId: ports.newId }),
  })
  return { delta: await steered(ports, { ownerId, chatId }, plan.steps), branchId: plan.branchId }
}

const HERE = 'The agent goes on from there already.'

const agentOn = async ({ reads }: SteerPorts, { ownerId, chatId }: InChat, branchId: BranchId) =>
  among(await reads.agents(chatId, ownerId), branchId)

function among(agents: readonly GraphAgent[], id: BranchId): GraphAgent {
  const agent = agents.find(({ branchId }) => branchId === id)
  if (!agent) throw new InvalidRequestError('No agent writes on this branch.')
  return agent
}

function saidMessage({ newId, clock }: SteerPorts, text: string) {
  return newUserMessage({ id: newId(), role: 'user', parts: [{ type: 'text', text }] }, clock())
}

/** The delta includes the places of agents: a change's own answer leaves them out. */
async function steered(
  { store, reads, clock }: SteerPorts,
  { ownerId, chatId }: InChat,
  steps: Step[],
): Promise<GraphDelta> {
  const change: Change = { chatId, ownerId, at: clock(), steps }
  const delta = deltaOf(change, await store.commit(change))
  return { ...delta, agents: await reads.agents(chatId, ownerId) }
}
