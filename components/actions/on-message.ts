import { Columns3, Copy, Cpu, EyeOff, Flag, GitBranchPlus, Pencil, RotateCcw, ScanText } from 'lucide-react'
import type { MessageId } from '@/lib/events'
import type { Action } from './action'
import { cherryPickTo, compactHere, type OnMerging } from './on-merging'
import { bisectReply, type OnReplay, replayFromHere } from './on-replay'
import { type OnSharing, shareUpToHere } from './on-sharing'
import { type OnSteering, steerHere } from './on-steering'

/** A message as the target of an action, in the thread or in the graph. */
export interface OnMessage extends OnMerging, OnReplay, OnSharing, OnSteering {
  /** null in an empty chat, or when the target is a folded stretch */
  readonly messageId: MessageId | null
  /** it is a reply that is still being written */
  isWriting?: boolean
  /** the graph shows an earlier state */
  past?: boolean
  /** another person's chat: nothing is done to it */
  readOnly?: boolean
  branchFrom(id: MessageId): void
  /** asks for a name, in a box beside `anchor` */
  checkpoint(id: MessageId, anchor: Element | null): void
}

/** Why another person's chat cannot be changed. */
export const onlyRead = 'This chat can be read, but not changed'

/** Why the past cannot be changed. */
export const inPast = 'This is the past: it can be read and branched from, but not changed'

/** An action that needs a message; `run` is given its id. */
export function onMessage<On extends OnMessage>(
  action: Omit<Action<On>, 'run'> & { run(on: On, id: MessageId, from: Element | null): void },
): Action<On> {
  return {
    ...action,
    when: (on) => (on.messageId === null ? 'Show these messages first' : (action.when?.(on) ?? true)),
    run: (on, from) => on.messageId !== null && action.run(on, on.messageId, from),
  }
}

/** True, or why the message cannot be used yet. In another person's chat it never can. */
const isStored = ({ isWriting, readOnly }: OnMessage) =>
  !readOnly && (!isWriting || 'This reply is still being written')

export const branchFromHere = onMessage<OnMessage>({
  id: 'branch',
  label: 'Branch from here',
  short: 'Branch',
  words: 'rewind fork continue',
  keys: ['b'],
  Icon: GitBranchPlus,
  when: isStored,
  run: (on, id) => on.branchFrom(id),
})

export const checkpointHere = onMessage<OnMessage>({
  id: 'checkpoint',
  label: 'Checkpoint here',
  short: 'Checkpoint',
  words: 'save tag bookmark flag',
  keys: ['c'],
  Icon: Flag,
  when: (on) => (on.past ? inPast : isStored(on)),
  run: (on, id, from) => on.checkpoint(id, from),
})

/** A message that may be a reply, as the target of another model. */
export interface OnReply extends OnMessage {
  /** true for a reply that another model could write again; a sentence says why not now */
  canChooseModel(id: MessageId): boolean | string
  /** asks for the model, in a menu beside `anchor` */
  chooseModel(id: MessageId, anchor: Element | null): void
}

export const retryWithModel = onMessage<OnReply>({
  id: 'retry with',
  label: 'Ask another model',
  hint: 'on a new branch',
  words: 'try again with regenerate switch choose compare models retry',
  keys: ['m'],
  Icon: Cpu,
  when: (on) => !on.readOnly && on.messageId !== null && on.canChooseModel(on.messageId),
  run: (on, id, from) => on.chooseModel(id, from),
})

/** A message of the thread. */
export interface OnRow extends OnReply {
  role: string
  /** a reply is being written on this branch */
  busy: boolean
  /** "Try again" stands below the message already, in words */
  withoutRetry: boolean
  copy(): void
  /** shows what the message, or a reply to it, is asked with */
  inspect(id: MessageId): void
  /** the next replies of the branch do not read the message */
  isLeftOut(id: MessageId): boolean
  leaveOut(id: MessageId, leftOut: boolean): void
  /** asks for several replies in the place of one */
  fanOut(id: MessageId): void
  edit(): void
  retry(): void
  /** looks for the message that made a reply say something */
  bisect(id: MessageId): void
}

/** True, or why the branch cannot take a turn now. In another person's chat it never can. */
const isIdle = ({ busy, readOnly }: OnRow) => !readOnly && (!busy || 'A reply is being written')

export const editMessage: Action<OnRow> = {
  id: 'edit',
  label: 'Edit',
  keys: ['e'],
  hint: 'on a new branch',
  Icon: Pencil,
  when: (on) => on.role === 'user' && isIdle(on),
  run: (on) => on.edit(),
}

export const copyMessage: Action<OnRow> = { id: 'copy', label: 'Copy', Icon: Copy, run: (on) => on.copy() }

const inspectPrompt = onMessage<OnRow>({
  id: 'inspect prompt',
  label: 'Inspect prompt',
  words: 'context tokens cost system what the model sees',
  keys: ['p'],
  Icon: ScanText,
  when: isStored,
  run: (on, id) => on.inspect(id),
})

const leaveOutHere = onMessage<OnRow>({
  id: 'leave out',
  label: 'Leave out of the prompt',
  named: (on) =>
    on.messageId !== null && on.isLeftOut(on.messageId)
      ? 'Put back into the prompt'
      : 'Leave out of the prompt',
  words: 'exclude hide ignore skip forget put back into the prompt context',
  keys: ['w'],
  Icon: EyeOff,
  when: (on) => on.role !== '' && !on.past && isStored(on),
  run: (on, id) => on.leaveOut(id, !on.isLeftOut(id)),
})

const fanOutReply = onMessage<OnRow>({
  id: 'fan out',
  label: 'Ask several models…',
  git: 'fan out',
  purpose: 'Shows several replies beside each other, to keep the best.',
  words: 'fan out try again several models parallel columns compare best of regenerate',
  keys: ['o'],
  Icon: Columns3,
  when: (on) => on.role === 'assistant' && !on.withoutRetry && isIdle(on),
  run: (on, id) => on.fanOut(id),
})

export const tryAgain: Action<OnRow> = {
  id: 'retry',
  label: 'Try again',
  keys: ['r'],
  hint: 'on a new branch',
  Icon: RotateCcw,
  when: (on) => on.role === 'assistant' && !on.withoutRetry && isIdle(on),
  run: (on) => on.retry(),
}

/** The actions under a message, before the ways to ask for another reply. */
export const rowButtons: readonly Action<OnRow>[] = [copyMessage, editMessage]

/** The ways to ask for another reply in the place of one. */
export const againActions: readonly Action<OnRow>[] = [tryAgain, retryWithModel, fanOutReply]

/** Rarer actions, in the menu behind the buttons. */
export const moreRowActions: readonly Action<OnRow>[] = [
  checkpointHere,
  inspectPrompt,
  leaveOutHere,
  shareUpToHere,
]

/** The ways that take some explaining: each stands in a menu with what it is for. */
export const moreWays: readonly Action<OnRow>[] = [
  fanOutReply,
  cherryPickTo,
  replayFromHere,
  bisectReply,
  compactHere,
  steerHere,
]

/** Everything that can be done with a message of the thread. */
export const rowActions: readonly Action<OnRow>[] = [
  ...new Set([branchFromHere, ...moreRowActions, ...rowButtons, ...againActions, ...moreWays]),
]
