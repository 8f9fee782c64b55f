import { convertToModelMessages, type FileUIPart, type ModelMessage, type UIMessage } from 'ai'
import type { ChatId, MessageId } from '@/lib/events'
import { readBy } from '@/lib/events/read-by'
import type { AgentProtocol } from '@/lib/gateway/agent-call'
import { keptPart, sentBack } from '@/lib/gateway/kept'
import { compilePrompt } from '../replies/prompt'
import type { AgentPorts } from './store-line'

type Part = UIMessage['parts'][number]

/**
 * A chain up to a message, as agents send it: each instruction at its place, items kept as they came, files
 * within tool answers, and unanswered calls. Only the requested model's own thoughts stay.
 *
 * @param place.model as listed here
 */
export async function steeredChain(
  ports: AgentPorts,
  { chatId, messageId, model }: { chatId: ChatId; messageId: MessageId | null; model: string },
): Promise<ModelMessage[]> {
  const chain = messageId === null ? [] : await ports.store.getMessageChain(chatId, messageId)
  const { messages } = compilePrompt(chain, { fragments: [] })
  const read = messages.map((message) => withoutWaiting(readBy(model, message)))
  const answerFiles = read.flatMap(({ parts }) => parts.flatMap(filesOfAnswer))
  const held: UIMessage = { id: '', role: 'user', parts: answerFiles }
  const filled = await ports.withFiles([...read, held], { chatId, input: ['*/*'] })
  const inAnswers = new Map(
    filled.pop()?.parts.map((part, at) => [answerFiles[at]?.url, part] as const) ?? [],
  )
  const said = await convertToModelMessages(filled, {
    // the AI SDK has no type for kept items
    convertDataPart: (part) => keptItem(part) as unknown as FileUIPart as never,
  })
  return said.flatMap((message): ModelMessage[] => {
    if (message.role === 'assistant') return sentBack(message)
    if (message.role !== 'tool') return message.content.length === 0 ? [] : [message]
    const content = message.content.map((part) =>
      part.type === 'tool-result' ? { ...part, output: answerOf(part.output, inAnswers) } : part,
    )
    return [{ ...message, content } as ModelMessage]
  })
}

/** A message without calls that wait for a person, or whose arguments are incomplete. */
function withoutWaiting(message: UIMessage): UIMessage {
  const parts = message.parts.flatMap((part): Part[] => {
    if (!('toolCallId' in part) || !('state' in part)) return [part]
    if (!SETTLED.test(String(part.state))) return []
    const { approval: _, ...rest } = part as Part & { approval?: unknown }
    return [rest as Part]
  })
  return { ...message, parts }
}

const SETTLED = /^(?:input-available|output-.*)$/

/** The stored form of a tool answer's item: a text, a file, or an item kept as it came. */
interface AnswerItem {
  type: string
  url?: string
  data?: { protocol?: unknown; item?: unknown }
}

/** The items of an answer that is more than a text. */
function itemsOf(output: unknown): AnswerItem[] | undefined {
  if (!Array.isArray(output)) return undefined
  const items = output as AnswerItem[]
  const isItem = (item: AnswerItem | null) => ['text', 'file', 'data-item'].includes(String(item?.type))
  return items.every(isItem) && items.some(({ type }) => type !== 'text') ? items : undefined
}

function filesOfAnswer(part: Part): FileUIPart[] {
  const items = 'output' in part ? itemsOf(part.output) : undefined
  return items?.filter((item): item is FileUIPart => item.type === 'file') ?? []
}

type Output = { type: string; value?: unknown }

function answerOf(output: Output, files: ReadonlyMap<string | undefined, Part>): Output {
  const items = output.type === 'json' ? itemsOf(output.value) : undefined
  if (!items) return output
  const value = items.map((item) => {
    if (item.type === 'data-item') return keptItem(item)
    return item.type === 'file' ? (files.get(item.url) ?? item) : item
  })
  return { type: 'content', value }
}

const keptItem = ({ data }: { data?: unknown }) => {
  const { protocol, item } = (data ?? {}) as { protocol?: AgentProtocol; item?: unknown }
  return keptPart(protocol ?? 'responses', item)
}
