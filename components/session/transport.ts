import { DefaultChatTransport, type UIMessageChunk } from 'ai'
import type { Api } from '@/components/app/api'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import type { ChatMessage } from '@/lib/protocol'

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
 * A run is named before the first words of its reply, and again before a worker that takes it over begins them anew:
 * what was said until then goes. The AI SDK takes back one step, so it is not told of steps; nothing here shows them.
 */
function beginAnew(): TransformStream<UIMessageChunk, UIMessageChunk> {
  return new TransformStream({
    transform(chunk, controller) {
      if (chunk.type === 'start-step') return
      if (chunk.type === 'data-run') controller.enqueue({ type: 'reset-step' })
      controller.enqueue(chunk)
    },
  })
}

const lean = ({ id, role, parts }: ChatMessage) => ({ id, role, parts })
