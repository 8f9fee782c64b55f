import type { ContextId, FinishRun, MessageId, NewMessage, QueueRun, Step, UserId } from '@/lib/events'
import { messagePreview } from '../fragments'
import type { Change } from '../store/change'
import { HeadConflictError } from '../store/errors'
import type { BranchState, ContextData, RunRecord } from '../store/records'
import { type Fork, type NewId, openBranch, type Plan, planContext, planFork, switchTo } from './plan-moves'

/** The branch a turn continues. */
export type BranchHead = Pick<BranchState, 'branchId' | 'branchName' | 'headId'> & {
  isArchived?: boolean
  context?: Pick<ContextData, 'id'> | null
}

/** The context a turn is made in; without it everything stays in the one in force. */
interface InContext {
  contextId?: ContextId | undefined
}

/**
 * The first turn of a chat: makes the chat with one branch and the message on it.
 *
 * @param input.branchId chosen by the client, which goes on using it
 */
export function planFirstTurn({
  message,
  ...create
}: {
  userId: UserId
  title: string
  branchId: string
  contextId: ContextId
  message: NewMessage
}): Plan & { create: NonNullable<Change['create']> } {
  const { branchId, contextId } = create
  const steps = appendTo({ branchId, headId: null }, { messages: [message], contextId })
  return { create, steps, branchId }
}

/**
 * The next messages of a branch, below the head the writer knows (DESIGN.md §7). An archived branch that is continued is
 * restored and the chat opens on it; the engine never says that its branch is archived, and leaves it so.
 *
 * @param input.expectedHead the head the client saw, if it names one
 * @param input.contextId the context of the branch from now on, which must be in `branch.context` before
 * @throws HeadConflictError when the branch is not at `expectedHead`
 */
export function planTurn({
  branch,
  expectedHead,
  ...said
}: {
  branch: BranchHead
  messages: NewMessage[]
  expectedHead?: MessageId | null | undefined
} & InContext): Plan {
  if (expectedHead !== undefined && expectedHead !== branch.headId) {
    throw new HeadConflictError(`Branch "${branch.branchName}" has moved on`)
  }
  const { messages, contextId } = said
  return {
    steps: [...intoUse(branch), ...inForce(branch, contextId), ...appendTo(branch, { messages })],
    branchId: branch.branchId,
  }
}

/**
 * An edit: a new branch opens before the edited message and the new messages go there; an edited first message becomes a
 * new root (DESIGN.md §5; departure: seeds/000 “Save Flow” overwrites it).
 *
 * @param input.edited the stored message, which stays as it is
 */
export function planEdit({
  edited,
  messages,
  ...fork
}: Fork & { edited: { id: MessageId; parentId: MessageId | null }; messages: NewMessage[] }): Plan {
  const { steps, branchId } = openBranch(fork, edited.parentId, { messageId: edited.id, before: true })
  const { contextId } = fork
  return {
    steps: [...steps, ...appendTo({ branchId, headId: edited.parentId }, { messages, contextId })],
    branchId,
  }
}

/**
 * Another attempt at the reply to a message (DESIGN.md §7): on the same branch while the message is its head and has no
 * reply, else on a new branch that opens at the message. The branch goes on in the context of the reply.
 */
export function planRetry({
  branch,
  message,
  contextId,
  newId,
}: {
  branch: BranchHead
  message: { id: MessageId; answered: boolean }
  newId: NewId
} & InContext): Plan {
  if (!message.answered && branch.headId === message.id) {
    return { steps: [...intoUse(branch), ...inForce(branch, contextId)], branchId: branch.branchId }
  }
  return planFork({ after: branch.branchName, messageId: message.id, contextId, newId })
}

/** Queues the reply to a branch's head; with `leaseMs` the caller holds the run from the same write on. */
export const planRun = (run: Omit<QueueRun, 'kind'>): QueueRun => ({ kind: 'queue-run', ...run })

/** End of a run, and its reply if it has one. */
interface Ending extends Pick<FinishRun, 'status' | 'error'> {
  reply?:
    | {
        data: unknown
        createdAt: number
        usage: NonNullable<NewMessage['reply']>['usage']
        /** the ids of the stored files that it names */
        files?: string[]
      }
    | undefined
  newId: NewId
}

/**
 * The end of a run, in one write (DESIGN.md §7): its reply below the message it answers, and the run's terminal state. When
 * the branch has moved on, the reply becomes a sibling on a new branch. The context of a branch is changed by nothing here:
 * a person may have changed it while the reply was written, and so may the model, which remembers.
 */
export function planEnding(run: RunRecord, { status, error, reply, newId }: Ending): Step[] {
  const { runId, fence, branchId, replyTo, replyId, model } = run
  const end: Step = { kind: 'finish-run', runId, fence, status, error }
  if (!reply) return [end]
  const { data, createdAt, usage, files = [] } = reply
  const message: NewMessage = {
    id: replyId,
    name: 'assistant',
    type: 'message',
    data,
    preview: messagePreview(data),
    status: status === 'completed' ? undefined : status,
    runId,
    createdAt,
    reply: { model, usage },
    ...(files.length > 0 && { files }),
  }
  const line = { branchId, expectedHead: replyTo, orBranchId: newId(), messages: [message] }
  return [{ kind: 'append', ...line }, end]
}

/** A line of messages below a head; nothing for no messages. */
export const appendTo = (
  { branchId, headId }: Pick<BranchHead, 'branchId' | 'headId'>,
  { messages, contextId }: { messages: NewMessage[] } & InContext,
): Step[] =>
  messages.length === 0 ? [] : [{ kind: 'append', branchId, expectedHead: headId, contextId, messages }]

const inForce = ({ branchId, context }: BranchHead, contextId: ContextId | undefined): Step[] =>
  contextId === undefined || contextId === context?.id
    ? []
    : [planContext({ branchId, expected: context?.id ?? null, contextId })]

/** An archived branch is restored, and the chat opens on it. */
export const intoUse = ({ isArchived, branchId }: BranchHead): Step[] =>
  isArchived ? [{ kind: 'unarchive-branch', branchId }, switchTo(branchId)] : []
