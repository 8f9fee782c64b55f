import { z } from 'zod'
import { headJson } from '@/lib/server/api/thread-json'
import { defineRead } from '@/lib/server/http/define-read'
import { readThreadHead } from '@/lib/server/use-cases'

const nothing = z.object({})

/** `GET /api/threads/{id}/head`: where a thread stands. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineRead<typeof nothing, { id: string }>(
  nothing,
  async ({ ports, ownerId, params }) =>
    headJson(params.id, await readThreadHead(ports, { ownerId, threadId: params.id })),
)
