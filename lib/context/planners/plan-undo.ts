import { type BranchId, BuiltUponError, type LoggedEvent, type MessageId, type Step } from '@/lib/events'
import { branchInWords } from '@/lib/events/branch-name'
import type { StoredMove } from '../store/records'
import { type NewId, openBranch, type Plan } from './plan-moves'
import { refsAfter, refsOf } from './refs-after'

/**
 * Takes a move back (DESIGN.md §10): every ref it moved returns to its former place. A branch that it opened
 * is archived, since nothing is deleted; messages that it added to a branch stay on an archived branch of
 * their own. The plan is for the chat as it was read (`expectedSeq`).
 *
 * @returns the branch is the one that the chat opens on then
 * @throws BuiltUponError when a ref is no longer where the move left it, or a branch that it opened was continued
 */
export function planUndo(stored: StoredMove, newId: NewId): Plan {
  const now = standing(stored, 'undone')
  const steps: Step[] = []
  for (const { branchId, before, last } of now.added) {
    now.expectHead(branchId, last)
    steps.push({ kind: 'move-head', branchId, expectedHead: last, headId: before })
    // only messages that the move added could be left without a branch
    if (!stored.lines.some((line) => line.branchId === branchId)) continue
    if (stored.branches.some(({ id, headMessageId }) => id !== branchId && headMessageId === last)) continue
    // the holder is not named after the branch: an earlier rename may have freed that name, and its Undo needs it
    const holder = openBranch({ after: 'undone', activate: false, newId }, last, { messageId: last })
    steps.push(...holder.steps, { kind: 'archive-branch', branchId: holder.branchId })
  }
  for (const event of stored.facts.toReversed()) steps.push(...retraced(event, now, 'back', newId))
  steps.push({ kind: 'mark-undone', moveSeq: stored.moveSeq, next: stored.next })
  return { steps, branchId: now.activeId }
}

/**
 * Takes several moves back in one change, in the order of `moves`: all of them, or none when one is refused
 * because something was built upon it.
 *
 * @param moves as `ContextStore.getMoves` reads them; one at least
 */
export function planUndoAll(moves: readonly StoredMove[], newId: NewId): Plan {
  let refs = refsOf(moves)
  const steps: Step[] = []
  for (const move of moves) {
    const planned = planUndo({ ...move, ...refs }, newId).steps
    refs = refsAfter(refs, planned)
    steps.push(...planned)
  }
  return { steps, branchId: refs.activeBranchId }
}

/**
 * Repeats a move that was taken back: the refs return to where it had moved them.
 *
 * @throws BuiltUponError when a ref is no longer where Undo left it
 */
export function planRedo(stored: StoredMove, newId: NewId): Plan {
  const now = standing(stored, 'made again')
  const steps: Step[] = []
  for (const { branchId, before, last } of now.added) {
    now.expectHead(branchId, before)
    steps.push({ kind: 'move-head', branchId, expectedHead: before, headId: last })
  }
  for (const event of stored.facts) steps.push(...retraced(event, now, 'again', newId))
  steps.push({ kind: 'mark-redone', moveSeq: stored.moveSeq, next: stored.next })
  return { steps, branchId: now.activeId }
}

type Standing = ReturnType<typeof standing>

/** The present refs of a move; each `expect…` refuses a ref with another value. */
function standing(stored: StoredMove, verb: string) {
  const { moveSeq, facts, lines, branches, checkpoints, activeBranchId } = stored
  const opened = new Set(facts.flatMap(({ type, streamId }) => (type === 'ThreadCreated' ? [streamId] : [])))
  const refuse = (why: string): never => {
    throw new BuiltUponError(`Nothing was ${verb}: ${why}.`)
  }
  const branch = (id: BranchId) =>
    branches.find((known) => known.id === id) ?? refuse('a branch of it is not there any more')
  const named = (id: BranchId) => branchInWords(branch(id).name)
  const contexts = new Map<BranchId, string | null>()
  const checkpointAt = (name: string) => checkpoints.find((known) => known.name === name)?.messageId ?? null
  return {
    activeId: activeBranchId,
    /** heads before and after the move, of branches that it did not open */
    added: ways(stored).filter(({ branchId }) => !opened.has(branchId)),
    /** the head at which the move left a branch that it opened */
    endOf: (id: BranchId, begun: MessageId | null) =>
      lines.find(({ branchId }) => branchId === id)?.last ?? begun,
    isOpened: (id: BranchId) => opened.has(id),
    branch,
    expectHead(id: BranchId, head: MessageId | null) {
      if (branch(id).headMessageId !== head) refuse(`${named(id)} has moved on since`)
    },
    expectIdle(id: BranchId) {
      if (branch(id).busy) refuse(`a reply is being written on ${named(id)}`)
    },
    expectActive(this: { activeId: BranchId }, id: BranchId | null) {
      if (this.activeId !== id) refuse('the chat opens on another branch by now')
    },
    expectInactive(this: { activeId: BranchId }, id: BranchId) {
      if (this.activeId === id) refuse(`the chat opens on ${named(id)} by now`)
    },
    /**
     * Renames a branch. When another branch, archived by Undo, holds its former name, that branch gets a name
     * made from the move; by that name Redo finds it and gives its name back.
     */
    renamed(id: BranchId, from: string, to: string): Step[] {
      if (branch(id).name !== from) refuse(`${named(id)} has got its name since`)
      const called = (wanted: string) => branches.find(({ name }) => name === wanted)
      const away = (name: string) => `${[...name].slice(0, 160).join('')}-undone-${moveSeq}`
      const holder = called(to)
      if (holder && holder.archivedAt === null) refuse(`another branch is called “${to}” by now`)
      const heir = called(away(from))
      return [
        ...(holder ? [renaming(holder.id, away(to))] : []),
        renaming(id, to),
        ...(heir ? [renaming(heir.id, from)] : []),
      ]
    },
    expectArchived(id: BranchId, archived: boolean) {
      if ((branch(id).archivedAt !== null) !== archived)
        refuse(`${named(id)} was ${archived ? 'brought back' : 'archived'} since`)
    },
    /**
     * Joined changes put several contexts in force on one branch: each must begin at the context that the one
     * before it has set.
     */
    putContext(id: BranchId, expected: string | null, contextId: string | null) {
      const current = contexts.has(id) ? contexts.get(id) : branch(id).contextId
      if (current !== expected) refuse(`the context of ${named(id)} was changed since`)
      contexts.set(id, contextId)
    },
    expectSteered(id: BranchId, to: BranchId | null) {
      if (branch(id).steeredTo !== to) refuse('the agent has gone on there, or was steered elsewhere since')
    },
    expectCheckpoint(name: string, messageId: MessageId | null) {
      if (checkpointAt(name) !== messageId) refuse(`checkpoint “${name}” was changed since`)
    },
  }
}

