import type { ModelMessage, ToolContent, UIMessage } from 'ai'
import { messagePreview, type NewMessage, QuotaExceededError, toldTokens } from '@/lib/context'
import type { ContextId, MessageId, UserId } from '@/lib/events'
import { splitSaid } from '@/lib/events/said-words'
import type { AgentReply } from '@/lib/gateway/agent-call'
import { addressOf, type answersOf, bytesOf, contentOf, parsed } from '@/lib/gateway/chain'
import { isKept, type KeptPart } from '@/lib/gateway/kept'
import { fileUrl, type MessageMetadata } from '@/lib/protocol'
import { cleanText, plainValue } from '@/lib/transfer'
import { InvalidRequestError, UnsupportedTypeError } from '../errors'
import { storeFile } from '../files/store-file'
import type { Ports } from '../ports'

type Part = UIMessage['parts'][number]

/** The texts of a person's message, without texts that the client has put around them. */
export const saidTexts = (parts: readonly { text?: unknown }[]): string[] =>
  parts
    .flatMap(({ text }) => (typeof text === 'string' ? splitSaid(text).said.trim() : []))
    .filter((text) => text !== '')

/** The facts that a message is stored with besides its words. */
interface Place {
  ownerId: UserId
  id: MessageId
  createdAt: number
  contextId: ContextId
  /** the tools that were called, by the id of the call */
  calls: ReadonlyMap<string, { toolName: string; input: unknown }>
}

/**
 * The stored form of an agent's message, the same as of any other message. Its files are stored first; a part
 * that cannot be kept is named in a line of text. Tool answers are a message of their own, as they came.
 *
 * @param message one of `linksOf`
 */
export async function saidMessage(
  ports: Pick<Ports, 'files'>,
  message: ModelMessage,
  { ownerId, id, createdAt, contextId, calls }: Place,
): Promise<NewMessage> {
  const files: string[] = []
  const keep = async (file: Record<string, unknown>) => {
    const kept = await keptFile(ports, ownerId, file)
    if (kept.fileId !== undefined) files.push(kept.fileId)
    return kept.part
  }
  const parts: Part[] = []
  if (message.role === 'tool') {
    for (const answer of message.content as readonly AnswerPart[]) {
      if (answer.type !== 'tool-result') {
        if (isKept(answer)) parts.push(itemPart(answer))
        continue
      }
      const { toolName = answer.toolName, input = {} } = calls.get(answer.toolCallId) ?? {}
      const called = {
        toolName: cleanText(toolName),
        toolCallId: answer.toolCallId,
        input: argumentsOf(input),
      }
      parts.push({ type: 'dynamic-tool', ...called, ...(await settled(answer.output, keep)) })
    }
  } else for (const part of contentOf(message)) parts.push(...(await partOf(part, keep)))
  const role = message.role === 'tool' ? 'assistant' : message.role
  const data = { id, role, parts, metadata: { createdAt } satisfies MessageMetadata }
  return {
    id,
    name: message.role,
    type: 'message',
    data,
    preview: messagePreview(data),
    createdAt,
    contextId,
    ...(files.length > 0 && { files }),
    // said before it came here: no use
    ...(message.role === 'assistant' && { reply: { model: null, usage: null, imported: true as const } }),
  }
}

/** The reply of a provider as it is stored: with its model, its use, and how it ended. */
export async function repliedMessage(
  ports: Pick<Ports, 'files'>,
  { message, usage: told, brokenOff }: AgentReply,
  { model, ...place }: Omit<Place, 'calls'> & { model: string },
): Promise<NewMessage> {
  const said = await saidMessage(ports, message, { ...place, calls: new Map() })
  const usage = told && {
    inputTokens: toldTokens(told.input),
    outputTokens: toldTokens(told.output),
    cachedTokens: toldTokens(told.cached) || undefined,
  }
  const status = brokenOff === undefined ? undefined : ('failed' as const)
  const metadata: MessageMetadata = {
    model,
    createdAt: place.createdAt,
    ...(usage && { usage }),
    ...(status && { status }),
    ...(brokenOff !== undefined && {
      error: { kind: 'unknown', message: cleanText(brokenOff), advice: 'The agent may ask again.' },
    }),
  }
  return {
    ...said,
    data: { ...(said.data as object), metadata },
    ...(status && { status }),
    reply: { model, usage: usage ?? null },
  }
}

/** Tells whether there is anything to keep of a reply. */
export const saysSomething = ({ message }: AgentReply): boolean =>
  contentOf(message).some(
    ({ type, text }) => !['text', 'reasoning'].includes(String(type)) || String(text ?? '').trim() !== '',
  )

type Keep = (file: Record<string, unknown>) => Promise<Part>

