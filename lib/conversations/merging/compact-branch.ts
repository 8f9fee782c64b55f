import {
  type Change,
  digestOf,
  type MessageData,
  messagePreview,
  NotFoundError,
  NothingToMergeError,
  planCompact,
  type ThreadCommand,
} from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import { titleAlone } from '@/lib/graph'
import type { Moved, SummaryPreview } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import type { Ports } from '../ports'
import { summaryOf } from '../replies/fit-window'
import { anew, carryOut, chatOfThreads } from '../threads/planned-command'
import { contextInForce } from '../turns/context-value'
import { checkText } from '../turns/user-message'
import { counted, failureOf } from './counted-model'
import type { MergedAnswer } from './merge-branches'
import { readBranch, refuseBusy, writerOf } from './read-sides'

interface Part {
  ownerId: UserId
  chatId: ChatId
  branchId: BranchId
  /** up to this message of the branch; to its head unless given */
  messageId?: MessageId | undefined
}

interface Compact extends Part {
  /** the reviewed summary; without it, it is written now */
  summary?: string | undefined
}

/**
 * Previews the summary of a branch; nothing is stored. The branch's model writes it. It is a digest of the
 * messages without a model, when the model fails, and when `by` says so.
 *
 * @throws NotFoundError, ReplyInProgressError, NothingToMergeError for an empty branch
 */
export async function previewSummary(
  ports: Ports,
  input: Part & { by?: 'model' | 'digest' | undefined; signal: AbortSignal },
): Promise<SummaryPreview> {
  const { models, chain, context } = await readPart(ports, input)
  const digest = () => ({ count: chain.length, summary: digestOf(chain).text, writtenBy: null })
  const model = input.by === 'digest' ? null : writerOf(models, context)
  if (model === null) return { ...digest(), failure: null }
  try {
    const { window } = models.facts(model)
    const { chatId, signal } = input
    const summary = await summaryOf(counted(ports, chatId), { chatId, model, chain, window, signal })
    return { summary, count: chain.length, writtenBy: model, failure: null }
  } catch (error) {
    const { chatId, signal } = input
    const failure = failureOf(ports, error, { what: 'summary', chatId, model, signal })
    return { ...digest(), failure }
  }
}

/**
 * Opens a branch that begins with a summary of another one, and switches to it: see `planCompact`.
 *
 * @throws NotFoundError, ReplyInProgressError, InvalidRequestError, NothingToMergeError for an empty branch; then nothing is
 *   written
 */
export async function compactBranch(ports: Ports, input: Compact): Promise<Moved> {
  const summary = summaryOnce(ports, input)
  return anew(async () => {
    const { change, branchId } = await plannedCompact(ports, input, summary)
    return { delta: deltaOf(change, await ports.store.commit(change)), branchId }
  })
}

/** `compactBranch` as a command; it rejects with `IdempotencyMismatchError` besides. */
export async function compactThread(
  ports: Ports,
  {
    ownerId,
    once,
    threadId,
    ...asked
  }: ThreadCommand & Pick<Compact, 'summary' | 'messageId'> & { threadId: BranchId },
): Promise<MergedAnswer> {
  const { chatId, called } = await chatOfThreads(ports, ownerId, [threadId])
  const input = { ...asked, ownerId, chatId, branchId: threadId }
  const summary = summaryOnce(ports, input)
  return carryOut(ports, { ownerId, once }, async () => {
    const { change, branchId, messageId } = await plannedCompact(ports, input, summary)
    return { change, answer: { chat_id: called, thread_id: branchId, message_id: messageId } }
  })
}

/** `previewSummary` of a thread. */
export async function previewThread(
  ports: Ports,
  {
    threadId,
    ...input
  }: Omit<Parameters<typeof previewSummary>[1], 'chatId' | 'branchId'> & { threadId: BranchId },
): Promise<SummaryPreview> {
  const { chatId } = await chatOfThreads(ports, input.ownerId, [threadId])
  return previewSummary(ports, { ...input, chatId, branchId: threadId })
}

/** The summary of a request that brings none: written once, however often the branch is compacted. */
function summaryOnce(ports: Ports, input: Compact): () => Promise<string> {
  let written: Promise<SummaryPreview> | undefined
  const signal = new AbortController().signal
  return async () => {
    written ??= previewSummary(ports, { ...input, signal })
    return (await written).summary
  }
}

async function plannedCompact(ports: Ports, input: Compact, writtenSummary: () => Promise<string>) {
  const { ownerId, chatId } = input
  if (input.summary !== undefined) checkText(input.summary)
  const { branch, chain, name, untilId } = await readPart(ports, input)
  const summary = input.summary ?? (await writtenSummary())
  const at = ports.clock()
  const { steps, branchId, messageId } = planCompact({
    branch,
    name,
    untilId,
    count: chain.length,
    summary,
    at,
    newId: ports.newId,
  })
  const change: Change = { chatId, ownerId, at, steps }
  return { change, branchId, messageId }
}

/** The part of a branch that a summary stands for. */
async function readPart(ports: Ports, { ownerId, chatId, branchId, messageId }: Part) {
  const [models, branch] = await Promise.all([
    ports.models.of(ownerId),
    readBranch(ports, { ownerId, chatId, branchId }),
  ])
  if (branch.headId === null) throw new NothingToMergeError('The branch is empty')
  await refuseBusy(ports, { ownerId, chatId, branch })
  const [whole, stored] = await Promise.all([
    ports.store.getMessageChain(chatId, branch.headId),
    ports.store.getBranch(chatId, branch.branchId),
  ])
  const end = messageId === undefined ? whole.length - 1 : whole.findIndex(({ id }) => id === messageId)
  const chain = whole.slice(0, end + 1)
  const last = chain.at(-1)
  if (!last) throw new NotFoundError('message', messageId ?? '')
  const title = stored && titleAlone({ ...stored, first: firstOf(chain) })
  const context = contextInForce(models, branch.context)
  return { models, branch, chain, untilId: last.id, name: title ?? branch.branchName, context }
}

const firstOf = ([first]: readonly MessageData[]) =>
  first && { role: first.name, preview: messagePreview(first.data) }
