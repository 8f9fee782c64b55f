import type { BranchId, ContextId, MessageId, MoveKind, OpenBranch, Step } from '@/lib/events'
import type { BranchData, ChatUpdates } from '../store/records'

/** Steps of a use case, and the branch it ends on. */
export interface Plan {
  steps: Step[]
  branchId: BranchId
}

/** Makes an id for each branch, message or checkpoint of a plan. */
export type NewId = () => string

export interface Fork {
  /** the current branch, which a new branch without a name of its own is named after */
  after: string
  name?: string | undefined
  /** without it, the context in force at the message */
  contextId?: ContextId | undefined
  /** the chat opens on the new branch from now on; true unless told */
  activate?: boolean
  newId: NewId
}

/**
 * The steps as one move, which Undo takes back.
 *
 * @param joins the position of the move just before, which is taken back together with it
 */
export const asMove = (move: MoveKind, steps: Step[], joins?: number): Step[] => [
  ...steps,
  { kind: 'mark-move', move, ...(joins === undefined ? {} : { joins }) },
]

/** Opens a branch at a message: it inherits every event up to the message's (DESIGN.md §9). */
export const planFork = ({ messageId, ...fork }: Fork & { messageId: MessageId }): Plan =>
  openBranch(fork, messageId, { messageId })

/** @param at the head of the new branch; null for an empty one */
export function openBranch(
  { after, name, contextId, activate = true, newId }: Fork,
  at: MessageId | null,
  fork: OpenBranch['fork'],
): Plan {
  const branchId = newId()
  return {
    steps: [{ kind: 'open-branch', branchId, name, after, at, fork, contextId, activate }],
    branchId,
  }
}

/**
 * Goes back to a message (seeds/003 “Rewind”); a restore is the rewind to a checkpoint's message.
 *
 * The engine opens a branch every time, as its source does. The product gives `emptyBranchId`, a branch that stands at the
 * message already and has nothing of its own: it is switched to instead, so that looking around leaves no litter.
 */
export const planRewind = ({
  emptyBranchId,
  joins,
  ...fork
}: Fork & {
  messageId: MessageId
  emptyBranchId?: BranchId | undefined
  /** the switch that the first click of a double click made */
  joins?: number | undefined
}): Plan =>
  emptyBranchId === undefined ? moveOf('branch', planFork(fork), joins) : planSwitch(emptyBranchId, joins)

const moveOf = (move: MoveKind, { steps, branchId }: Plan, joins?: number): Plan => ({
  steps: asMove(move, steps, joins),
  branchId,
})

/**
 * “By the way” (seeds/003 “btw”): a branch at the head, in the branch's own context. The chat stays where it is.
 *
 * @throws Error `Cannot create btw branch: no messages in conversation`
 */
export function planBtw({
  branch: { name: after, headMessageId, contextId },
  newId,
}: {
  branch: Pick<BranchData, 'name' | 'headMessageId' | 'contextId'>
  newId: NewId
}): Plan {
  if (headMessageId === null) throw new Error('Cannot create btw branch: no messages in conversation')
  const fork = { after, messageId: headMessageId, contextId: contextId ?? undefined, newId }
  return moveOf('branch', planFork({ ...fork, activate: false }))
}

/** Makes a branch the one the chat opens on (seeds/003 “switchBranch”). */
export const planSwitch = (branchId: BranchId, joins?: number): Plan => ({
  steps: asMove('switch', [switchTo(branchId)], joins),
  branchId,
})

export const switchTo = (branchId: BranchId): Step => ({ kind: 'switch-branch', branchId })

/**
 * Points a name at a message; a name that exists moves and keeps its id (seeds/003 “checkpoint”).
 *
 * @param input.messageId the engine's is the head of its branch; null is refused
 * @throws Error `Cannot create checkpoint: no messages in conversation`
 */
export function planCheckpoint({
  name,
  messageId,
  newId,
}: {
  name: string
  messageId: MessageId | null
  newId: NewId
}): Step[] {
  if (messageId === null) throw new Error('Cannot create checkpoint: no messages in conversation')
  return asMove('checkpoint', [{ kind: 'save-checkpoint', checkpointId: newId(), name, messageId }])
}

/** Removes a name; the message it points at stays. */
export const planCheckpointRemoval = (name: string): Step[] =>
  asMove('remove-checkpoint', [{ kind: 'remove-checkpoint', name }])

/** Gives a branch another name; Undo gives the old one back. */
export const planRename = (branchId: BranchId, name: string): Step[] =>
  asMove('rename', [{ kind: 'rename-branch', branchId, name }])

/** Titles a branch in a few words; the first title stays. */
export const planTitle = (branchId: BranchId, title: string): Step[] => [
  { kind: 'title-branch', branchId, title },
]

/**
 * Puts a context in force on a branch, from its next message on.
 *
 * @param input.expected the context that it replaces; null for none
 */
export const planContext = ({
  branchId,
  expected,
  contextId,
}: {
  branchId: BranchId
  expected: ContextId | null
  contextId: ContextId
}): Step => ({ kind: 'set-context', branchId, expectedContextId: expected, contextId })

/**
 * A context that a person puts in force on purpose.
 *
 * @param joins the position of the change just before, which is taken back together with it
 */
export const planContextChange = (change: Parameters<typeof planContext>[0], joins?: number): Step[] =>
  asMove('context', [planContext(change)], joins)

/** Hides a branch. The branch a chat opens on is refused, so `next` is opened first. */
export const planArchive = (branchId: BranchId, next?: BranchId): Step[] =>
  asMove('archive', [...(next === undefined ? [] : [switchTo(next)]), { kind: 'archive-branch', branchId }])

/** Shows an archived branch again. */
export const planUnarchive = (branchId: BranchId): Step[] =>
  asMove('unarchive', [{ kind: 'unarchive-branch', branchId }])

/**
 * Changes title and metadata (seeds/002 “updateChat”); metadata is merged key by key.
 *
 * @param updates.instead the title is given only where the chat still has this one
 */
export const planChatUpdate = (updates: ChatUpdates & { instead?: string }): Step[] => [
  { kind: 'update-chat', ...updates },
]
