import type { ContextFragment, LoadContext } from '../types'
import type { ToolOutcome } from './tool-outcomes'

/** Facts of the prompt for a reminder. */
export interface ReminderContext extends LoadContext {
  /** Number of the person's messages in the prompt: 1 for the first turn. */
  turn: number
  /** Text of the last message of the person. */
  content: string
  /**
   * Outcome of a tool. A reminder to a tool result gets that result; a reminder to the person's message gets
   * the last result of the newest reply. Absent when that reply used no tool.
   */
  toolOutcome?: ToolOutcome
}

/** True when a reminder is due. */
export type WhenPredicate = (context: ReminderContext) => boolean | Promise<boolean>

/** Text of a reminder; an empty text is not added. */
export type ReminderText = string | ((context: ReminderContext) => string | Promise<string>)

/** Place of a reminder: the person's last message, or tool results in the reply to it. */
export type ReminderTarget = 'user' | 'tool-output'

export interface ReminderOptions {
  /** Default: always. A reminder to a tool result needs it. */
  when?: WhenPredicate
  /** Default: `user`. */
  target?: ReminderTarget
  /** A text part of its own instead of the end of the last one; of no meaning for a tool result. Default: false. */
  asPart?: boolean
}

/** A reminder as `set()` takes it. Its metadata holds functions: it is for the prompt, and refuses to be stored. */
export interface ReminderFragment extends ContextFragment<null> {
  name: 'reminder'
  metadata: { reminder: Reminder }
}

export interface Reminder extends Required<ReminderOptions> {
  text: ReminderText
}

/**
 * Words to the model in a `<system-reminder>` at the end of the last message of the person, or of a tool's result. They
 * are part of one prompt: `resolve()` decides each time, `save()` stores nothing of them, `inspect()` shows them.
 *
 * Departure: the source writes them into the message that is stored.
 *
 * @throws TypeError for an empty text, an unknown target, and for a reminder to tool results without `when`
 *
 * @example
 * context.set(
 *   reminder('Answer in English.', { when: everyNTurns(3) }),
 *   reminder('Try another query.', { when: toolFailed('sql'), target: 'tool-output' }),
 * )
 */
export function reminder(text: ReminderText, options: ReminderOptions = {}): ReminderFragment {
  const { target = 'user', when, asPart = false } = options
  if (typeof text === 'string' && text.trim() === '') throw new TypeError('A reminder must have a text')
  if (target !== 'user' && target !== 'tool-output') throw new TypeError(`Unknown target "${String(target)}"`)
  if (target === 'tool-output' && !when) throw new TypeError('A reminder to tool results needs a condition')
  return {
    name: 'reminder',
    data: null,
    metadata: { reminder: { text, target, asPart, when: when ?? (() => true) } },
  }
}

/** True when a fragment is a reminder. */
export function isReminder(fragment: ContextFragment): fragment is ReminderFragment {
  const given = fragment.name === 'reminder' ? fragment.metadata?.reminder : undefined
  return typeof given === 'object' && given !== null && 'when' in given && typeof given.when === 'function'
}
