import type { UIMessage } from 'ai'
import { countParts, neverAnswered, partOf, type Seam, seamsIn } from '@/lib/events'
import { readBy } from '@/lib/events/read-by'

type Part = UIMessage['parts'][number]

/** A cut reply for another reply to continue. */
export interface CutReply {
  /** the part of it that the model is given, and that the next reply begins with */
  message: UIMessage
  /** the part that its next words belong to; undefined when it ends with something else than words */
  open: number | undefined
  /** the blank end of that part: providers refuse it, and the next words mostly bring their own */
  tail: string
}

/** Tells whether a stored reply ended before its model was done: it was stopped, it broke off, or it met a limit of length. */
export function isCut({ status, data }: { status?: string | null | undefined; data: unknown }): boolean {
  const { metadata } = data as { metadata?: { finishReason?: unknown } }
  return status === 'stopped' || status === 'failed' || metadata?.finishReason === 'length'
}

/**
 * A reply that another run continues. Calls without a result are left out: the model repeats them when it
 * still needs them. Finished calls and their results stay. Parts after the last words or finished call are
 * left out too, as an abandoned thought. Of another model's reply only words, calls and results are kept, as
 * in every prompt.
 *
 * @param model the model that continues
 * @returns undefined for a message without words and without a finished call
 */
export function cutReply(data: UIMessage, model: string): CutReply | undefined {
  if (!Array.isArray(data.parts)) return undefined
  const { durations = {} } = (data.metadata ?? {}) as { durations?: Record<string, number> }
  const kept = readBy(model, data).parts.filter((part) => !isUnfinished(part))
  const end = kept.findLastIndex((part) => !isThought(part) && part.type !== 'step-start' && !isBlank(part))
  const parts = kept.slice(0, end + 1)
  if (!parts.some((part) => part.type === 'text' || isCall(part))) return undefined
  const last = parts.findLastIndex(({ type }) => !type.startsWith('source-'))
  const open = parts[last]
  const thoughts = parts.filter(isThought).length
  const metadata = {
    model,
    seams: seamsIn(data),
    durations: Object.fromEntries(
      Object.entries(durations).filter(([key]) => {
        const nth = /^reasoning-(\d+)$/.exec(key)?.[1]
        return nth === undefined || Number(nth) < thoughts
      }),
    ),
  }
  if (open?.type !== 'text') {
    return { message: { ...data, parts, metadata }, open: undefined, tail: '' }
  }
  const text = open.text.trimEnd()
  return {
    message: {
      ...data,
      // a provider's data is about the text as it was
      parts: parts.with(last, { type: 'text', text, state: 'done' }),
      metadata,
    },
    open: last,
    tail: open.text.slice(text.length),
  }
}

/** The place in a continued reply at which its own first word begins. */
export function seamOf({ message, open }: CutReply): Seam {
  const { id: messageId, parts } = message
  const part = countParts(parts.slice(0, open))
  return { messageId, part, at: open === undefined ? 0 : textIn(parts[open]).length }
}

/** The first words that continue a text, after the text's blank end if they begin without one. */
export const goingOn = ({ tail }: Pick<CutReply, 'tail'>, words: string): string =>
  /^\s/.test(words) ? words : tail + words

/** Tells whether a part may stand between a text and the words that continue it. */
export const mayStandBetween = (type: string): boolean =>
  type.startsWith('reasoning') || type.startsWith('source-')

/**
 * A cut reply and a model's addition, as one message. The addition's first words continue the last words of
 * the cut reply as one text, unless it has called a tool before.
 */
export function continuedMessage(cut: CutReply, added: UIMessage): UIMessage {
  const { parts: begun } = cut.message
  if (cut.open === undefined) return { ...added, parts: [...begun, ...added.parts] }
  const parts = added.parts[0]?.type === 'step-start' ? added.parts.slice(1) : added.parts
  const at = parts.findIndex(({ type }) => !mayStandBetween(type))
  const words = parts[at]
  if (words?.type !== 'text' || words.text === '') return { ...added, parts: [...begun, ...parts] }
  const text = textIn(begun[cut.open]) + goingOn(cut, words.text)
  return {
    ...added,
    parts: [...begun.with(cut.open, { type: 'text', text, state: 'done' }), ...parts.toSpliced(at, 1)],
  }
}

/** Cuts a message at a seam: it ends where the cut reply ended. */
export function beforeSeam<Data>(data: Data, seam: Seam): Data {
  const { parts } = data as { parts: Part[] }
  const part = partOf(seam, parts)
  const cut = parts[part]
  if (seam.at > 0 && cut?.type === 'text') {
    return { ...data, parts: [...parts.slice(0, part), { ...cut, text: cut.text.slice(0, seam.at) }] }
  }
  const last = parts.findLastIndex(({ type }, at) => at < part && type !== 'step-start')
  return { ...data, parts: parts.slice(0, last + 1) }
}

const textIn = (part: Part | undefined): string => (part?.type === 'text' ? part.text : '')

const isThought = ({ type }: Part): boolean => type === 'reasoning' || type === 'reasoning-file'

const isBlank = (part: Part): boolean => part.type === 'text' && part.text.trim() === ''

const isCall = (part: Part): part is Extract<Part, { toolCallId: string }> => 'toolCallId' in part

/** A result, or an error that a tool gave itself. */
const isUnfinished = (part: Part): boolean =>
  isCall(part) &&
  !['output-available', 'output-denied'].includes(part.state) &&
  !(part.state === 'output-error' && part.errorText !== neverAnswered)
