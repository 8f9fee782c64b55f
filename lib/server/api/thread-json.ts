import 'server-only'
import type { z } from 'zod'
import type { ThreadEvent, ThreadHead, ThreadMessage, ThreadSummary } from '@/lib/context'
import type { ThreadStatus } from '@/lib/conversations'
import type { eventList, messageList, threadHead, threadList } from './schemas/thread-schemas'

// Threads in the words and times of CONTRACT.md.

type Json<
  Schema extends z.ZodType,
  Key extends keyof z.input<Schema>,
> = z.input<Schema>[Key] extends (infer Item)[] ? Item : never

const iso = (time: number): string => new Date(time).toISOString()

export const threadJson = (thread: ThreadSummary): Json<typeof threadList, 'threads'> => ({
  thread_id: thread.threadId,
  chat_id: thread.chatId,
  title: thread.title,
  parent_thread_id: thread.parentThreadId,
  from_event_number: thread.fromEventNumber,
  head_message_id: thread.headMessageId,
  created_at: iso(thread.createdAt),
  updated_at: iso(thread.updatedAt),
})

export function messageJson(message: ThreadMessage): Json<typeof messageList, 'messages'> {
  const isReply = message.role === 'assistant'
  return {
    event_number: message.eventNumber,
    message_id: message.messageId,
    role: message.role,
    content: message.content,
    checkpoint_id: isReply ? checkpointOf(message.messageId) : null,
    reply_to: isReply ? message.parentId : null,
    created_at: iso(message.createdAt),
  }
}

/** The type of an event decides its payload, which the log has looked after. */
export const eventJson = ({ eventNumber, type, payload, content, createdAt }: ThreadEvent) =>
  ({
    event_number: eventNumber,
    type,
    payload: content === undefined ? payload : { ...payload, content },
    created_at: iso(createdAt),
  }) as Json<typeof eventList, 'events'>

export const headJson = (
  threadId: string,
  head: ThreadHead & { status: ThreadStatus },
): z.input<typeof threadHead> => ({
  thread_id: threadId,
  head_message_id: head.headMessageId,
  event_number: head.eventNumber,
  checkpoint_id: head.role === 'assistant' && head.headMessageId ? checkpointOf(head.headMessageId) : null,
  status: head.status,
})

/** The checkpoint that follows every stored reply (DESIGN.md §8). */
const checkpointOf = (messageId: string): string => `ckpt-${messageId}`
