import { historyQuery } from '@/lib/server/api/schemas/thread-schemas'
import { messageJson } from '@/lib/server/api/thread-json'
import { defineRead } from '@/lib/server/http/define-read'
import { readThreadMessages } from '@/lib/server/use-cases'

/** `GET /api/threads/{id}/messages?after=&limit=`: what was said in a thread, inherited and own, in order. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineRead<
  typeof historyQuery,
  { id: string }
>(historyQuery, async ({ ports, ownerId, params, query }) => {
  const { messages, next } = await readThreadMessages(ports, { ownerId, threadId: params.id, ...query })
  return { thread_id: params.id, messages: messages.map(messageJson), next }
})
