import {
  type Change,
  digestOf,
  type MergedContext,
  type MergeWay,
  mergeContexts,
  mergedSetup,
  NotFoundError,
  NothingToMergeError,
  planMerge,
  type Step,
  type ThreadCommand,
} from '@/lib/context'
import type {
  BranchId,
  ChatId,
  MergeConflict,
  MergeMode,
  MergeResolution,
  MessageId,
  Quote,
} from '@/lib/events'
import type { MergePreview, Moved } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { anew, carryOut, chatOfThreads } from '../threads/planned-command'
import { contextOf } from '../turns/context-value'
import { checkText } from '../turns/user-message'
import { counted, failureOf } from './counted-model'
import { readSides, type Sides, type TwoBranches, writerOf } from './read-sides'
import { type WrittenBrief, writeBrief } from './write-brief'

/** Messages of the target that a model reads beside the source's. */
const TARGET_MESSAGES = 200

/**
 * Previews the brief and the conflicts of a merge. Nothing is stored. The target's model writes the brief. It
 * is a digest of the messages without a model, when the model fails, and when `by` says so.
 *
 * @throws NotFoundError, ReplyInProgressError, NothingToMergeError
 */
export async function previewMerge(
  ports: Ports,
  input: TwoBranches & { mode: MergeMode; by?: 'model' | 'digest' | undefined; signal: AbortSignal },
): Promise<MergePreview> {
  const { mode, chatId } = input
  const sides = await readSides(ports, input)
  const { source, base, own } = sides
  const merged = mergeContexts(sides.contexts.base, sides.contexts.source, sides.contexts.target)
  if (mode === 'context') checkContextDiffers(sides, merged)
  else if (base.own === 0) throw nothingNew(sides)
  const place = { mode, baseId: base.baseId, source, count: own.length }
  const told = digestFor(mode, sides, merged)
  const model =
    mode === 'brief' && input.by !== 'digest' ? writerOf(sides.models, sides.contexts.target) : null
  if (model === null) return { ...place, ...told, writtenBy: null, failure: null }
  try {
    const written = await briefBy(ports, { chatId, model, sides, signal: input.signal })
    const conflicts = [...written.conflicts, ...merged.conflicts]
    return { ...place, ...written, conflicts, writtenBy: model, failure: null }
  } catch (error) {
    const failure = failureOf(ports, error, { what: 'brief', chatId, model, signal: input.signal })
    return { ...place, ...told, writtenBy: null, failure }
  }
}

/** Content and mode of a merge, as a person has reviewed them. */
export interface MergeRequest extends TwoBranches {
  mode: MergeMode
  /** the reviewed brief; by default it is written now */
  brief?: string | undefined
  /** quotes of the brief, and conflicts of the resolutions, as the preview had them */
  quotes?: readonly Quote[] | undefined
  conflicts?: readonly MergeConflict[] | undefined
  /** by conflict id; an unresolved conflict is left open, and a context keeps the target's wording */
  resolutions?: Readonly<Record<string, MergeResolution>> | undefined
  /** further steps of the move */
  noted?: readonly Step[] | undefined
}

/**
 * Merges a branch into another one of the same chat: see `planMerge`.
 *
 * @throws NotFoundError, ReplyInProgressError, NothingToMergeError, InvalidRequestError; then nothing is written
 */
export async function mergeBranches(ports: Ports, input: MergeRequest): Promise<Moved> {
  const brief = briefOnce(ports, input)
  return anew(async () => {
    const { change, branchId } = await plannedMerge(ports, input, brief)
    return { delta: deltaOf(change, await ports.store.commit(change)), branchId }
  })
}

/** Answer of `merge-threads` and `compact-thread`. */
export interface MergedAnswer {
  chat_id: ChatId
  thread_id: BranchId
  message_id: MessageId
  event_number?: number
}

/** `mergeBranches` as a command; it rejects with `ExpectedVersionError` and `IdempotencyMismatchError` besides. */
export async function mergeThreads(
  ports: Ports,
  {
    once,
    expectedVersion,
    ...input
  }: ThreadCommand & Omit<MergeRequest, 'chatId'> & { expectedVersion?: number | undefined },
): Promise<MergedAnswer> {
  const { ownerId, sourceId, targetId } = input
  const { chatId, called } = await chatOfThreads(ports, ownerId, [sourceId, targetId])
  const asked = { ...input, chatId }
  const brief = briefOnce(ports, asked)
  return carryOut(ports, { ownerId, once }, async () => {
    const { change, branchId, messageId } = await plannedMerge(ports, asked, brief)
    const answer = { chat_id: called, thread_id: branchId, message_id: messageId }
    return { change, answer, threadId: targetId, expectedVersion }
  })
}

/** `previewMerge` of two threads. */
export async function previewThreads(
  ports: Ports,
  input: Omit<Parameters<typeof previewMerge>[1], 'chatId'>,
): Promise<MergePreview> {
  const { chatId } = await chatOfThreads(ports, input.ownerId, [input.sourceId, input.targetId])
  return previewMerge(ports, { ...input, chatId })
}

type Brief = Pick<MergePreview, 'brief' | 'quotes' | 'conflicts'>

/** The brief of a request that brings none: written once, however often the merge is planned. */
function briefOnce(ports: Ports, input: MergeRequest): () => Promise<Brief> {
  let written: Promise<Brief> | undefined
  // the timeout of the request for a brief ends it
  const signal = new AbortController().signal
  return () => {
    written ??= previewMerge(ports, { ...input, signal })
    return written
  }
}

