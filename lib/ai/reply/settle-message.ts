import { isToolUIPart, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { neverAnswered } from '@/lib/events'
import { streamFrom } from '../stream-from'
import { cleanDeep } from './clean-text'
import { wasThoughts } from './separate-thoughts'

type Part = UIMessage['parts'][number]

/**
 * The message as it is stored. Text that turned out to be thoughts is reasoning. A text that was cut off is as done as it will ever be. A tool that had not answered then
 * is marked as failed, because providers refuse a call without a result.
 */
export function settleMessage(message: UIMessage, cutOff: boolean): UIMessage {
  return cleanDeep({ ...message, parts: message.parts.map((part) => settlePart(part, cutOff)) })
}

const unanswered: ReadonlySet<string> = new Set(['input-streaming', 'input-available', 'approval-responded'])

function settlePart(part: Part, cutOff: boolean): Part {
  if (part.type === 'text' && wasThoughts(part.providerMetadata)) {
    return { type: 'reasoning', text: part.text.trimEnd(), state: 'done' }
  }
  if (!cutOff) return part
  if ((part.type === 'text' || part.type === 'reasoning') && part.state === 'streaming') {
    return { ...part, state: 'done' }
  }
  if (!isToolUIPart(part)) return part
  if (!unanswered.has(part.state)) return part
  const { toolCallId, title, approval } = part
  return {
    ...(part.type === 'dynamic-tool' ? { type: part.type, toolName: part.toolName } : { type: part.type }),
    toolCallId,
    title,
    ...(approval && { approval }),
    state: 'output-error',
    input: part.input ?? {},
    errorText: neverAnswered,
  } as Part
}

/** The message that logged parts of a reply make, as `streamReply` would have left it had it been cut off there. */
export async function assembleMessage(parts: readonly UIMessageChunk[], replyId: string): Promise<UIMessage> {
  let message: UIMessage = { id: replyId, role: 'assistant', parts: [] }
  const stream = streamFrom(parts)
  for await (const state of readUIMessageStream({ message, stream, terminateOnError: false })) message = state
  return settleMessage({ ...message, id: replyId }, true)
}
