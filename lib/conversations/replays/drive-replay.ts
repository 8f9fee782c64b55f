import {
  type Change,
  ContextMovedError,
  HeadConflictError,
  MessageExistsError,
  NotFoundError,
  type OpenReplay,
  planAnswer,
  planQuestion,
  planReplayMove,
  QuotaExceededError,
  ReplayMovedError,
  type ReplayNext,
  ReplyInProgressError,
  replayNext,
} from '@/lib/context'
import type { ChatId, ReplayId } from '@/lib/events'
import type { GraphDelta } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import type { Ports } from '../ports'
import { anew } from '../threads/planned-command'
import { missingFiles } from './missing'
import { askedAgain } from './questions'

/** Another driver, or a person, was first. */
const movesOfReplay = [
  ReplayMovedError,
  HeadConflictError,
  MessageExistsError,
  ReplyInProgressError,
  ContextMovedError,
]

/**
 * Takes the next step of a replay, in one write: asks the next question and queues its reply, or pauses with the reason, or
 * ends. Several may drive the same replay: one of them takes the step.
 *
 * @param input.resumed a person has resumed it, and knows why it was paused
 * @returns the written delta; undefined when there was nothing to do
 */
export async function driveReplay(
  ports: Ports,
  { chatId, replayId, resumed = false }: { chatId: ChatId; replayId: ReplayId; resumed?: boolean },
): Promise<GraphDelta | undefined> {
  return anew(
    async () => {
      const open = await ports.replays.standing(chatId, replayId)
      if (!open || !(open.replay.status === 'running' || (resumed && open.replay.status === 'paused')))
        return undefined
      const next = replayNext(open, resumed)
      return next.do === 'wait' && !resumed ? undefined : take(ports, open, next, resumed)
    },
    { movedBy: movesOfReplay },
  )
}

async function take(
  ports: Ports,
  open: OpenReplay,
  next: ReplayNext,
  resumed: boolean,
): Promise<GraphDelta | undefined> {
  try {
    const steps = await stepsOf(ports, open, next, resumed)
    return await commit(ports, open, steps)
  } catch (error) {
    if (!(error instanceof QuotaExceededError)) throw error
    const { limit, used, allowed } = error
    const reason = `A limit of this server is reached: ${used} of ${allowed} ${limit.replace('_', ' ')}.`
    return commit(ports, open, [planReplayMove(open, { status: 'paused', reason })])
  }
}

async function stepsOf(
  ports: Ports,
  open: OpenReplay,
  next: ReplayNext,
  resumed: boolean,
): Promise<Change['steps']> {
  const paused = (reason: string) => [planReplayMove(open, { status: 'paused', reason })]
  if (next.do === 'end') {
    const { status, reason } = next
    return [planReplayMove(open, { status, reason })]
  }
  if (next.do === 'pause') return paused(next.reason)
  if (next.do === 'wait') return [planReplayMove(open, { status: 'running', reason: null })]
  const { ownerId, chatId, replay, context, content } = open
  const models = await ports.models.of(ownerId)
  const model = context?.model ?? models.defaultId
  if (!models.has(model)) {
    return paused(
      `The model "${model}" is not available any more. Choose another one for the branch, then go on.`,
    )
  }
  const reply = { runId: ports.newId(), replyId: ports.newId(), model }
  if (next.do === 'answer') return planAnswer(open, { newId: ports.newId, reply })
  if (!open.next) throw new NotFoundError('message', '')
  const { sentences, stored } = await missingFiles(ports, {
    ownerId,
    chatId,
    models,
    model,
    questions: [open.next],
  })
  if (sentences.length > 0 && !replay.anyway && !resumed)
    return paused(`${sentences.join(' ')} Go on to do without.`)
  const { asked: place } = replay
  const message = askedAgain(open.next, {
    replayId: replay.id,
    place,
    at: ports.clock(),
    stored,
    content: place === 0 ? content : null,
  })
  return planQuestion(open, { message, reply })
}

async function commit(ports: Ports, open: OpenReplay, steps: Change['steps']): Promise<GraphDelta> {
  const { chatId, ownerId } = open
  const change: Change = { chatId, ownerId, at: ports.clock(), steps }
  const done = await ports.store.commit(change)
  if (steps.some(({ kind }) => kind === 'queue-run')) ports.queue.nudge(ports.slots.when(ownerId))
  return { ...deltaOf(change, done), replays: await ports.replays.shown(chatId) }
}