async function partOf(part: Record<string, unknown>, keep: Keep): Promise<Part[]> {
  const text = typeof part.text === 'string' ? cleanText(part.text) : ''
  switch (part.type) {
    case 'text':
      return text === '' ? [] : [{ type: 'text', text }]
    case 'reasoning': {
      const signed = signatureOf(part.providerOptions)
      if (text.trim() === '' && !signed) return []
      return [{ type: 'reasoning', text, state: 'done', ...(signed && { providerMetadata: signed }) }]
    }
    case 'tool-call':
      return [
        {
          type: 'dynamic-tool',
          toolName: cleanText(String(part.toolName)),
          toolCallId: cleanText(String(part.toolCallId)),
          state: 'input-available',
          input: argumentsOf(part.input),
        },
      ]
    case 'image':
    case 'file':
      return [await keep(part)]
    case 'kept':
      return isKept(part) ? [itemPart(part)] : []
    default:
      return [{ type: 'text', text: cleanText(JSON.stringify(plainValue(part)) ?? '') }]
  }
}

/**
 * The options of a thought that its provider wants back. They leave out its id: the provider may not keep the
 * named thought.
 */
function signatureOf(options: unknown): Record<string, Record<string, string>> | undefined {
  const { anthropic, openai } = (options ?? {}) as Record<string, Record<string, string> | undefined>
  if (anthropic) return { anthropic }
  const reasoningEncryptedContent = openai?.reasoningEncryptedContent
  return reasoningEncryptedContent === undefined ? undefined : { openai: { reasoningEncryptedContent } }
}

type AnswerPart = ToolContent[number] | KeptPart

/** Keeps an unknown item as it came: a provider of its protocol may get it again. */
const itemPart = ({ protocol, item }: KeptPart): Part => ({
  type: 'data-item',
  data: { protocol, item: plainValue(item) },
})

const argumentsOf = (input: unknown): unknown => plainValue(parsed(input) ?? {})

type Answer = ReturnType<typeof answersOf>[number]

type Settled = { state: 'output-available'; output: unknown } | { state: 'output-error'; errorText: string }

async function settled(output: Answer['output'], keep: Keep): Promise<Settled> {
  switch (output.type) {
    case 'text':
    case 'json':
      return { state: 'output-available', output: plainValue(output.value) }
    case 'error-text':
      return { state: 'output-error', errorText: cleanText(output.value) }
    case 'error-json':
      return { state: 'output-error', errorText: cleanText(JSON.stringify(plainValue(output.value))) }
    case 'execution-denied':
      return { state: 'output-error', errorText: cleanText(output.reason ?? 'Tool call execution denied.') }
    case 'content': {
      const items = await Promise.all(
        output.value.map(async (item) =>
          item.type === 'text'
            ? { type: 'text', text: cleanText(item.text) }
            : isFile(item)
              ? await keep({ ...item, type: 'file' })
              : isKept(item)
                ? itemPart(item)
                : plainValue(item),
        ),
      )
      const texts = items.map((item) => (isText(item) ? item.text : undefined))
      const isAllText = texts.every((text) => text !== undefined)
      return { state: 'output-available', output: isAllText ? texts.join('\n') : items }
    }
  }
}

const isText = (item: unknown): item is { type: 'text'; text: string } =>
  typeof item === 'object' && item !== null && 'type' in item && item.type === 'text'

const isFile = (item: object): boolean => 'data' in item || 'url' in item

/** A file of a message: stored when its bytes are there, by its address when it is elsewhere. */
async function keptFile(
  ports: Pick<Ports, 'files'>,
  ownerId: UserId,
  { image, data, url, filename, mediaType }: Record<string, unknown>,
): Promise<{ part: Part; fileId?: string }> {
  const content = image ?? data ?? url
  const name = typeof filename === 'string' ? filename : image === undefined ? 'file' : 'image'
  const bytes = bytesOf(content)
  if (!bytes) {
    const address = addressOf(content)
    if (address === undefined) return { part: { type: 'text', text: `[${cleanText(name)}]` } }
    const type =
      typeof mediaType === 'string' ? mediaType : image === undefined ? 'application/octet-stream' : 'image/*'
    return { part: { type: 'file', mediaType: cleanText(type), url: cleanText(address) } }
  }
  try {
    const stored = await storeFile(ports, { ownerId, name, bytes: Buffer.from(bytes) })
    if (stored) {
      const part: Part = {
        type: 'file',
        mediaType: stored.media_type,
        filename: stored.name,
        url: fileUrl(stored.id),
      }
      return { part, fileId: stored.id }
    }
  } catch (error) {
    if (error instanceof QuotaExceededError) throw error
    if (!(error instanceof UnsupportedTypeError || error instanceof InvalidRequestError)) throw error
  }
  return { part: { type: 'text', text: `[${cleanText(name)}]` } }
}
