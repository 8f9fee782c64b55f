import { isAddedContext, splitSaid } from '@/lib/events/said-words'
import { typeIn } from '@/lib/events/tool-text'
import type { ChatMessage } from '@/lib/protocol'

type Part = ChatMessage['parts'][number]
type ToolPart = Extract<Part, { toolCallId: string }>
type SourcePart = Extract<Part, { type: 'source-url' | 'source-document' }>
type FilePart = Extract<Part, { type: 'file' | 'reasoning-file' }>

/** A piece of a message as it is shown: parts that belong together are one. */
export type Block =
  | { kind: 'text'; text: string }
  /** `ms` = how long the model thought, where that was measured */
  | { kind: 'reasoning'; text: string; ms: number | undefined; streaming: boolean }
  | { kind: 'tool'; part: ToolPart; name: string; ms: number | undefined }
  | { kind: 'file'; part: FilePart }
  | { kind: 'sources'; parts: SourcePart[] }
  /** an agent has added it to a person's words, or between messages: texts, and items as they came */
  | { kind: 'context'; added: unknown[] }
  /** a part that Ramify has no words for: shown as it is stored */
  | { kind: 'other'; type: string; value: unknown }

/**
 * A message in the order in which it was said. Texts that only a step divides are one block, and so are stretches of
 * reasoning; sources stand at the end, and before them what an agent has added to a person's words. Nothing is left out but
 * marks of steps and empty texts. Stored parts are as their provider or an import made them: one in another form than the AI
 * SDK's is shown as it is.
 */
export function blocksOf(message: Shown): Block[] {
  const { parts, metadata } = message
  const blocks: Block[] = []
  const sources: SourcePart[] = []
  const isContext = isAddedContext(message)
  const added: unknown[] = []
  const durations = metadata?.durations ?? {}
  let thoughts = 0
  for (const part of parts) {
    const last = blocks.at(-1)
    if (!isKnown(part)) {
      blocks.push({ kind: 'other', type: 'part', value: part })
      continue
    }
    if (part.type === 'step-start') continue
    if (part.type === 'text') {
      const { said, injected } = splitText(message, isContext, part.text)
      added.push(...injected)
      if (said === '') continue
      if (last?.kind === 'text') last.text += `\n\n${said}`
      else blocks.push({ kind: 'text', text: said })
    } else if (part.type === 'reasoning') {
      const ms = durations[reasoningKey(thoughts++)]
      const streaming = part.state === 'streaming'
      if (part.text === '' && !streaming && ms === undefined) continue
      if (last?.kind !== 'reasoning') blocks.push({ kind: 'reasoning', text: part.text, ms, streaming })
      else {
        last.text += `\n\n${part.text}`
        last.streaming = streaming
        if (ms !== undefined) last.ms = (last.ms ?? 0) + ms
      }
    } else if (isTool(part)) {
      const name = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
      blocks.push({ kind: 'tool', part, name, ms: durations[part.toolCallId] })
    } else if (part.type === 'source-url' || part.type === 'source-document') sources.push(part)
    else if (part.type === 'file' || part.type === 'reasoning-file') blocks.push({ kind: 'file', part })
    else if (part.type === 'data-item') {
      if (isContext) added.push(part.data.item)
      else blocks.push(itemBlock(part.data.item))
    } else blocks.push({ kind: 'other', type: part.type, value: part })
  }
  if (added.length > 0) blocks.push({ kind: 'context', added })
  return sources.length === 0 ? blocks : [...blocks, { kind: 'sources', parts: sources }]
}

type Shown = Pick<ChatMessage, 'parts' | 'metadata'> & { role?: ChatMessage['role'] }

/** Splits a text into the person's words and an agent's additions to it. */
function splitText(
  { role, metadata }: Shown,
  isContext: boolean,
  text: string,
): ReturnType<typeof splitSaid> {
  if (isContext) return { said: '', injected: text === '' ? [] : [text] }
  const isOfPerson = role === 'user' && !metadata?.merge
  return isOfPerson && text.includes('<') ? splitSaid(text) : { said: text, injected: [] }
}

/** Shows an item that is not understood under the type that it says of itself: an agent sent it, or was answered with it. */
const itemBlock = (item: unknown): Block => ({ kind: 'other', type: typeIn(item) ?? 'item', value: item })

/** True when a part has what its type promises, as far as it is shown. */
function isKnown(part: unknown): part is Part {
  if (typeof part !== 'object' || part === null) return false
  const { type, text, mediaType, url, state, toolCallId, data } = part as Record<string, unknown>
  if (typeof type !== 'string') return false
  if (type === 'text' || type === 'reasoning') return typeof text === 'string'
  if (type === 'file' || type === 'reasoning-file')
    return typeof mediaType === 'string' && typeof url === 'string'
  if (type === 'source-url') return typeof url === 'string'
  if (type === 'data-item') return typeof data === 'object' && data !== null && 'item' in data
  if (type === 'dynamic-tool' || type.startsWith('tool-'))
    return typeof state === 'string' && typeof toolCallId === 'string'
  return true
}

/** The key of a message's nth reasoning part in `metadata.durations`; a tool's is the id of its call. */
const reasoningKey = (nth: number): string => `reasoning-${nth}`

const isTool = (part: Part): part is ToolPart => part.type === 'dynamic-tool' || part.type.startsWith('tool-')
