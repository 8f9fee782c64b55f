import { forkThreadRequest } from '@/lib/server/api/schemas/thread-schemas'
import { defineCommand } from '@/lib/server/http/define-command'
import { forkThread } from '@/lib/server/use-cases'

/** `POST /api/commands/fork-thread`: a thread that inherits another one's events up to a number. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineCommand(
  'fork-thread',
  forkThreadRequest,
  201,
  ({ ports, ownerId, once, input }) =>
    forkThread(ports, {
      ...{ ownerId, once },
      sourceThreadId: input.source_thread_id,
      eventNumber: input.event_number,
    }),
)
