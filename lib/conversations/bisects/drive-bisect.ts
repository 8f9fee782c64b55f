import type { UIMessage } from 'ai'
import {
  type BisectNext,
  type BisectStanding,
  type BisectState,
  bisectNext,
  type Change,
  HeadConflictError,
  type MessageData,
  messagePreview,
  messageText,
  type NewMessage,
  planBisect,
  planCheckpoint,
  planProbe,
  planProbeEnd,
  planTitle,
  QuotaExceededError,
  ReplayMovedError,
} from '@/lib/context'
import type { BisectId, ChatId } from '@/lib/events'
import { probeName } from '@/lib/events/branch-name'
import { cutTitle, titleWords } from '@/lib/events/title-words'
import type { GraphDelta } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { saidIn } from '../replays/questions'
import { anew } from '../threads/planned-command'
import { modelOf } from '../turns/choices'
import { newUserMessage } from '../turns/user-message'
import { judgeReply } from './judge-reply'

/** So much of the turn that made the difference is part of its checkpoint's name, in letters. */
const mostOfTurn = 32

/**
 * Takes the next step of a bisect, in one write: judges the reply and asks the next question, waits for a person's word,
 * pauses with the reason, or ends. Several may drive the same one: one of them takes the step.
 *
 * @param input.says a person's verdict on the waiting reply
 * @param input.again a person repeats a failed run
 */
export async function driveBisect(
  ports: Ports,
  { chatId, bisectId, says, again }: { chatId: ChatId; bisectId: BisectId; says?: boolean; again?: boolean },
): Promise<GraphDelta | undefined> {
  const attempt = async () => {
    const standing = await ports.bisects.standing(chatId, bisectId)
    if (!standing || standing.runId !== null) return undefined
    const { status } = standing.bisect
    const wanted = says !== undefined ? 'waiting' : again ? 'paused' : 'running'
    if (status !== wanted) return undefined
    try {
      const { steps, spent } = await stepsOf(ports, standing, { says, again })
      return await commit(ports, standing, steps, spent)
    } catch (error) {
      if (!(error instanceof QuotaExceededError)) throw error
      return commit(ports, standing, [
        moved(standing, { status: 'paused', reason: 'A limit of this server is reached.' }),
      ])
    }
  }
  return anew(attempt, { movedBy: [ReplayMovedError, HeadConflictError] })
}

async function stepsOf(
  ports: Ports,
  standing: BisectStanding,
  { says, again }: { says?: boolean | undefined; again?: boolean | undefined },
): Promise<Pick<Change, 'steps' | 'spent'>> {
  const { bisect, head, failure, chatId, ownerId } = standing
  const models = await ports.models.of(ownerId)
  const model = standing.model ?? modelOf(models, standing.context)
  const paused = (reason: string) => ({ steps: [moved(standing, { status: 'paused', reason })] })
  if (!models.has(model)) return paused(`The model "${model}" is not available now.`)
  const isWhole = head?.name === 'assistant' && head.status === null
  if (!again && !isWhole) return paused(failure ?? 'The reply of the last run is missing, or in part.')
  if (again && !isWhole) {
    const same = { ...repeated(bisect), ...boundsOf(bisect) }
    return { steps: await stepTo(ports, standing, same, model) }
  }
  const chain = await ports.store.getMessageChain(chatId, bisect.questionId, { last: 1 })
  const [question, reply] = [messageText(chain.at(-1)?.data), messageText(head?.data)]
  const asked = { ownerId, chatId, model, question, reply }
  try {
    const judged = says === undefined ? await judgeReply(ports, bisect.judge, asked) : { says, tokens: 0 }
    if (!judged) return { steps: [moved(standing, { status: 'waiting', reason: null })] }
    const next = bisectNext({ ...boundsOf(bisect), probe: bisect.probe }, judged.says)
    const steps = await stepTo(ports, standing, next, model)
    return judged.tokens > 0 ? { steps, spent: { tokens: judged.tokens, calls: 1 } } : { steps }
  } catch (error) {
    if (error instanceof InvalidRequestError) return paused(error.message)
    if (bisect.judge.kind !== 'model') throw error
    ports.logError(`judging bisect ${bisect.id}`, error)
    return paused('The model could not be asked what it thinks of the reply.')
  }
}

const boundsOf = ({ low, high, isWithout, turns }: BisectState) => ({
  low,
  high,
  isWithout,
  turns: turns.length,
})

/** The same run again. */
const repeated = ({ isWithout, high, probe }: BisectState): BisectNext =>
  isWithout ? { do: 'without', turn: high } : { do: 'probe', length: probe ?? 0 }

