import { sendMessageRequest } from '@/lib/server/api/schemas/thread-schemas'
import { defineCommand } from '@/lib/server/http/define-command'
import { sendMessage } from '@/lib/server/use-cases'

/** `POST /api/commands/send-message`: stores a message; a worker replies. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineCommand(
  'send-message',
  sendMessageRequest,
  202,
  ({ ports, ownerId, once, input }) =>
    sendMessage(ports, {
      ...{ ownerId, once, content: input.content },
      threadId: input.thread_id,
      expectedVersion: input.expected_version,
    }),
)
