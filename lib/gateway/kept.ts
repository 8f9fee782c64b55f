import type { AssistantModelMessage, ModelMessage } from 'ai'
import type { AgentProtocol } from './agent-call'
import { contentOf } from './chain/canonical'
import { fieldsOf, textOf } from './protocols/shared/values'

/** An item of a conversation, or a block of a message, that Ramify has no words for: as it came. */
export interface KeptPart {
  type: 'kept'
  protocol: AgentProtocol
  item: unknown
}

export const keptPart = (protocol: AgentProtocol, item: unknown): KeptPart => ({
  type: 'kept',
  protocol,
  item,
})

/** Tells whether a part of a message is kept as it came. The AI SDK has no type for it. */
export const isKept = (part: { type?: unknown }): part is KeptPart => part.type === 'kept'

/** The type that an item says of itself. */
const keptType = (item: unknown): string => textOf(fieldsOf(item).type) ?? 'item'

/**
 * The role of an item that stands between messages. A client's answer to a call is an answer of a tool; anything else
 * is taken as said by the model, since a client sends back what it was given.
 */
export function keptRole(item: Readonly<Record<string, unknown>>): ModelMessage['role'] {
  const { role } = item
  if (role === 'user' || role === 'assistant' || role === 'tool' || role === 'system') return role
  if (role === 'developer') return 'system'
  return /_(?:output|response)$/.test(keptType(item)) ? 'tool' : 'assistant'
}

/** The ids of the items that a message names in place of their words. */
export const namedItems = (message: ModelMessage): string[] =>
  contentOf(message).flatMap((part) => {
    if (!isKept(part) || keptType(part.item) !== 'item_reference') return []
    return textOf(fieldsOf(part.item).id) ?? []
  })

/**
 * A reply as the messages that a client sends back: the answer of a provider's own tool within it then is an answer
 * of a tool.
 */
export function sentBack(reply: AssistantModelMessage): ModelMessage[] {
  const roleOf = (part: { type?: unknown }) =>
    isKept(part) && keptRole(fieldsOf(part.item)) === 'tool' ? ('tool' as const) : ('assistant' as const)
  const parts = contentOf(reply)
  if (parts.every((part) => roleOf(part) === 'assistant')) return [reply]
  return parts.map((part) => ({ role: roleOf(part), content: [part] }) as unknown as ModelMessage)
}

/** A message without its kept parts, as clients send it back that know no such parts. */
export function withoutKept<Message extends ModelMessage>(message: Message): Message {
  if (typeof message.content === 'string') return message
  return { ...message, content: contentOf(message).filter((part) => !isKept(part)) }
}

/**
 * Messages for a model of another protocol, and the instructions before them. Instructions amid the messages join
 * those at the beginning, since many providers take them nowhere else. A part of a person's words that has no
 * counterpart is named; kept parts of replies and of answers are left out.
 */
export function translatable(messages: readonly ModelMessage[]): {
  system: string[]
  messages: ModelMessage[]
} {
  const system: string[] = []
  const spoken = messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'system') {
      system.push(
        contentOf(message)
          .flatMap(({ text }) => textOf(text) ?? [])
          .join(''),
      )
      return []
    }
    if (message.role === 'user' && typeof message.content !== 'string') {
      const content = contentOf(message).map((part) => (isKept(part) ? namedPart(part) : part))
      return [{ ...message, content } as ModelMessage]
    }
    const rest = withoutKept(message)
    return rest.content.length === 0 && message.content.length > 0 ? [] : [rest]
  })
  return { system, messages: spoken }
}

/** Words in place of a part that the model asked cannot read. */
export const namedPart = ({ item }: KeptPart) => ({
  type: 'text',
  text: `[A part of the type ${JSON.stringify(keptType(item))} stood here: this model cannot read it.]`,
})
