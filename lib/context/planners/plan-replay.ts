import type {
  BeginReplay,
  BranchId,
  ContextId,
  MessageId,
  MoveReplay,
  NewMessage,
  QueueRun,
  ReplayId,
  ReplayState,
  Step,
} from '@/lib/events'
import { waitingCalls } from '../engine/tool-answers'
import { type NewId, openBranch, type Plan } from './plan-moves'
import { appendTo, type BranchHead, planRetry, planRun } from './plan-turn'

/** A replay, and the state of its branch. */
export interface ReplayStanding {
  replay: ReplayState & { version: number; total: number }
  branch: Pick<BranchHead, 'branchId' | 'branchName' | 'headId'> & {
    isArchived: boolean
    /** the message at its head */
    head: { name: string; status: 'stopped' | 'failed' | null; data: unknown } | null
  }
  /** a reply on the branch is queued or being written */
  isWriting: boolean
  /** a person has written on the branch after the last question */
  isWrittenOn: boolean
  /** why the reply to the last question is missing */
  failure: string | null
}

/** Next step of a replay. */
export type ReplayNext =
  /** a reply is being written */
  | { do: 'wait' }
  /** asks the next question */
  | { do: 'ask' }
  /** answers the last question again: its reply is missing or partial */
  | { do: 'answer' }
  | { do: 'pause'; reason: string }
  | { do: 'end'; status: 'done' | 'stopped'; reason: string | null }

/** Ids and model of a planned reply's run, which `planRun` needs besides the plan. */
type Reply = Pick<QueueRun, 'runId' | 'replyId' | 'model'>

/**
 * Opens a branch before the first message to ask again, records that in the log, and asks it there. The
 * caller gets it answered, and asks the next one.
 *
 * @param input.before the stored first message
 * @param input.first the first question, in its copy or with other words; null asks nothing yet
 */
export function planReplayBranch({
  source,
  replay,
  before,
  first,
  ...fork
}: {
  source: { branchId: BranchId; branchName: string }
  replay: { id: ReplayId; model: string }
  before: { id: MessageId; parentId: MessageId | null }
  first: NewMessage | null
  contextId?: ContextId
  activate?: boolean
  newId: NewId
}): Plan {
  const opening = { ...fork, after: source.branchName }
  const { steps, branchId } = openBranch(opening, before.parentId, { messageId: before.id, before: true })
  const payload = {
    replay_id: replay.id,
    source_thread_id: source.branchId,
    from_message_id: before.id,
    model: replay.model,
  }
  const started: Step = { kind: 'record', branchId, fact: { type: 'ReplayStarted', payload } }
  const { contextId } = fork
  const asked = first ? appendTo({ branchId, headId: before.parentId }, { messages: [first], contextId }) : []
  return { steps: [...steps, started, ...asked], branchId }
}

/**
 * Opens a branch before the first message to ask again, asks it there and queues its reply;
 * `planReplayBranch` lets the replay continue by itself. A replay that begins paused, without a first
 * question, asks nothing yet.
 */
export function planReplay({
  source,
  replay,
  before,
  first,
  contextId,
  activate,
  newId,
  reply,
}: {
  source: { branchId: BranchId; branchName: string }
  replay: Pick<BeginReplay['replay'], 'id' | 'questions' | 'content' | 'model' | 'anyway' | 'reason'>
  before: { id: MessageId; parentId: MessageId | null }
  first: NewMessage | null
  contextId: ContextId
  activate: boolean
  newId: NewId
  reply: Reply
}): Plan {
  const { steps, branchId } = planReplayBranch({
    source,
    before,
    first,
    contextId,
    activate,
    newId,
    replay: { id: replay.id, model: reply.model },
  })
  const run = first ? [planRun({ ...reply, branchId, replyTo: first.id })] : []
  const begun: ReplayState = {
    id: replay.id,
    anyway: replay.anyway,
    reason: replay.reason,
    asked: first ? 1 : 0,
    lastId: first?.id ?? null,
    status: first ? 'running' : 'paused',
  }
  const begin: BeginReplay = {
    kind: 'begin-replay',
    branchId,
    replay: { ...replay, ...begun, contextId, sourceBranchId: source.branchId },
  }
  return { steps: [...steps, ...run, begin], branchId }
}

/**
 * Next step of a replay, from its state alone: two processes with the same state decide the same.
 *
 * @param resumed a person has resumed it: a missing or partial reply is tried again first
 */
export function replayNext(standing: ReplayStanding, resumed = false): ReplayNext {
  const { replay, branch, isWriting, isWrittenOn, failure } = standing
  const { head, headId } = branch
  if (isWrittenOn) return { do: 'end', status: 'stopped', reason: 'You wrote on its branch yourself.' }
  if (isWriting) return { do: 'wait' }
  if (branch.isArchived) return { do: 'pause', reason: 'Its branch is archived. Unarchive it to go on.' }
  if (replay.asked > 0 && headId === replay.lastId) {
    if (resumed) return { do: 'answer' }
    const why = failure ?? 'Its attempt was ended.'
    return { do: 'pause', reason: `Question ${replay.asked} has no reply. ${why}` }
  }
  if (replay.asked > 0 && head?.name === 'assistant') {
    if (waitingCalls(head.data).length > 0) {
      return { do: 'pause', reason: 'A tool waits for your answer. Answer it, then go on.' }
    }
    if (head.status !== null) {
      const how = head.status === 'stopped' ? 'was stopped' : 'failed partway'
      if (resumed) return { do: 'answer' }
      return {
        do: 'pause',
        reason: `The reply to question ${replay.asked} ${how}. It is tried again when you go on.`,
      }
    }
  }
  if (replay.asked >= replay.total) return { do: 'end', status: 'done', reason: null }
  return { do: 'ask' }
}

/** The next question of a replay, and the run of its reply. */
export function planQuestion(
  { replay, branch }: ReplayStanding,
  { message, reply }: { message: NewMessage; reply: Reply },
): Step[] {
  const moved = { asked: replay.asked + 1, lastId: message.id, status: 'running' as const, reason: null }
  const { branchId } = branch
  return [
    ...planNextQuestion(branch, message),
    planRun({ ...reply, branchId, replyTo: message.id }),
    planReplayMove({ replay, branch }, moved),
  ]
}

/**
 * Another attempt at the reply to the last question: on the same branch while it has no reply, else on a new
 * branch, on which the replay continues.
 */
export function planAnswer(
  { replay, branch }: ReplayStanding,
  { newId, reply }: { newId: NewId; reply: Reply },
): Step[] {
  const id = replay.lastId ?? ''
  const message = { id, answered: branch.headId !== id }
  const { steps, branchId } = planRetry({ branch, message, newId })
  const run = planRun({ ...reply, branchId, replyTo: id })
  const moved = { status: 'running' as const, reason: null }
  return [...steps, run, planReplayMove({ replay, branch: { branchId } }, moved)]
}

/** Moves a replay to another state: paused, running, over. */
export function planReplayMove(
  { replay, branch }: { replay: ReplayStanding['replay']; branch: { branchId: BranchId } },
  moved: Partial<Omit<ReplayState, 'id'>>,
): MoveReplay {
  const { id, asked, lastId, anyway, status, reason, version } = replay
  const state = { id, asked, lastId, anyway, status, reason, version, ...moved }
  return { kind: 'move-replay', branchId: branch.branchId, replay: state }
}

/** The next question of a replay, below the reply to the one before. */
export const planNextQuestion = (
  branch: Pick<BranchHead, 'branchId' | 'headId'>,
  message: NewMessage,
): Step[] => appendTo(branch, { messages: [message] })
