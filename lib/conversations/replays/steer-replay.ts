import { NotFoundError, type OpenReplay, planReplayMove, ReplayMovedError } from '@/lib/context'
import type { BranchId, ChatId, ReplayId, UserId } from '@/lib/events'
import type { GraphDelta } from '@/lib/protocol'
import { ReplayOverError } from '../errors'
import type { Ports } from '../ports'
import { stopReply } from '../replies/stop-reply'
import { anew } from '../threads/planned-command'
import { driveReplay } from './drive-replay'

/** A person's action on a replay. `pause` lets the reply that is being written end, `stop` does not. */
export type Steering = 'pause' | 'resume' | 'stop'

/** Maximum attempts to steer a replay, which moves often. */
const ATTEMPTS = 8

/**
 * Pauses, resumes or stops a replay. Its present state is not a change.
 *
 * @returns the written delta, and the replay's branch: a reply that is tried again may have opened a new one
 * @throws NotFoundError, and ReplayOverError for a replay that is over
 */
export async function steerReplay(
  ports: Ports,
  input: { ownerId: UserId; chatId: ChatId; replayId: ReplayId; action: Steering },
): Promise<{ delta: GraphDelta; branchId: BranchId }> {
  const { ownerId, chatId, replayId, action } = input
  return anew(
    async () => {
      const open = await ports.replays.standing(chatId, replayId, ownerId)
      if (!open) throw new NotFoundError('replay', replayId)
      const delta = await steer(ports, { ...input, open, action })
      const after = await ports.replays.standing(chatId, replayId, ownerId)
      const shown = delta ?? { chatId, seq: 0, replays: await ports.replays.shown(chatId) }
      return { delta: shown, branchId: after?.branch.branchId ?? open.branch.branchId }
    },
    { movedBy: [ReplayMovedError], attempts: ATTEMPTS },
  )
}

async function steer(
  ports: Ports,
  {
    open,
    action,
    ownerId,
    chatId,
    replayId,
  }: { open: OpenReplay; action: Steering; ownerId: UserId; chatId: ChatId; replayId: ReplayId },
): Promise<GraphDelta | undefined> {
  const { status } = open.replay
  const wanted = { pause: 'paused', resume: 'running', stop: 'stopped' } as const
  if (status === wanted[action]) return undefined
  if (status === 'done' || status === 'stopped') {
    throw new ReplayOverError('This replay is over. Begin another one.')
  }
  if (action === 'resume') return driveReplay(ports, { chatId, replayId, resumed: true })
  const step = planReplayMove(open, { status: wanted[action], reason: null })
  const { seq } = await ports.store.commit({ chatId, ownerId, at: ports.clock(), steps: [step] })
  if (action === 'stop' && open.runId !== null) await stopReply(ports, { ownerId, chatId, runId: open.runId })
  return { chatId, seq, replays: await ports.replays.shown(chatId) }
}