/** The steps of the next probe: the branch of the run before is archived. */
export async function stepTo(
  ports: Ports,
  standing: Pick<BisectStanding, 'bisect' | 'chatId' | 'context'>,
  next: ReturnType<typeof bisectNext>,
  model: string,
): Promise<Change['steps']> {
  const { bisect, chatId, context } = standing
  const { turns } = bisect
  const fold = bisect.branchId === null ? [] : [planProbeEnd(bisect.branchId)]
  const bounds = { low: next.low, high: next.high, isWithout: next.isWithout }
  const over = { ...bounds, branchId: null, askedId: null, probe: null }
  if (next.do === 'end') {
    const found = next.turn === null ? undefined : turns[next.turn - 1]
    const reason = sentenceOf(next)
    const [asked] = found ? await ports.store.getMessageChain(chatId, found.first, { last: 1 }) : []
    const mark = asked
      ? planCheckpoint({
          name: `Bisect: turn ${next.turn}, “${cutTitle(titleWords(messageText(asked.data)), mostOfTurn)}”`,
          messageId: asked.id,
          newId: ports.newId,
        })
      : []
    const state = {
      foundId: found?.first ?? null,
      confirmed: next.confirmed,
      status: 'done' as const,
      reason,
    }
    return [...fold, ...mark, moved(standing, { ...over, ...state })]
  }
  const length = next.do === 'probe' ? next.length : next.turn - 1
  const at = length === 0 ? null : (turns[length - 1]?.last ?? null)
  const chain = await ports.store.getMessageChain(chatId, bisect.questionId)
  const question = chain.slice(-1)
  const after = turns[next.do === 'without' ? next.turn - 1 : -1]
  const kept = after ? chain.slice(chain.findIndex(({ id }) => id === after.last) + 1) : question
  const runs = bisect.runs + 1
  const probe = planProbe({
    name: probeName(bisect.id, runs),
    after: 'bisect',
    at,
    first: chain[0]?.id ?? '',
    messages: kept.map((message) => copied(ports, message)),
    contextId: context?.id,
    newId: ports.newId,
    run: { runId: ports.newId(), replyId: ports.newId(), model },
  })
  const state = {
    ...bounds,
    branchId: probe.branchId,
    askedId: probe.askedId,
    runs,
    probe: next.do === 'probe' ? next.length : bisect.probe,
    status: 'running' as const,
    reason: null,
  }
  const title = planTitle(probe.branchId, probeTitle(next, turns.length))
  return [...fold, ...probe.steps, ...title, moved(standing, state)]
}

/** The words that the branch of a run is shown by. */
function probeTitle(next: Exclude<BisectNext, { do: 'end' }>, turns: number): string {
  if (next.do === 'without') return `Bisect: without turn ${next.turn}`
  if (next.length === 0) return 'Bisect: the question alone'
  return next.length === 1 ? `Bisect: turn 1 of ${turns}` : `Bisect: turns 1 to ${next.length} of ${turns}`
}

function sentenceOf({ turn, confirmed }: Extract<BisectNext, { do: 'end' }>): string {
  if (turn === null) return 'No turn above the question made the difference: it is said without any.'
  const found = `Turn ${turn} made the difference.`
  return confirmed === false ? `${found} It is said without that turn too, so others play a part.` : found
}

/** A message under an id of its own, as a copy. */
function copied(ports: Ports, message: MessageData): NewMessage {
  const id = ports.newId()
  const said = saidIn(message)
  if (message.name === 'user')
    return { ...newUserMessage({ ...said, id }, ports.clock()), copiedFromId: message.id }
  const data: UIMessage = { ...(message.data as UIMessage), id }
  return {
    id,
    name: message.name,
    data,
    preview: messagePreview(data),
    createdAt: ports.clock(),
    copiedFromId: message.id,
    ...(message.type !== undefined && { type: message.type }),
    ...(message.status !== undefined && { status: message.status }),
  }
}

export const moved = ({ bisect }: Pick<BisectStanding, 'bisect'>, change: Partial<BisectState>) =>
  planBisect({ ...bisect, ...change })

async function commit(
  ports: Ports,
  { chatId, ownerId }: BisectStanding,
  steps: Change['steps'],
  spent?: Change['spent'],
): Promise<GraphDelta> {
  const change: Change = { chatId, ownerId, at: ports.clock(), steps, ...(spent && { spent }) }
  const done = await ports.store.commit(change)
  if (steps.some(({ kind }) => kind === 'queue-run')) ports.queue.nudge(ports.slots.when(ownerId))
  return deltaOf(change, done)
}
