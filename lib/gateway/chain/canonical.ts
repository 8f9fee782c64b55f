import { createHash } from 'node:crypto'
import type { ModelMessage } from 'ai'
import { isRecord, jsonText } from '@/lib/transfer/json/values'
import { MAX_DEPTH, parsed, sorted } from './json'

/**
 * The identity of a message: the same for the reply as a provider sent it and for the same message as client libraries send it
 * back. Without it are thoughts, which clients drop, marks for caches, names of files and whatever is empty; arguments of tools
 * are read whether they come as JSON or as its text, and neighbouring texts are one text.
 *
 * @returns JSON with sorted keys; never throws, however deep a value is
 */
export function canonicalMessage(message: ModelMessage): string {
  const parts = contentOf(message).flatMap((part) => canonicalPart(part, message.role))
  return jsonText(joined(parts, message.role))
}

type Canonical = readonly ['text', string] | readonly [string, ...unknown[]]

/** The parts of a message; a text is one part. */
export function contentOf(message: ModelMessage): Record<string, unknown>[] {
  const content: unknown = message.content
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isRecord) : []
}

function canonicalPart(part: Record<string, unknown>, role: ModelMessage['role']): Canonical[] {
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' && part.text !== '' ? [['text', part.text]] : []
    case 'tool-call':
      return [['call', part.toolCallId, part.toolName, sorted(parsed(part.input) ?? {})]]
    case 'tool-result':
      // some protocols leave the name out, and it follows from the call
      return [['result', part.toolCallId, ...outputOf(part.output)]]
    case 'image':
      return [['file', fileHash(part.image)]]
    case 'file':
      return [['file', fileHash(part.data)]]
    case 'reasoning':
    case 'reasoning-file':
      return []
    case 'tool-approval-request':
    case 'tool-approval-response':
      return [[part.type, part.approvalId, part.approved ?? null]]
    case 'kept':
      return [['kept', keptForm(part.item)]]
    default:
      return [[`${role}-${String(part.type)}`, sorted(withoutMarks(part))]]
  }
}

/** Fields that providers give and that clients leave out, or change, when they send an item back. */
const volatile: ReadonlySet<string> = new Set(['id', 'status', 'cache_control'])

/**
 * The identity of an item that is not understood: its JSON with sorted keys, without volatile and empty fields. An
 * item that says nothing else is known by its id.
 */
function keptForm(item: unknown): unknown {
  if (!isRecord(item)) return sorted(item)
  const said = Object.entries(item).filter(([name]) => !volatile.has(name))
  const form = filled(sorted(Object.fromEntries(said)))
  const isBare = isRecord(form) && Object.keys(form).every((name) => name === 'type')
  return isBare && item.id !== undefined ? { ...form, id: item.id } : form
}

/** A value without the fields of its objects that are null or an empty list: some clients send them, and some do not. */
function filled(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => filled(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, held]) => held !== null && !(Array.isArray(held) && held.length === 0))
      .map(([name, held]) => [name, filled(held, depth + 1)]),
  )
}

/** Neighbouring texts as one, without the space at the ends of a reply, which some clients trim. */
function joined(parts: readonly Canonical[], role: ModelMessage['role']): Canonical[] {
  const all: Canonical[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (part[0] === 'text' && last?.[0] === 'text') all[all.length - 1] = ['text', `${last[1]}${part[1]}`]
    else all.push(part)
  }
  if (role !== 'assistant') return all
  return all.flatMap((part): Canonical[] => {
    if (part[0] !== 'text') return [part]
    const text = String(part[1]).trim()
    return text === '' ? [] : [['text', text]]
  })
}

/** The answer of a tool; `error` where it says that it failed. */
function outputOf(output: unknown): unknown[] {
  if (!isRecord(output)) return ['text', output ?? '']
  const { type, value } = output
  switch (type) {
    case 'text':
    case 'json':
      return [answer(value)]
    case 'error-text':
    case 'error-json':
      return [answer(value), 'error']
    case 'execution-denied':
      return ['denied', output.reason ?? null]
    case 'content':
      return [answerOf(Array.isArray(value) ? value.filter(isRecord) : [])]
    default:
      return [sorted(withoutMarks(output))]
  }
}

/** A text that is an object or a list in JSON is that value. */
const answer = (value: unknown): unknown =>
  typeof value === 'string' && !/^\s*[[{]/.test(value) ? value : sorted(parsed(value))

function answerOf(items: readonly Record<string, unknown>[]): unknown {
  if (items.every(({ type }) => type === 'text')) {
    return answer(items.map(({ text }) => (typeof text === 'string' ? text : '')).join(''))
  }
  return items.map((item) => {
    if (item.type === 'text') return ['text', item.text]
    if (item.type === 'kept') return ['kept', keptForm(item.item)]
    const { data, url } = item
    return data === undefined && url === undefined
      ? sorted(withoutMarks(item))
      : ['file', fileHash(data ?? url)]
  })
}

const withoutMarks = ({ providerOptions: _, ...part }: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined && value !== null))

/** A file by its bytes, however they are written; a file that is elsewhere by its address. */
function fileHash(data: unknown): string {
  const bytes = bytesOf(data)
  if (bytes) return createHash('sha256').update(bytes).digest('hex')
  const address = addressOf(data)
  return address ?? jsonText(sorted(data))
}

/** The bytes of a file that is sent with its message; undefined for a file that is elsewhere. */
export function bytesOf(data: unknown): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  if (data instanceof URL) return bytesOf(data.href)
  if (isRecord(data)) {
    if (data.type === 'data') return bytesOf(data.data)
    if (data.type === 'text' && typeof data.text === 'string') return Buffer.from(data.text, 'utf8')
    return data.type === 'url' ? bytesOf(String(data.url)) : undefined
  }
  if (typeof data !== 'string') return undefined
  const inline = /^data:[^,]*?(;base64)?,/i.exec(data.slice(0, 500))
  if (inline) {
    const body = data.slice(inline[0].length)
    return inline[1] === undefined ? Buffer.from(unescaped(body), 'utf8') : Buffer.from(body, 'base64')
  }
  return /^[a-z][a-z0-9+.-]*:/i.test(data.slice(0, 40)) ? undefined : Buffer.from(data, 'base64')
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address of a file that is elsewhere. */
export function addressOf(data: unknown): string | undefined {
  if (typeof data === 'string') return data
  if (data instanceof URL) return data.href
  return isRecord(data) && data.type === 'url' ? String(data.url) : undefined
}
