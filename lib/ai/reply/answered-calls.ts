import {
  type DynamicToolUIPart,
  getToolName,
  isToolUIPart,
  type TextStreamPart,
  type ToolSet,
  type ToolUIPart,
  type UIMessage,
} from 'ai'
import type { PromptParts } from '../model-prompt'

type ToolPart = ToolUIPart | DynamicToolUIPart
type Part = TextStreamPart<ToolSet>

/** Answer to a model whose call was allowed, but whose tool is gone. */
const gone = 'This tool is not available now.'

/**
 * The calls that a person has answered, of a reply that goes on with them: their results come next in the stream, and so
 * the calls stand before them. A tool that is gone has failed.
 *
 * @returns the prompt's messages, and the first parts of the reply
 */
export function answeredCalls({ messages, tools = {} }: PromptParts): {
  messages: readonly UIMessage[]
  parts: Part[]
} {
  const last = messages.at(-1)
  const calls = last?.role === 'assistant' ? last.parts.filter(isAnswered) : []
  if (!last || calls.length === 0) return { messages, parts: [] }
  const isGone = (part: UIMessage['parts'][number]): part is ToolPart =>
    isAnswered(part) && part.approval?.approved === true && !Object.hasOwn(tools, getToolName(part))
  const parts = last.parts.map((part) => (isGone(part) ? failed(part) : part))
  return {
    messages: [...messages.slice(0, -1), { ...last, parts }],
    parts: calls.flatMap((call) => [...begin(call), ...(isGone(call) ? [errorOf(call)] : [])]),
  }
}

const isAnswered = (part: UIMessage['parts'][number]): part is ToolPart & { state: 'approval-responded' } =>
  isToolUIPart(part) && part.state === 'approval-responded'

/** As a provider reads it: a call and its result. */
const failed = ({ approval: _, ...part }: ToolPart): UIMessage['parts'][number] =>
  ({ ...part, state: 'output-error', errorText: gone }) as ToolPart

const callOf = (part: ToolPart) => ({
  type: 'tool-call' as const,
  toolCallId: part.toolCallId,
  toolName: getToolName(part),
  input: part.input,
  title: part.title,
  dynamic: part.type === 'dynamic-tool' ? (true as const) : undefined,
})

function begin(part: ToolPart): Part[] {
  const toolCall = callOf(part)
  const { id: approvalId = '', approved = false, reason } = part.approval ?? {}
  return [
    toolCall,
    { type: 'tool-approval-request', approvalId, toolCall },
    { type: 'tool-approval-response', approvalId, approved, reason, toolCall },
  ] as Part[]
}

const errorOf = (part: ToolPart): Part => ({ ...callOf(part), type: 'tool-error', error: gone }) as Part
