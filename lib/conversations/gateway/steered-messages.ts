import type { ModelMessage } from 'ai'
import { messagePreview, type NewMessage, openCalls, type SteeredTo } from '@/lib/context'
import type { ChatId, ContextId, MessageId, UserId } from '@/lib/events'
import { answersOf } from '@/lib/gateway/chain'
import { saidMessage } from './said'
import type { AgentPorts, SteeredMessages } from './store-line'

/** The words to a model that reads another chain than the one it wrote. */
const MOVED =
  'This conversation was moved: it goes on from the message above. What was said and done after that message is no longer part of it.'

/**
 * The next messages of an agent that was moved to another place, by a person or by itself: a note about the
 * move, and its own messages. A tool answer stays when its call is the last message there; any other is left
 * out, since providers refuse an answer without its call. The note replaces it.
 *
 * @param input.links the messages of the call that are not stored
 */
export async function steeredMessages(
  ports: AgentPorts,
  {
    links,
    target: { headId },
    chatId,
    ownerId,
    calls,
    contextId,
  }: {
    links: readonly ModelMessage[]
    target: SteeredTo
    chatId: ChatId
    ownerId: UserId
    calls: ReadonlyMap<string, { toolName: string; input: unknown }>
    contextId: ContextId
  },
): Promise<SteeredMessages> {
  const above = headId === null ? undefined : await ports.store.getMessage(chatId, headId)
  const open = new Set(openCalls(above?.data).map(({ toolCallId }) => toolCallId))
  const make = (link: ModelMessage): Promise<NewMessage> =>
    saidMessage(ports, link, { ownerId, calls, contextId, id: ports.newId(), createdAt: ports.clock() })
  const note = noteOf(ports, contextId)
  const messages = [note]
  const places: MessageId[] = []
  for (const [index, link] of links.entries()) {
    if (index === 0 && link.role === 'tool') {
      const content = answersOf(link).filter(({ toolCallId }) => open.has(toolCallId))
      if (content.length > 0) messages.unshift(await make({ ...link, content }))
      places.push(note.id)
      continue
    }
    const message = await make(link)
    messages.push(message)
    places.push(message.id)
  }
  return { messages, places }
}

function noteOf(ports: AgentPorts, contextId: ContextId): NewMessage {
  const [id, createdAt] = [ports.newId(), ports.clock()]
  const data = { id, role: 'user', parts: [{ type: 'text', text: MOVED }], metadata: { createdAt } }
  return {
    id,
    name: 'user',
    type: 'message',
    data,
    preview: messagePreview(data),
    createdAt,
    contextId,
  }
}