async function plannedMerge(ports: Ports, input: MergeRequest, writtenBrief: () => Promise<Brief>) {
  const { chatId, ownerId, mode } = input
  if (input.brief !== undefined) checkText(input.brief)
  const sides = await readSides(ports, input)
  const merged = mergeContexts(
    ...([sides.contexts.base, sides.contexts.source, sides.contexts.target] as const),
    input.resolutions,
  )
  if (mode !== 'context' && sides.base.own === 0) throw nothingNew(sides)
  const told = await toldBy(ports, input, merged, writtenBrief)
  const contexts = mode === 'context' ? [checkContextDiffers(sides, merged)] : undefined
  const way = wayOf(mode, sides, told, contexts?.[0]?.id)
  const { source, target, base } = sides
  const at = ports.clock()
  const { steps, branchId, messageId } = planMerge({
    source,
    target,
    base,
    way,
    noted: input.noted ?? [],
    at,
    newId: ports.newId,
  })
  const change: Change = { chatId, ownerId, at, steps, ...(contexts && { contexts }) }
  return { change, branchId, messageId }
}

function wayOf(mode: MergeMode, { own }: Sides, told: Told, contextId: string | undefined): MergeWay {
  if (mode === 'turns') return { mode, messages: own }
  if (mode === 'brief') return { mode, ...told }
  return { mode, contextId: contextId ?? '', brief: told.brief, conflicts: told.conflicts }
}

interface Told extends Omit<Brief, 'conflicts'> {
  conflicts: (MergeConflict & { resolution?: MergeResolution | undefined })[]
}

/** The brief, with its conflicts resolved. */
async function toldBy(
  ports: Ports,
  { chatId, mode, resolutions = {}, ...asked }: MergeRequest,
  merged: MergedContext,
  writtenBrief: () => Promise<Brief>,
): Promise<Told> {
  const told: Brief =
    mode === 'turns'
      ? { brief: '', quotes: [], conflicts: [] }
      : mode === 'context' || asked.brief !== undefined
        ? { brief: asked.brief ?? changesIn(merged), quotes: [], conflicts: merged.conflicts }
        : await writtenBrief()
  const quotes = asked.quotes ?? told.quotes
  // conflicts of contexts are worked out here, ignoring the request's
  const conflicts = mode === 'context' ? merged.conflicts : (asked.conflicts ?? told.conflicts)
  const unknown = Object.keys(resolutions).find((id) => !conflicts.some((conflict) => conflict.id === id))
  if (unknown !== undefined) {
    throw new InvalidRequestError(
      `There is no conflict "${unknown}" between these branches.`,
      'unknown_conflict',
    )
  }
  for (const choice of Object.values(resolutions)) if (typeof choice === 'object') checkText(choice.text)
  await checkMessages(ports, chatId, quotes, conflicts)
  return {
    brief: told.brief,
    quotes: [...quotes],
    conflicts: conflicts.map((conflict) => ({ ...conflict, resolution: resolutions[conflict.id] })),
  }
}

/** @throws NotFoundError for a message that is quoted and is not in the chat */
async function checkMessages(
  { store }: Pick<Ports, 'store'>,
  chatId: ChatId,
  quotes: readonly Quote[],
  conflicts: readonly MergeConflict[],
): Promise<void> {
  const named = conflicts.flatMap(({ sourceMessageId, targetMessageId }) => [
    sourceMessageId,
    targetMessageId,
  ])
  const ids = new Set([
    ...quotes.map(({ messageId }) => messageId),
    ...named.filter((id) => id !== undefined),
  ])
  if (ids.size === 0) return
  const found = await store.getMessagesById(chatId, [...ids], null)
  for (const { id } of found) ids.delete(id)
  for (const id of ids) throw new NotFoundError('message', id)
}

/** The merged context. @throws NothingToMergeError when it is the target's */
function checkContextDiffers(sides: Sides, merged: MergedContext) {
  const { target } = sides.contexts
  const setup = mergedSetup(target.setup, merged)
  const context = contextOf({ fragments: merged.fragments, model: target.model, setup })
  // a conflict left to choose may still change it
  if (context.id === target.id && merged.conflicts.length === 0) throw nothingNew(sides)
  return context
}

const nothingNew = ({ source, target }: Sides) =>
  new NothingToMergeError(`Branch “${source.name}” has nothing that “${target.branchName}” lacks`)

const changesIn = (merged: MergedContext): string => digestOf([], merged).text

function digestFor(mode: MergeMode, { own }: Sides, merged: MergedContext): Brief {
  if (mode === 'context') return { brief: changesIn(merged), quotes: [], conflicts: merged.conflicts }
  const { text, quotes } = digestOf(own, merged)
  return { brief: text, quotes, conflicts: mode === 'brief' ? merged.conflicts : [] }
}

async function briefBy(
  ports: Ports,
  { chatId, model, sides, signal }: { chatId: ChatId; model: string; sides: Sides; signal: AbortSignal },
): Promise<WrittenBrief> {
  const { target, source, own, models } = sides
  const { own: count } =
    target.headId === null ? { own: 0 } : await ports.store.getMergeBase(chatId, target.headId, source.headId)
  const theirs =
    target.headId === null || count === 0
      ? []
      : await ports.store.getMessageChain(chatId, target.headId, { last: Math.min(count, TARGET_MESSAGES) })
  const { window } = models.facts(model)
  return writeBrief(counted(ports, chatId), { chatId, model, window, source: own, target: theirs, signal })
}
