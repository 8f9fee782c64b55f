import { messageText } from '../fragments'
import { FragmentValueError } from '../fragments/deferred'
import { isPlainObject } from '../fragments/guards'
import type { Reminder, ReminderContext, ReminderTarget } from '../fragments/reminders/reminder'
import { type ToolOutcome, toolOutcomeOf } from '../fragments/reminders/tool-outcomes'

/** A reminder that a prompt has. */
export interface AddedReminder {
  target: ReminderTarget
  text: string
  /** Id of the message it was added to, where that has one. */
  messageId?: string
  /** The call whose result it was added to. */
  toolCallId?: string
}

type Parts = Record<string, unknown> & { role: string; parts: unknown[] }

/**
 * The messages of a prompt with the reminders that are due, and a list of these. The given messages stay
 * unchanged: a reminder is added to a copy.
 *
 * Without a message of the person there is no place for a reminder, and none is added.
 *
 * @param context of the prompt, `messages` included
 * @throws FragmentValueError when a condition or a text fails, its reason as `cause`
 */
export async function applyReminders(
  reminders: readonly Reminder[],
  context: Pick<ReminderContext, 'chatId' | 'branch' | 'messages'>,
): Promise<{ messages: unknown[]; added: AddedReminder[] }> {
  const messages = [...context.messages]
  const added: AddedReminder[] = []
  if (reminders.length === 0) return { messages, added }
  const asked = messages.findLastIndex((message) => roleOf(message) === 'user')
  const question = messages[asked]
  if (!hasParts(question)) return { messages, added }

  const turn = messages.filter((message) => roleOf(message) === 'user').length
  const place = { ...context, turn, content: messageText(question) }
  const due = (target: ReminderTarget, toolOutcome: ToolOutcome | undefined) =>
    dueTexts(
      reminders.filter((reminder) => reminder.target === target),
      toolOutcome ? { ...place, toolOutcome } : place,
    )

  const lastOutcome = outcomesOf(messages.findLast((message) => roleOf(message) === 'assistant')).at(-1)
  const texts = await due('user', lastOutcome)
  if (texts.length > 0) messages[asked] = texts.reduce(withReminder, question)
  added.push(...texts.map(({ text }) => ({ target: 'user' as const, text, ...idOf(question) })))

  for (const [index, reply] of messages.entries()) {
    if (index <= asked || !hasParts(reply)) continue
    const parts: unknown[] = []
    for (const part of reply.parts) {
      const outcome = toolOutcomeOf(part)
      const said = outcome ? await due('tool-output', outcome) : []
      parts.push(outcome && said.length > 0 ? withOutcome(part, outcome, said) : part)
      for (const { text } of said) {
        added.push({ target: 'tool-output', text, ...idOf(reply), toolCallId: outcome?.toolCallId ?? '' })
      }
    }
    if (parts.some((part, at) => part !== reply.parts[at])) messages[index] = { ...reply, parts }
  }
  return { messages, added }
}

type DueText = Pick<Reminder, 'asPart'> & { text: string }

/** The reminders that are due, in the order they were set. */
async function dueTexts(reminders: readonly Reminder[], context: ReminderContext): Promise<DueText[]> {
  const texts = await Promise.all(
    reminders.map(async ({ text, when, asPart }) => {
      if (!(await when(context))) return []
      const said = typeof text === 'function' ? await text(context) : text
      return said.trim() === '' ? [] : [{ text: said, asPart }]
    }),
  ).catch((cause) => {
    throw new FragmentValueError('reminder', cause instanceof Error ? cause.message : String(cause), {
      cause,
    })
  })
  return texts.flat()
}

function withReminder(message: Parts, { text, asPart }: DueText): Parts {
  const at = message.parts.findLastIndex((part) => isPlainObject(part) && part.type === 'text')
  const last = message.parts[at]
  if (asPart || !isPlainObject(last)) {
    return { ...message, parts: [...message.parts, { type: 'text', text: tagged(text) }] }
  }
  return { ...message, parts: message.parts.with(at, { ...last, text: after(String(last.text), text) }) }
}

/** The part of a call with words after its result; a result that is no text gets a wrapper to hold both. */
function withOutcome(part: unknown, outcome: ToolOutcome, said: readonly DueText[]): unknown {
  const text = said.map((reminder) => reminder.text).join('\n')
  if (!isPlainObject(part)) return part
  switch (outcome.state) {
    case 'output-error':
      return { ...part, errorText: after(outcome.errorText, text) }
    case 'output-denied':
      return { ...part, approval: { ...Object(part.approval), reason: after(outcome.reason ?? '', text) } }
    default: {
      const { output } = outcome
      const isText = typeof output === 'string'
      return {
        ...part,
        output: isText ? after(output, text) : { result: output ?? null, systemReminder: tagged(text) },
      }
    }
  }
}

const after = (before: string, text: string): string =>
  before === '' ? tagged(text) : `${before}\n\n${tagged(text)}`

/** A reminder may quote the person: the quotation must not end it. */
const tagged = (text: string): string =>
  `<system-reminder>${text.replace(/<(?=\/?system-reminder)/gi, '&lt;')}</system-reminder>`

function outcomesOf(message: unknown): ToolOutcome[] {
  if (!hasParts(message)) return []
  return message.parts.flatMap((part) => toolOutcomeOf(part) ?? [])
}

const hasParts = (message: unknown): message is Parts =>
  isPlainObject(message) && typeof message.role === 'string' && Array.isArray(message.parts)

const roleOf = (message: unknown): string | undefined => (hasParts(message) ? message.role : undefined)

const idOf = ({ id }: Parts): { messageId?: string } => (typeof id === 'string' ? { messageId: id } : {})
