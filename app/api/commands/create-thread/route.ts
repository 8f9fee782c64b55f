import { createThreadRequest } from '@/lib/server/api/schemas/thread-schemas'
import { defineCommand } from '@/lib/server/http/define-command'
import { createThread } from '@/lib/server/use-cases'

/** `POST /api/commands/create-thread`: a chat with one empty thread. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineCommand(
  'create-thread',
  createThreadRequest,
  201,
  ({ ports, ownerId, once, input }) => createThread(ports, { ownerId, once, title: input.title }),
)
