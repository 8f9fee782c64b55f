import { DefaultChatTransport, type UIMessageChunk } from 'ai'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import type { ChatMessage } from '@/lib/graph'
import type { Api } from './api'

/** What a turn asks of the server, besides the message itself. */
export interface TurnBody {
  /** absent for a chat that is not stored yet */
  branch?: BranchId
  expectedHead: MessageId | null
  trigger: 'submit-message' | 'regenerate-message'
  /** the stored message that is edited or answered again */
  messageId?: MessageId
  model: string
}

/** While a reply is begun anew, the message that takes its unfinished words away. Never shown. */
export const restartId = 'restart'

/** The lean way to `POST /api/chat`: history is the server's, so only the new message travels. */
export class TurnTransport extends DefaultChatTransport<ChatMessage> {
  constructor(api: Api, chatId: ChatId, at: { branchId(): BranchId; readTo(): number }) {
    super({
      api: '/api/chat',
      fetch: api.fetch,
      prepareSendMessagesRequest: ({ messages, body }) => {
        const message = messages.at(-1)
        return { body: { ...body, id: chatId, message: message && lean(message) } }
      },
      prepareReconnectToStreamRequest: () => ({
        api: `/api/chat/${encodeURIComponent(chatId)}/stream?branch=${encodeURIComponent(at.branchId())}&since=${at.readTo()}`,
      }),
    })
  }

  protected override processResponseStream(
    stream: ReadableStream<Uint8Array>,
  ): ReadableStream<UIMessageChunk> {
    return super.processResponseStream(stream).pipeThrough(beginAnew())
  }
}

/**
 * A worker that takes over begins the reply from the start and says so with another `data-run`. The AI SDK empties a
 * message only when another id begins, so one is put in between.
 */
function beginAnew(): TransformStream<UIMessageChunk, UIMessageChunk> {
  let runs = 0
  return new TransformStream({
    transform(chunk, controller) {
      if (chunk.type === 'data-run' && runs++ > 0) {
        controller.enqueue({ type: 'start', messageId: restartId })
        controller.enqueue({ type: 'start', messageId: replyIdOf(chunk.data) })
      }
      controller.enqueue(chunk)
    },
  })
}

function replyIdOf(data: unknown): string | undefined {
  const { replyId } = (data ?? {}) as { replyId?: unknown }
  return typeof replyId === 'string' ? replyId : undefined
}

const lean = ({ id, role, parts }: ChatMessage) => ({ id, role, parts })
