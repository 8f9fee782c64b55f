import { type MessageData, messageText } from '@/lib/context'
import type { ExportPart } from '@/lib/protocol'
import { fileIdOf } from '@/lib/protocol/file-types'

/** A part of a message as a person reads it. */
export type ReadablePart =
  | { kind: 'text'; text: string }
  | { kind: 'thoughts'; text: string }
  | {
      kind: 'tool'
      id: string
      name: string
      input: unknown
      /** result of the call: the answer, an error, or a person's refusal */
      output?: unknown
      error?: string
    }
  | { kind: 'file'; name: string; mediaType: string; fileId: string | undefined }
  | { kind: 'source'; title: string; url: string }

/** Kinds of parts that are left out under another name. */
const leftOutAs: Readonly<Partial<Record<ReadablePart['kind'], ExportPart>>> = {
  thoughts: 'thoughts',
  tool: 'tools',
}

/**
 * The parts of a message as a person reads them, in their order; data of a library caller's own form is its text.
 *
 * @param without parts that are left out
 */
export function readableParts(
  { data }: Pick<MessageData, 'data'>,
  without: readonly ExportPart[],
): ReadablePart[] {
  const parts = partsOf(data)
  const isWanted = ({ kind }: ReadablePart): boolean => {
    const name = leftOutAs[kind]
    return name === undefined || !without.includes(name)
  }
  if (parts) return parts.flatMap(readable).filter(isWanted)
  const text = messageText(data)
  return text === '' ? [] : [{ kind: 'text', text }]
}

type Part = Readonly<Record<string, unknown>>

function partsOf(data: unknown): Part[] | undefined {
  if (typeof data !== 'object' || data === null || !('parts' in data) || !Array.isArray(data.parts))
    return undefined
  return data.parts.filter((part: unknown): part is Part => typeof part === 'object' && part !== null)
}

function readable(part: Part): ReadablePart[] {
  const type = text(part.type)
  switch (type) {
    case 'text':
    case 'reasoning': {
      const said = text(part.text)
      return said.trim() === '' ? [] : [{ kind: type === 'text' ? 'text' : 'thoughts', text: said }]
    }
    case 'file': {
      const name = text(part.filename) || 'file'
      return [{ kind: 'file', name, mediaType: text(part.mediaType), fileId: fileIdOf(part.url) }]
    }
    case 'source-url':
      return [{ kind: 'source', title: text(part.title) || text(part.url), url: text(part.url) }]
    default:
      return type === 'dynamic-tool' || type.startsWith('tool-') ? [toolOf(part, type)] : []
  }
}

function toolOf(part: Part, type: string): ReadablePart {
  const name = type === 'dynamic-tool' ? text(part.toolName) : type.slice('tool-'.length)
  const called = { kind: 'tool' as const, id: text(part.toolCallId), name, input: part.input ?? {} }
  if (part.state === 'output-available') return { ...called, output: part.output ?? null }
  if (part.state === 'output-error') return { ...called, error: text(part.errorText) || 'It failed.' }
  return part.state === 'output-denied' ? { ...called, error: 'It was not allowed to run.' } : called
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A value of a tool as text: a string as it is, anything else as JSON on several lines. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

/** The words that a model is given of a part: a text, or the name of a file; empty for any other. */
export const wordsOf = (part: ReadablePart): string =>
  part.kind === 'text' ? part.text : part.kind === 'file' ? `[file: ${part.name}]` : ''
