import { threadsQuery } from '@/lib/server/api/schemas/thread-schemas'
import { threadJson } from '@/lib/server/api/thread-json'
import { defineRead } from '@/lib/server/http/define-read'
import { listForks } from '@/lib/server/use-cases'

/** `GET /api/threads/{id}/branches?limit=&before=`: the threads forked from one, newest first. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineRead<
  typeof threadsQuery,
  { id: string }
>(threadsQuery, async ({ ports, ownerId, params, query }) => {
  const { threads, next } = await listForks(ports, { ownerId, threadId: params.id, ...query })
  return { thread_id: params.id, branches: threads.map(threadJson), next }
})
