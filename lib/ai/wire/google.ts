import { isFailure, wholeNumber } from '@/lib/gateway/protocols/shared/reasons'
import { type Fields, fieldsOf, given, listOf, parsed, textOf } from '@/lib/gateway/protocols/shared/values'
import { ProviderSaidError } from './provider-said'
import type { WireReader } from './reader'

/** Reads Google's `generateContent`: a whole answer has the form of a piece. */
export class GoogleReader implements WireReader {
  #isFinished = false

  get state(): 'open' | 'finished' {
    return this.#isFinished ? 'finished' : 'open'
  }

  take(value: unknown, event: string | undefined): object[] {
    const chunk = fieldsOf(value)
    const candidate = listOf(chunk.candidates).map(fieldsOf)[0]
    if (isFailure(value, event, candidate !== undefined)) throw new ProviderSaidError(JSON.stringify(value))
    const said = given({ responseId: textOf(chunk.responseId), usageMetadata: countsOf(chunk.usageMetadata) })
    const blockReason = textOf(fieldsOf(chunk.promptFeedback).blockReason)
    const feedback = blockReason === undefined ? {} : { promptFeedback: { blockReason } }
    const reason = candidate && reasonOf(candidate.finishReason)
    if (reason !== undefined || blockReason !== undefined) this.#isFinished = true
    const { content, finishReason: _reason, ...more } = candidate ?? {}
    const parts = listOf(fieldsOf(content).parts).flatMap(partOf)
    const words = given({ content: parts.length > 0 ? { parts } : undefined, finishReason: reason })
    const events: object[] = []
    if (candidate || Object.keys({ ...said, ...feedback }).length > 0)
      events.push({ ...said, ...feedback, ...(candidate && { candidates: [words] }) })
    // apart from the words, so that its oddities take none of them away
    if (Object.keys(more).some((name) => name !== 'index')) events.push({ candidates: [more] })
    return events
  }

  failure({ type, message }: { type: string; message: string }): object {
    return { error: { code: null, status: type, message } }
  }

  close(): object[] {
    return this.#isFinished ? [] : [{ candidates: [{ finishReason: 'STOP' }] }]
  }
}

const reasonOf = (value: unknown): string | undefined => {
  const word = textOf(value)
  return word === undefined || word === '' || word.endsWith('UNSPECIFIED') ? undefined : word
}

/** A part that holds something, with its fields as the AI SDK reads them. */
function partOf(value: unknown): object[] {
  if (typeof value === 'string') return [{ text: value }]
  const part = fieldsOf(value)
  const { text, thought, thoughtSignature, functionCall } = part
  const kept = given({ thought: thought === true || undefined, thoughtSignature: textOf(thoughtSignature) })
  if (functionCall !== undefined && functionCall !== null) return callOf(fieldsOf(functionCall), kept)
  if (text === undefined || text === null) return Object.keys(part).length > 0 ? [part] : []
  return [{ text: String(text), ...kept }]
}

function callOf({ id, name, args, ...more }: Fields, kept: object): object[] {
  if (textOf(name) === undefined) return []
  const input = typeof args === 'string' ? parsed(args) : args
  return [{ functionCall: { ...more, ...given({ id: textOf(id), args: input ?? {} }), name }, ...kept }]
}

/** The counts that are numbers, or written as such. */
function countsOf(usage: unknown): object | undefined {
  const counts = Object.entries(fieldsOf(usage)).flatMap(([name, value]) => {
    const count = wholeNumber(value)
    return count === undefined ? [] : [[name, count] as const]
  })
  return counts.length > 0 ? Object.fromEntries(counts) : undefined
}
