import { threadsQuery } from '@/lib/server/api/schemas/thread-schemas'
import { threadJson } from '@/lib/server/api/thread-json'
import { defineRead } from '@/lib/server/http/define-read'
import { listThreads } from '@/lib/server/use-cases'

/** `GET /api/threads?limit=&before=`: a person's threads, newest first. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineRead(
  threadsQuery,
  async ({ ports, ownerId, query }) => {
    const { threads, next } = await listThreads(ports, { ownerId, ...query })
    return { threads: threads.map(threadJson), next }
  },
)
