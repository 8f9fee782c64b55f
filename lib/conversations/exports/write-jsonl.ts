import type { BranchId, ChatId } from '@/lib/events'
import type { Ports } from '../ports'
import type { ReadableChat } from './readable-chat'
import { TrainingContexts, type TrainingMessage, toolsWith, trainingMessages } from './training-messages'

/**
 * A chat as training data: a line for each branch, with the instructions and tools in force at its end. A
 * branch that another one continues is left out, and so are messages after the last reply. Thoughts have no
 * place in the format; a file is named.
 *
 * @param only the one branch to write
 */
export async function* chatJsonl(
  ports: Pick<Ports, 'reads' | 'tools' | 'models'>,
  chat: ReadableChat,
  { chatId, only }: { chatId: ChatId; only?: BranchId | undefined },
): AsyncGenerator<string> {
  const { index, without } = chat
  const { branches } = index.graph
  const contexts = new TrainingContexts(ports, chatId, without)
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
      messages.push(...trainingMessages(message, without))
    }
    // messages after the last reply teach nothing
    messages.splice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    if (messages.length === 0) continue
    const { system, tools } = await contexts.of(contextId)
    yield `${JSON.stringify({ messages: [...system, ...messages], ...toolsWith(tools, messages) })}\n`
  }
}
