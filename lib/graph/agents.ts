import type { BranchId, MessageId } from '@/lib/events'
import { agentClientNames, agentClientOf } from '@/lib/events/agent-client'
import type { Graph, GraphAgent } from '@/lib/protocol'
import type { GraphIndex } from './graph-index'

type WithAgents = Pick<Graph, 'agents'>

/** Name of an agent: the calling program without its version; else the name of its key. */
export function agentName({ client, key }: Pick<GraphAgent, 'client' | 'key'>): string {
  const known = agentClientOf(client ?? '')
  if (known !== 'api') return agentClientNames[known]
  const program = client?.split(/[/\s(]/, 1)[0]
  return program || key || 'The agent'
}

/** The branch on which an agent goes on with its next call; null for its own branch. */
export const goesOnAt = ({ steering }: GraphAgent): BranchId | null =>
  steering && steering.followedAt === null ? steering.toId : null

/** The agents whose next call goes on on a branch. */
const steeredTo = ({ agents = [] }: WithAgents, branchId: BranchId): GraphAgent[] =>
  agents.filter((agent) => goesOnAt(agent) === branchId)

/** The words on a branch that an agent goes on with; null on any other. */
export const steeringMark = (graph: WithAgents, branchId: BranchId): string | null =>
  steeredTo(graph, branchId).length > 0 ? 'agent next' : null

/**
 * The agents that can be steered to a message: first the agent that writes on the branch being read, then agents
 * whose last message goes on from it; among equals, the one that called last.
 */
export function agentsFor(index: GraphIndex, messageId: MessageId, readId: BranchId): GraphAgent[] {
  const { agents = [] } = index.graph
  const nearness = ({ branchId, messageId: last }: GraphAgent) =>
    branchId === readId ? 2 : Number(index.isOnChain(messageId, last))
  return agents
    .filter(({ branchId }) => index.branch(branchId)?.archivedAt === null)
    .sort((one, other) => nearness(other) - nearness(one) || other.calledAt - one.calledAt)
}

/** Relation of an agent to the branch being read, where a person has to know it. */
export type AgentStanding =
  /** its next call goes on at the end of this branch */
  | { kind: 'awaited'; agent: GraphAgent }
  /** it writes here, and its next call goes on elsewhere */
  | { kind: 'leaving'; agent: GraphAgent; toId: BranchId }
  /** it was steered here, and has gone on */
  | { kind: 'followed'; agent: GraphAgent; at: number }
  /** it writes here, and a person has written messages that it does not know of */
  | { kind: 'behind'; agent: GraphAgent }

/** The standing of the branch being read; null where no agent has to do with it. */
export function agentStanding(index: GraphIndex, branchId: BranchId): AgentStanding | null {
  const { agents = [] } = index.graph
  const [awaited] = steeredTo(index.graph, branchId)
  if (awaited) return { kind: 'awaited', agent: awaited }
  const own = agents.find((agent) => agent.branchId === branchId)
  const toId = own && goesOnAt(own)
  if (own && toId) return { kind: 'leaving', agent: own, toId }
  const headId = index.branch(branchId)?.headId ?? null
  const goesOn = own && headId !== null && headId !== own.messageId
  if (goesOn && index.isOnChain(own.messageId, headId)) return { kind: 'behind', agent: own }
  const followed = agents
    .filter(({ steering }) => steering?.toId === branchId && steering.followedAt !== null)
    .sort((one, other) => (other.steering?.followedAt ?? 0) - (one.steering?.followedAt ?? 0))[0]
  const at = followed?.steering?.followedAt
  return followed && at != null ? { kind: 'followed', agent: followed, at } : null
}