/**
 * First and last head of each branch in a move: by added messages, by heads moved to existing messages, or
 * both.
 */
function ways({ facts, lines }: StoredMove): StoredMove['lines'] {
  const led = new Map<BranchId, StoredMove['lines'][number]>()
  for (const { type, streamId: branchId, payload } of facts) {
    if (type !== 'HeadMoved') continue
    const known = led.get(branchId)
    const before = known ? known.before : payload.from_message_id
    if (payload.head_message_id !== null)
      led.set(branchId, { branchId, before, last: payload.head_message_id })
  }
  for (const { branchId, before, last } of lines) {
    // a head that was moved before its messages were added began at its place before that move
    const moved = led.get(branchId)
    led.set(branchId, { branchId, before: moved ? moved.before : before, last })
  }
  return [...led.values()]
}

type Way = 'back' | 'again'

/** The steps that move a ref back to its value before an event, or again to its value after it. */
function retraced({ type, payload, streamId }: LoggedEvent, now: Standing, way: Way, newId: NewId): Step[] {
  /** present and next value of the ref */
  const between = <T>(before: T, after: T): [T, T] => (way === 'back' ? [after, before] : [before, after])
  const archived = (branchId: BranchId, [is, becomes]: [boolean, boolean]): Step[] => {
    now.expectArchived(branchId, is)
    if (becomes) now.expectInactive(branchId)
    return [{ kind: becomes ? 'archive-branch' : 'unarchive-branch', branchId }]
  }
  const checkpoint = (name: string, [at, to]: [MessageId | null, MessageId | null], id = newId): Step[] => {
    now.expectCheckpoint(name, at)
    if (to === null) return [{ kind: 'remove-checkpoint', name }]
    return [{ kind: 'save-checkpoint', checkpointId: id(), name, messageId: to }]
  }
  switch (type) {
    case 'ThreadCreated':
      now.expectHead(streamId, now.endOf(streamId, payload.head_message_id))
      if (way === 'back') now.expectIdle(streamId)
      return archived(streamId, between(true, false))
    case 'BranchSwitched': {
      const [at, to] = between<BranchId | null>(payload.from_branch_id, payload.branch_id)
      now.expectActive(at)
      if (to === null) return []
      now.activeId = to
      return [{ kind: 'switch-branch', branchId: to }]
    }
    case 'BranchRenamed':
      return now.renamed(payload.branch_id, ...between(payload.previous_name, payload.name))
    case 'BranchArchived':
      return archived(payload.branch_id, between(false, true))
    case 'BranchRestored':
      return archived(payload.branch_id, between(true, false))
    case 'ContextChanged': {
      if (now.isOpened(streamId) || payload.from_context_id === undefined) return []
      const [expectedContextId, contextId] = between(payload.from_context_id, payload.context_id)
      now.putContext(streamId, expectedContextId, contextId)
      return [{ kind: 'set-context', branchId: streamId, expectedContextId, contextId }]
    }
    case 'AgentSteered': {
      const { branch_id: branchId, from_branch_id: before, to_branch_id: after } = payload
      const [at, targetId] = between(before, after)
      now.expectSteered(branchId, at)
      return [{ kind: 'steer-agent', branchId, targetId }]
    }
    case 'CheckpointSaved': {
      const { name, message_id, checkpoint_id: id } = payload
      return checkpoint(name, between<MessageId | null>(null, message_id), () => id ?? newId())
    }
    case 'CheckpointMoved':
      return checkpoint(payload.name, between(payload.from_message_id, payload.message_id))
    case 'CheckpointRemoved':
      return checkpoint(payload.name, between<MessageId | null>(payload.message_id, null))
    default:
      return []
  }
}

const renaming = (branchId: BranchId, name: string): Step => ({ kind: 'rename-branch', branchId, name })
