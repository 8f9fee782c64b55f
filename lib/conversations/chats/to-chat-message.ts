import {
  type DynamicToolUIPart,
  getToolName,
  isToolUIPart,
  type ToolUIPart,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import { type MessageData, messageText } from '@/lib/context'
import type { ChatMessage, MessageMetadata } from '@/lib/protocol'

/** A stored message as the page shows it; a message in a form of a library caller's own is shown as its text. */
export function toChatMessage(message: MessageData): ChatMessage {
  const stored = message.data as Partial<UIMessage<MessageMetadata>> | null
  const parts = Array.isArray(stored?.parts)
    ? (stored.parts as ChatMessage['parts'])
    : [{ type: 'text' as const, text: messageText(message.data) }]
  const status = message.status ?? stored?.metadata?.status
  return {
    id: message.id,
    role: message.name === 'user' ? 'user' : message.name === 'system' ? 'system' : 'assistant',
    parts,
    metadata: {
      ...stored?.metadata,
      createdAt: message.createdAt,
      ...(message.copiedFromId !== undefined && { copiedFrom: message.copiedFromId }),
      ...(message.mergeParentId !== undefined && { mergeParent: message.mergeParentId }),
      ...(status !== undefined && { status }),
    },
  }
}

/** A stored reply as a stream of parts, with nothing left out that the stream has a part for. */
export function storedReply({ id, parts, metadata }: UIMessage): UIMessageChunk[] {
  return [{ type: 'start', messageId: id, messageMetadata: metadata }, ...parts.flatMap(chunksOf)]
}

function chunksOf(part: UIMessage['parts'][number], at: number): UIMessageChunk[] {
  const id = `${at}`
  switch (part.type) {
    case 'text':
      return [
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: part.text },
        { type: 'text-end', id },
      ]
    case 'reasoning':
      return [
        { type: 'reasoning-start', id },
        { type: 'reasoning-delta', id, delta: part.text },
        { type: 'reasoning-end', id, providerMetadata: part.providerMetadata },
      ]
    case 'step-start':
      return [{ type: 'start-step' }]
    case 'file':
    case 'reasoning-file':
    case 'source-url':
    case 'source-document':
      return [part]
    default:
      return isToolUIPart(part) ? toolChunks(part) : []
  }
}

function toolChunks(part: ToolUIPart | DynamicToolUIPart): UIMessageChunk[] {
  const { toolCallId, title, providerExecuted } = part
  const dynamic = part.type === 'dynamic-tool'
  const called = { toolCallId, title, providerExecuted, dynamic, input: part.input }
  const call: UIMessageChunk[] = [
    { type: 'tool-input-available', toolName: getToolName(part), ...called },
    ...approvalChunks(part),
  ]
  if (part.state === 'output-denied') return [...call, { type: 'tool-output-denied', toolCallId }]
  if (part.state === 'output-available')
    return [
      ...call,
      { type: 'tool-output-available', toolCallId, output: part.output, providerExecuted, dynamic },
    ]
  if (part.state === 'output-error') {
    const { errorText } = part
    return [...call, { type: 'tool-output-error', toolCallId, errorText, providerExecuted, dynamic }]
  }
  return call
}

/** A call that waited for a person, and the person's answer. */
function approvalChunks({ toolCallId, approval }: ToolUIPart | DynamicToolUIPart): UIMessageChunk[] {
  if (!approval) return []
  const { id: approvalId, approved, reason } = approval
  const asked: UIMessageChunk = { type: 'tool-approval-request', approvalId, toolCallId }
  return approved === undefined
    ? [asked]
    : [asked, { type: 'tool-approval-response', approvalId, approved, reason }]
}
