'use client'

import { deferred } from '@/components/app/deferred'
import { headOf } from '@/components/session/chat-session'
import type { useMoves } from '@/components/session/use-moves'
import type { BranchId } from '@/lib/events'
import { agentStanding, branchTitle, type GraphIndex, goesOnAt } from '@/lib/graph'
import type { GraphAgent } from '@/lib/protocol'

// loaded where an agent writes
const AgentBar = deferred(() => import('./agent-bar'))

interface AgentNoteProps {
  index: GraphIndex
  branchId: BranchId
  moves: Pick<ReturnType<typeof useMoves>, 'steer' | 'stopSteering'>
  onBranch(id: BranchId): void
}

/** The place where the agent of the branch being read goes on. */
export function AgentNote({ index, branchId, moves, onBranch }: AgentNoteProps) {
  const standing = agentStanding(index, branchId)
  if (!standing) return null
  const { agent } = standing
  return (
    <AgentBar
      key={`${standing.kind} ${agent.branchId}`}
      standing={standing}
      titleOf={(id) => branchTitle(index, id)}
      onBranch={onBranch}
      onStop={() => moves.stopSteering(agent.branchId)}
      onSteer={async () => {
        const messageId = headOf(index, branchId)
        if (messageId !== null) await moves.steer({ agentId: agent.branchId, messageId })
      }}
    />
  )
}

/**
 * The agent whose steering a person means: the agent of the branch being read, else the one that was steered last.
 */
export function steeredAgent({ graph }: GraphIndex, branchId: BranchId): GraphAgent | undefined {
  const steered = (graph.agents ?? []).filter((agent) => goesOnAt(agent) !== null)
  return (
    steered.find((agent) => agent.branchId === branchId || goesOnAt(agent) === branchId) ??
    steered.sort((one, other) => (other.steering?.at ?? 0) - (one.steering?.at ?? 0))[0]
  )
}
