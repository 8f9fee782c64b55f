import {
  type BisectJudge,
  type BisectStanding,
  type BisectState,
  bisectNext,
  type Change,
  type MessageData,
  messageText,
  NotFoundError,
  planBisect,
  planProbeEnd,
  type ThreadCommand,
} from '@/lib/context'
import type { BisectId, ChatId, MessageId, UserId } from '@/lib/events'
import type { BisectReport } from '@/lib/protocol'
import { InvalidRequestError, NothingToBisectError, ReplayOverError } from '../errors'
import type { Ports } from '../ports'
import { stopReply } from '../replies/stop-reply'
import { carryOut } from '../threads/planned-command'
import { checkModelOfBranch, modelOf } from '../turns/choices'
import { checkText } from '../turns/user-message'
import { driveBisect, moved, stepTo } from './drive-bisect'
import { judgeReply } from './judge-reply'

interface InChat {
  ownerId: UserId
  chatId: ChatId
}

/** Longest text or pattern that a judge looks for, in characters. */
const MOST_SOUGHT = 500

/**
 * Begins the search for the turn that made a reply say something: its question is asked again below shorter beginnings of its
 * chain, each on a branch that is folded away once it is judged.
 *
 * @param request.once a request under a key that was used before is answered with the bisect that it began
 * @throws NotFoundError, InvalidRequestError (also when this very reply does not say it), NothingToBisectError,
 * IdempotencyMismatchError; then nothing is written
 */
export async function startBisect(
  ports: Ports,
  { once, ...request }: InChat & { messageId: MessageId; judge: BisectJudge } & Pick<ThreadCommand, 'once'>,
): Promise<BisectReport['bisects'][number]> {
  const { ownerId, chatId } = request
  const { bisectId } = await carryOut(ports, { ownerId, once }, () => begun(ports, request))
  ports.queue.nudge(ports.slots.when(ownerId))
  return readBisect(ports, { ownerId, chatId, bisectId })
}

/** The change that begins a bisect. */
async function begun(
  ports: Ports,
  { ownerId, chatId, messageId, judge }: InChat & { messageId: MessageId; judge: BisectJudge },
): Promise<{ change: Change; answer: { bisectId: BisectId } }> {
  const [found, models] = await Promise.all([
    ports.reads.message(chatId, ownerId, messageId),
    ports.models.of(ownerId),
  ])
  if (!found) throw new NotFoundError('message', messageId)
  if (found.message.name !== 'assistant') {
    throw new InvalidRequestError('Only a reply can be looked into.', 'not_a_reply')
  }
  const chain = await ports.store.getMessageChain(chatId, messageId)
  const at = chain.slice(0, -1).findLastIndex(({ name }) => name === 'user')
  const question = chain[at]
  const turns = turnsOf(chain.slice(0, Math.max(0, at)))
  if (!question || turns.length === 0) throw new NothingToBisectError('Nothing stands above this question')
  await checkJudge(ports, judge, { ownerId, chatId, reply: messageText(found.message.data) })
  const context = question.contextId ? await ports.reads.context(chatId, question.contextId) : undefined
  const made = (found.message.data as { metadata?: { model?: string } }).metadata?.model
  // an imported reply names a model of another program
  const model = made !== undefined && models.has(made) ? made : modelOf(models, context)
  checkModelOfBranch(models, model)
  const bisect: BisectState = {
    id: ports.newId(),
    replyId: messageId,
    questionId: question.id,
    turns,
    judge,
    low: -1,
    high: turns.length,
    probe: null,
    isWithout: false,
    branchId: null,
    askedId: null,
    runs: 0,
    status: 'running',
    reason: null,
    foundId: null,
    confirmed: null,
  }
  const next = bisectNext({ ...bisect, turns: turns.length }, null)
  const standing = { bisect: { ...bisect, version: 0 }, chatId, context: context ?? null }
  const planned = await stepTo(ports, standing, next, model)
  // it begins in the state that its first run has made of it
  const steps = planned.map((step) =>
    step.kind === 'keep-bisect' ? planBisect({ ...step.bisect, version: undefined }) : step,
  )
  return { change: { chatId, ownerId, at: ports.clock(), steps }, answer: { bisectId: bisect.id } }
}

/**
 * Records a person's verdict on the waiting reply, resumes the bisect, or stops it.
 *
 * @throws NotFoundError, and ReplayOverError for a bisect that is over
 */
