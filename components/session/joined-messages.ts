import type { MessageId } from '@/lib/events'
import type { ChatMessage } from '@/lib/protocol'
import { blocksOf } from './blocks'

type Part = ChatMessage['parts'][number]
type ToolPart = Extract<Part, { toolCallId: string }>

/** A message whose calls of tools have their answers. */
export interface JoinedMessage<Message> {
  message: Message
  /** its place among the messages before they were joined */
  at: number
  /** the messages below it that hold nothing but answers to its calls */
  answeredIn: MessageId[]
}

/**
 * Messages of a chain in which a call of a tool and its answer are one. An answer stands in the message below the call where
 * an agent carried the call out, or a person allowed it; it is moved to the call, and a message that is empty by then is left out.
 */
export function joinedMessages<Message extends ChatMessage>(
  messages: readonly Message[],
): JoinedMessage<Message>[] {
  const joined: JoinedMessage<Message>[] = []
  for (const [at, message] of messages.entries()) {
    const open = openCalls(messages[at - 1])
    const own = message.parts.filter((part) => !(isAnswer(part) && open.has(part.toolCallId)))
    const isEmpty = own.length < message.parts.length && blocksOf({ ...message, parts: own }).length === 0
    const above = joined.at(-1)
    if (isEmpty && above) {
      above.answeredIn.push(message.id)
      continue
    }
    const rest = own.length === message.parts.length ? message : { ...message, parts: own }
    joined.push({ message: withAnswers(rest, messages[at + 1]), at, answeredIn: [] })
  }
  return joined
}

function withAnswers<Message extends ChatMessage>(message: Message, below: ChatMessage | undefined): Message {
  const answers = new Map((below?.parts ?? []).filter(isAnswer).map((part) => [part.toolCallId, part]))
  if (![...openCalls(message)].some((id) => answers.has(id))) return message
  const parts = message.parts.map((part) => {
    const answer = isOpen(part) ? answers.get(part.toolCallId) : undefined
    return answer
      ? ({ ...answer, ...part, state: answer.state, approval: answer.approval } as typeof part)
      : part
  })
  return { ...message, parts }
}

const openCalls = (message: ChatMessage | undefined): ReadonlySet<string> =>
  new Set((message?.parts ?? []).filter(isOpen).map(({ toolCallId }) => toolCallId))

// a stored part may be anything
const isTool = (part: Part | null): part is ToolPart =>
  typeof part === 'object' && part !== null && 'toolCallId' in part && typeof part.state === 'string'

const isOpen = (part: Part): part is ToolPart =>
  isTool(part) && (part.state === 'input-available' || part.state === 'approval-requested')

const isAnswer = (part: Part): part is ToolPart => isTool(part) && part.state.startsWith('output-')
