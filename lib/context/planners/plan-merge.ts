import {
  type BranchId,
  type ContextId,
  type MergeNote,
  type MessageId,
  type NewMessage,
  NothingToMergeError,
  type Quote,
  type ResolvedConflict,
  type Step,
} from '@/lib/events'
import { messagePreview } from '../fragments'
import { mergeText } from '../merging/merge-text'
import type { MergeBase, MessageData } from '../store/records'
import { asMove, type NewId, type Plan, planContext } from './plan-moves'
import { addTo, copiesOf } from './plan-pick'
import { type BranchHead, intoUse } from './plan-turn'

/** The branch that is merged into another one. */
export interface MergeSource {
  branchId: BranchId
  /** the branch's name, for the text of the merge */
  name: string
  headId: MessageId | null
}

/** Mode and content of a merge. */
export type MergeWay =
  | {
      mode: 'brief'
      /** content of the source that the target lacks */
      brief: string
      quotes: readonly Quote[]
      conflicts: readonly ResolvedConflict[]
    }
  | {
      mode: 'turns'
      /** the source's own messages, in order */
      messages: readonly MessageData[]
    }
  | {
      mode: 'context'
      /** the merged context */
      contextId: ContextId
      /** changes of the context */
      brief: string
      conflicts: readonly ResolvedConflict[]
    }

/**
 * Merges a branch into another one (DESIGN.md §2: `mergeParentId`): one message of two parents, or copies of the source's own
 * messages, the last of which has two. The source stays as it is. The target keeps its model, tools and settings, and in
 * modes other than `context` its whole context.
 *
 * @param input.base what of the source is new to the target (`ContextStore.getMergeBase`)
 * @param input.at in milliseconds
 * @throws NothingToMergeError when the source is the target, is empty, or has nothing new
 */
export function planMerge({
  source,
  target,
  base,
  way,
  noted = [],
  at,
  newId,
}: {
  source: MergeSource
  target: BranchHead
  base: MergeBase
  way: MergeWay
  /** told of it besides, as part of the move */
  noted?: readonly Step[]
  at: number
  newId: NewId
}): Plan & { messageId: MessageId } {
  const { headId } = source
  if (headId === null || isNothingNew({ source, target, base, way })) {
    throw new NothingToMergeError(`Branch “${source.name}” has nothing that “${target.branchName}” lacks`)
  }
  const note: MergeNote = {
    sourceBranchId: source.branchId,
    sourceBranch: source.name,
    sourceHeadId: headId,
    baseId: base.baseId,
    mode: way.mode,
    quotes: way.mode === 'brief' ? [...way.quotes] : [],
    conflicts: way.mode === 'turns' ? [] : [...way.conflicts],
  }
  const lines =
    way.mode === 'turns'
      ? withMergeParent(copiesOf(way.messages, { at, newId }), headId)
      : [saidBy(newId(), at, mergeText({ source: source.name, ...way }), { merge: note }, headId)]
  const messageId = lines.at(-1)?.id ?? ''
  const { branchId, context } = target
  const record: Plan['steps'][number] = {
    kind: 'record',
    branchId,
    fact: {
      type: 'ThreadsMerged',
      payload: {
        message_id: messageId,
        source_thread_id: source.branchId,
        source_message_id: headId,
        base_message_id: base.baseId,
        mode: way.mode,
      },
    },
  }
  return {
    steps: asMove('merge', [
      ...intoUse(target),
      // the message is in the merged context already: a branch that opens there later has it
      ...(way.mode === 'context'
        ? [planContext({ branchId, expected: context?.id ?? null, contextId: way.contextId })]
        : []),
      ...addTo(target, lines),
      record,
      ...noted,
    ]),
    branchId,
    messageId,
  }
}

function isNothingNew({
  source,
  target,
  base,
  way,
}: {
  source: MergeSource
  target: BranchHead
  base: MergeBase
  way: MergeWay
}): boolean {
  if (source.branchId === target.branchId) return true
  if (way.mode === 'context') return way.contextId === target.context?.id
  return base.own === 0 || (way.mode === 'turns' && way.messages.length === 0)
}

const withMergeParent = (lines: NewMessage[], mergeParentId: MessageId): NewMessage[] =>
  lines.map((line, at) => (at === lines.length - 1 ? { ...line, mergeParentId } : line))

/** A message in a person's name that records the merge, with facts for the page. */
export function saidBy(
  id: MessageId,
  at: number,
  text: string,
  metadata: object,
  mergeParentId: MessageId,
): NewMessage {
  const data = { id, role: 'user', parts: [{ type: 'text', text }], metadata: { createdAt: at, ...metadata } }
  return {
    id,
    name: 'user',
    type: 'message',
    data,
    preview: messagePreview(data),
    mergeParentId,
    createdAt: at,
  }
}