export async function steerBisect(
  ports: Ports,
  input: InChat & { bisectId: BisectId } & ({ says: boolean } | { action: 'resume' | 'stop' }),
): Promise<BisectReport['bisects'][number]> {
  const { ownerId, chatId, bisectId } = input
  const standing = await ports.bisects.standing(chatId, bisectId, ownerId)
  if (!standing) throw new NotFoundError('bisect', bisectId)
  const { status, branchId } = standing.bisect
  if ('action' in input && input.action === 'stop' && status === 'stopped') return toReport(standing)
  if (status === 'done' || status === 'stopped')
    throw new ReplayOverError('This search is over. Begin another one.')
  if ('says' in input) await driveBisect(ports, { chatId, bisectId, says: input.says })
  else if (input.action === 'resume') await driveBisect(ports, { chatId, bisectId, again: true })
  else {
    const step = moved(standing, {
      status: 'stopped',
      reason: null,
      branchId: null,
      askedId: null,
      probe: null,
    })
    if (standing.runId !== null) await stopReply(ports, { ownerId, chatId, runId: standing.runId })
    const steps = [...(branchId === null ? [] : [planProbeEnd(branchId)]), step]
    await ports.store.commit({ chatId, ownerId, at: ports.clock(), steps })
  }
  return readBisect(ports, { ownerId, chatId, bisectId })
}

/** The bisects of a chat, the latest first. @throws NotFoundError */
export async function readBisects(ports: Ports, { ownerId, chatId }: InChat): Promise<BisectReport> {
  const { chat } = await ports.reads.branchState(chatId, ownerId)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  return { bisects: (await ports.bisects.list(chatId, ownerId)).map(toReport) }
}

async function readBisect(ports: Ports, { ownerId, chatId, bisectId }: InChat & { bisectId: BisectId }) {
  const standing = await ports.bisects.standing(chatId, bisectId, ownerId)
  if (!standing) throw new NotFoundError('bisect', bisectId)
  return toReport(standing)
}

/**
 * The turns of a chain: a person's message and the messages after it; messages before the first belong to it.
 */
function turnsOf(chain: readonly MessageData[]): BisectState['turns'] {
  const turns: BisectState['turns'] = []
  let asked = false
  for (const { id, name } of chain) {
    const last = turns.at(-1)
    const begins = name === 'user' && asked
    if (!last || begins) turns.push({ first: id, last: id })
    else last.last = id
    asked ||= name === 'user'
  }
  return turns
}

async function checkJudge(
  ports: Ports,
  judge: BisectJudge,
  asked: { ownerId: string; chatId: ChatId; reply: string },
): Promise<void> {
  if (judge.kind === 'person') return
  const sought = judge.kind === 'text' ? judge.text : judge.kind === 'pattern' ? judge.pattern : judge.what
  checkText(sought)
  if (sought.length > MOST_SOUGHT)
    throw new InvalidRequestError(
      `What is looked for can have ${MOST_SOUGHT} characters at most.`,
      'too_long',
    )
  if (judge.kind === 'model') return
  const judged = await judgeReply(ports, judge, { ...asked, model: '', question: '' })
  if (judged && !judged.says) throw new InvalidRequestError('This reply does not say that.', 'not_said')
}

function toReport({
  bisect,
  head,
  runId,
  createdAt,
  endedAt,
}: BisectStanding): BisectReport['bisects'][number] {
  const isWaiting = bisect.status === 'waiting'
  return {
    bisect_id: bisect.id,
    message_id: bisect.replyId,
    question_id: bisect.questionId,
    turns: bisect.turns.length,
    judge: bisect.judge,
    runs: bisect.runs,
    // halvings left, and one run to make sure
    runs_left: bisect.isWithout ? 0 : Math.ceil(Math.log2(Math.max(1, bisect.high - bisect.low))),
    asked_below: bisect.isWithout ? null : bisect.probe,
    asked_without: bisect.isWithout ? bisect.high : null,
    thread_id: bisect.branchId,
    reply: isWaiting && runId === null ? messageText(head?.data) : null,
    status: bisect.status,
    reason: bisect.reason,
    found_message_id: bisect.foundId,
    confirmed: bisect.confirmed,
    created_at: new Date(createdAt).toISOString(),
    ended_at: endedAt === null ? null : new Date(endedAt).toISOString(),
  }
}
