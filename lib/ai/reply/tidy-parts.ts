import type { FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai'
import {
  answerTooLong,
  connectionLost,
  type ExplainedError,
  explain,
  explainError,
  ReplyProblem,
} from '../explain-error'
import { isUnreadablePiece } from '../wire/is-unreadable-piece'
import { cleanDeep, TextCleaner } from './clean-text'
import { separateThoughts } from './separate-thoughts'
import { ToolTrouble } from './tool-trouble'

type Part = TextStreamPart<ToolSet>
type PartOf<TYPE extends Part['type']> = Extract<Part, { type: TYPE }>

/** Ending of a reply, for `streamReply`; empty until then. The first ending counts. */
export type Verdict = {
  status?: 'completed' | 'stopped' | 'failed'
  /** present exactly when the reply is completed */
  finishReason?: FinishReason
  usage?: LanguageModelUsage
  /** present exactly when the reply failed; safe to show */
  error?: ExplainedError
  /** the thrown value, for the log: it may hold keys and addresses */
  cause?: unknown
}

/** Characters of one reply that are kept: far more than a model writes at once. */
const MOST = 4_000_000

/** Ends a reply as failed, unless it has ended. */
export function fail(verdict: Verdict, cause: unknown): void {
  if (verdict.status === undefined)
    Object.assign(verdict, { status: 'failed', cause, error: explainError(cause) })
}

/**
 * Passes a model's stream on as a stream that always ends well: text is cleaned, thoughts in it are reasoning, every
 * opened part is closed, there is exactly one `finish`, `abort` or `error` at the end, and `verdict` knows which. A
 * reply of more than four million characters fails there. It never throws.
 */
export async function* tidyParts(
  source: AsyncIterable<Part>,
  verdict: Verdict,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const open = new OpenParts()
  const trouble = new ToolTrouble()
  let produced = false
  let left = MOST
  const isTooMuch = (text: string): boolean => {
    left -= text.length
    return left < 0
  }

  function* end(cause: unknown): Generator<Part> {
    if (signal.aborted && !isTimeout(signal.reason)) verdict.status ??= 'stopped'
    else fail(verdict, signal.aborted ? signal.reason : cause)
    yield* open.closeAll()
    yield verdict.status === 'stopped' ? { type: 'abort' } : { type: 'error', error: verdict.cause }
  }

  try {
    for await (const part of separateThoughts(source)) {
      switch (part.type) {
        case 'text-start':
        case 'reasoning-start':
          open.start(part)
          yield cleanDeep(part)
          break
        case 'text-delta':
        case 'reasoning-delta':
          produced ||= part.type === 'text-delta' && /\S/.test(part.text)
          yield* open.delta(part.text.length > left ? { ...part, text: part.text.slice(0, left) } : part)
          if (isTooMuch(part.text)) {
            yield* end(new ReplyProblem(answerTooLong))
            return
          }
          break
        case 'tool-input-delta':
          if (isTooMuch(part.delta)) {
            yield* end(new ReplyProblem(answerTooLong))
            return
          }
          yield cleanDeep(part)
          break
        case 'text-end':
        case 'reasoning-end':
          yield* open.end(part)
          break
        case 'error':
          if (isUnreadablePiece(part.error)) break
          yield* end(part.error)
          return
        case 'abort':
          yield* end(undefined)
          return
        case 'finish-step':
          yield* open.closeAll()
          yield part
          break
        case 'finish': {
          verdict.usage = part.totalUsage
          const problem = problemOf(part, produced)
          if (problem === undefined) {
            Object.assign(verdict, { status: 'completed', finishReason: part.finishReason })
            yield part
          } else {
            yield* end(new ReplyProblem(problem))
          }
          return
        }
        case 'start':
        case 'start-step':
        case 'raw':
        case 'ping':
          yield part
          break
        default:
          produced ||= part.type === 'file' || part.type === 'tool-call'
          yield cleanDeep(trouble.worded(part))
      }
    }
    yield* end(new ReplyProblem(connectionLost))
  } catch (error) {
    yield* end(error)
  }
}

type OpenPart = { readonly kind: 'text' | 'reasoning'; readonly id: string; readonly text: TextCleaner }

/** The text and reasoning parts that have begun and not ended. */
class OpenParts {
  readonly #open = new Map<string, OpenPart>()

  start(part: PartOf<'text-start' | 'reasoning-start'>): void {
    this.#begin(part.type === 'text-start' ? 'text' : 'reasoning', part.id)
  }

  #begin(kind: OpenPart['kind'], id: string): OpenPart {
    const part = { kind, id, text: new TextCleaner() }
    this.#open.set(`${kind}:${id}`, part)
    return part
  }

  *delta(part: PartOf<'text-delta' | 'reasoning-delta'>): Generator<Part> {
    const kind = part.type === 'text-delta' ? 'text' : 'reasoning'
    let opened = this.#open.get(`${kind}:${part.id}`)
    if (opened === undefined) {
      // A provider's mistake; without a start the AI SDK would throw the whole message away.
      yield { type: `${kind}-start`, id: part.id }
      opened = this.#begin(kind, part.id)
    }
    const text = opened.text.push(part.text)
    if (text !== '' || part.providerMetadata !== undefined) yield { ...cleanDeep(part), text }
  }

  *end(part: PartOf<'text-end' | 'reasoning-end'>): Generator<Part> {
    const key = `${part.type === 'text-end' ? 'text' : 'reasoning'}:${part.id}`
    const opened = this.#open.get(key)
    if (opened === undefined) return
    this.#open.delete(key)
    yield* heldText(opened)
    yield cleanDeep(part)
  }

  *closeAll(): Generator<Part> {
    for (const opened of this.#open.values()) {
      yield* heldText(opened)
      yield { type: `${opened.kind}-end`, id: opened.id }
    }
    this.#open.clear()
  }
}

function* heldText({ kind, id, text }: OpenPart): Generator<Part> {
  const rest = text.end()
  if (rest !== '') yield { type: `${kind}-delta`, id, text: rest }
}

/** Why a `finish` is not a completed reply, or nothing when it is one. */
function problemOf({ finishReason, rawFinishReason }: PartOf<'finish'>, produced: boolean) {
  // the AI SDK says `other` without a raw reason when the provider gave no reason at all
  const gaveNone = finishReason === 'other' && rawFinishReason === undefined
  if (gaveNone || finishReason === 'interrupted' || finishReason === 'error') return connectionLost
  if (produced) return undefined
  if (finishReason === 'content-filter') {
    return explain(
      'refused',
      'The provider filtered the whole reply out.',
      'Edit the message to word it differently, or choose another model.',
    )
  }
  const what =
    finishReason === 'length'
      ? 'The model used up its allowance before it wrote a word.'
      : 'The model finished without saying anything.'
  return explain('unknown', what, 'Try again, or choose another model.', { retryable: true })
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError'
}
