import { isHiddenMessage, type MessageData } from '@/lib/context'
import type { BranchId, ChatId } from '@/lib/events'
import type { Ports } from '../ports'
import { compilePrompt } from '../replies/prompt'
import type { ReadableChat } from './readable-chat'
import { readableParts } from './readable-parts'

/** A message of OpenAI's chat format, as its fine-tuning takes it. */
type TrainingMessage =
  | { role: 'system' | 'user'; content: string }
  | {
      role: 'assistant'
      content: string | null
      tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
    }
  | { role: 'tool'; tool_call_id: string; content: string }

/**
 * A chat as training data: a line for each branch, with the instructions in force at its end. A branch that another one goes on
 * from is left out, and so is what no reply follows. Thoughts have no place in the format; a file is named.
 *
 * @param only the one branch to write
 */
export async function* chatJsonl(
  { reads }: Pick<Ports, 'reads'>,
  chat: ReadableChat,
  { chatId, only }: { chatId: ChatId; only?: BranchId | undefined },
): AsyncGenerator<string> {
  const { index } = chat
  const { branches } = index.graph
  const written = new Set<string>()
  for (const { id, headId } of branches) {
    if (headId === null || (only === undefined ? written.has(headId) : id !== only)) continue
    const isPassed = branches.some(
      (other) => other.headId !== headId && index.isOnChain(headId, other.headId),
    )
    if (only === undefined && isPassed) continue
    written.add(headId)
    const messages: TrainingMessage[] = []
    let contextId: string | undefined
    for await (const message of chat.bodies(index.chainTo(headId))) {
      contextId = message.contextId ?? contextId
      messages.push(...trainingMessages(message))
    }
    // what no reply follows teaches nothing
    messages.splice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    if (messages.length === 0) continue
    const context = contextId === undefined ? undefined : await reads.context(chatId, contextId)
    const { instructions } = compilePrompt([], context ?? null)
    const system = instructions.trim() === '' ? [] : [{ role: 'system', content: instructions }]
    yield `${JSON.stringify({ messages: [...system, ...messages] })}\n`
  }
}

/** A reply with tools is several messages: the call, its answers, and what was said then. */
function trainingMessages(message: MessageData): TrainingMessage[] {
  if (isHiddenMessage(message.data)) return []
  const role = message.name === 'assistant' ? 'assistant' : message.name === 'system' ? 'system' : 'user'
  const parts = readableParts(message)
  if (role !== 'assistant') {
    const content = parts.map(wordsOf).filter(Boolean).join('\n\n')
    return content === '' ? [] : [{ role, content }]
  }
  const messages: TrainingMessage[] = []
  let said: string[] = []
  let tools: Extract<(typeof parts)[number], { kind: 'tool' }>[] = []
  const close = () => {
    const content = said.join('\n\n')
    if (content === '' && tools.length === 0) return
    messages.push({
      role: 'assistant',
      content: content === '' ? null : content,
      ...(tools.length > 0 && {
        tool_calls: tools.map(({ id, name, input }) => ({
          id,
          type: 'function' as const,
          function: { name, arguments: plainText(input) },
        })),
      }),
    })
    for (const { id, output, error } of tools) {
      const content = error ?? (output === undefined ? '' : plainText(output))
      messages.push({ role: 'tool', tool_call_id: id, content })
    }
    said = []
    tools = []
  }
  for (const part of parts) {
    if (part.kind === 'tool') tools.push(part)
    else {
      if (tools.length > 0) close()
      const words = wordsOf(part)
      if (words !== '') said.push(words)
    }
  }
  close()
  return messages
}

const plainText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

const wordsOf = (part: ReturnType<typeof readableParts>[number]): string =>
  part.kind === 'text' ? part.text : part.kind === 'file' ? `[file: ${part.name}]` : ''
