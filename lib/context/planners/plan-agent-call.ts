import type {
  BranchId,
  CompactNote,
  ContextId,
  MessageId,
  NamedNode,
  NewMessage,
  OpenBranch,
  Step,
  UserId,
} from '@/lib/events'
import type { Change } from '../store/change'
import type { AgentBranch, SteeredTo } from '../store/records'
import { recordCompact } from './plan-compact'
import { asMove, type Fork, openBranch, type Plan, planContext, planFork, switchTo } from './plan-moves'
import { appendTo, type BranchHead, intoUse } from './plan-turn'

/** Place for an agent's new messages: below a message, or with null at the beginning of a chat. */
export interface AgentStand {
  messageId: MessageId | null
  /** the branches at that place, the preferred one first */
  branches: readonly AgentBranch[]
}

/** Messages that an agent has said or was answered, in order, and the hashes by which it names them. */
export interface AgentLine {
  messages: NewMessage[]
  nodes: NamedNode[]
  contextId: ContextId
  by: AgentName
}

/** The name an agent gives itself, and the key it comes with. */
export interface AgentName {
  client?: string | undefined
  keyId?: string | undefined
}

/** A chat for a conversation of which nothing is stored. */
export function planAgentChat({
  messages,
  nodes,
  by,
  ...create
}: AgentLine & {
  userId: UserId
  title: string
  metadata: Record<string, unknown>
  branchId: BranchId
}): Plan & { create: NonNullable<Change['create']> } {
  const { branchId } = create
  return {
    create,
    branchId,
    steps: [...appendTo({ branchId, headId: null }, { messages }), ...named(nodes, branchId, by)],
  }
}

/**
 * Appends the new messages of an agent's call, or the reply to it: to the branch at their place while that
 * branch accepts messages, else to a new branch from there, as another attempt at a reply does. The chat then
 * opens on that branch, unless a person has moved it.
 *
 * @param line.contextId context of the messages; the branch takes it from now on, unless it keeps its own
 * @param options.keepsContext a continued branch keeps its context: a person may have changed it while a
 * reply came
 * @param options.opensOn the branch that the chat opens on; null when the chat stays on it
 * @param options.compacted the message that stands for the content the client left out; the branch that opens
 * with it says so
 */
export function planAgentLine(
  { messageId: headId, branches }: AgentStand,
  { messages, nodes, contextId, by }: AgentLine,
  {
    newBranchId,
    keepsContext = false,
    opensOn = null,
    compacted,
  }: {
    newBranchId: BranchId
    keepsContext?: boolean
    opensOn?: BranchId | null
    compacted?: { messageId: MessageId; note: CompactNote } | undefined
  },
): Plan {
  const branch = branches.find(({ isOpen }) => isOpen)
  if (branch) {
    const { id: branchId, contextId: expected } = branch
    const change: Step[] =
      keepsContext || expected === contextId ? [] : [planContext({ branchId, expected, contextId })]
    // agents that write at once would take the chat from each other with every reply
    const switching = opensOn === null || opensOn === branchId || keepsContext ? [] : [switchTo(branchId)]
    const said = [...appendTo({ branchId, headId }, { messages }), ...named(nodes, branchId, by)]
    return { steps: [...change, ...said, ...switching], branchId }
  }
  const fork = { after: 'main', contextId, activate: opensOn !== null, newId: () => newBranchId }
  const { steps, branchId } = openBranch(fork, headId, forkPoint(headId, compacted?.note))
  const said = [...appendTo({ branchId, headId }, { messages }), ...named(nodes, branchId, by)]
  const recorded = compacted ? [recordCompact(branchId, compacted.messageId, compacted.note)] : []
  return { steps: [...steps, ...said, ...recorded], branchId }
}

function forkPoint(headId: MessageId | null, note: CompactNote | undefined): OpenBranch['fork'] {
  if (note) return { messageId: note.untilId, before: true }
  return headId === null ? undefined : { messageId: headId }
}

/**
 * The call of an agent that a person has moved: on the branch that it is to go on with. The next call is found there by its
 * words.
 *
 * @param source the branch that the agent wrote on
 */
export function planSteeredLine(
  source: BranchId,
  { headId, ...target }: SteeredTo,
  line: AgentLine,
  options: { newBranchId: BranchId },
): Plan {
  const { steps, branchId } = planAgentLine({ messageId: headId, branches: [target] }, line, options)
  const targetId = target.id
  const follow: Step = { kind: 'follow-steering', branchId: source, targetId, onBranchId: branchId }
  return { steps: [...steps, follow], branchId }
}

/** @param targetId the branch on which the agent of `branchId` continues; null takes the steering back */
export const planSteering = (branchId: BranchId, targetId: BranchId | null): Step[] =>
  asMove('steer', [{ kind: 'steer-agent', branchId, targetId }])

/**
 * Steers an agent to a message: on a branch with that head, else on a new one, on which the chat opens unless
 * told otherwise.
 *
 * @param agentId the branch that the agent writes on
 * @param input.message a person's message to add there first
 */
export function planSteeringTo(
  agentId: BranchId,
  {
    message,
    ...at
  }: { message?: NewMessage | undefined } & ({ branch: BranchHead } | (Fork & { messageId: MessageId })),
): Plan {
  const { steps, branchId } =
    'branch' in at ? { steps: intoUse(at.branch), branchId: at.branch.branchId } : planFork(at)
  const headId = 'branch' in at ? at.branch.headId : at.messageId
  const said = message ? appendTo({ branchId, headId }, { messages: [message] }) : []
  const steering: Step = { kind: 'steer-agent', branchId: agentId, targetId: branchId }
  return { steps: asMove('steer', [...steps, ...said, steering]), branchId }
}

/**
 * A provider has refused a call of an agent: the log tells it, and the question stays open.
 *
 * @param replyId the id that the reply would have had
 */
export const planAgentFailure = (
  branchId: BranchId,
  { replyId, replyTo, reason }: { replyId: MessageId; replyTo: MessageId; reason: string },
): Step[] => [
  {
    kind: 'record',
    branchId,
    fact: { type: 'ReplyFailed', payload: { run_id: replyId, reply_to: replyTo, reason } },
  },
]

const named = (nodes: NamedNode[], branchId: BranchId, { client, keyId }: AgentName): Step[] => {
  const agent = { branchId, ...(client !== undefined && { client }), ...(keyId !== undefined && { keyId }) }
  return nodes.length === 0 ? [] : [{ kind: 'keep-nodes', nodes, agent }]
}
