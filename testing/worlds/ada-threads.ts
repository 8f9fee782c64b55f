import type { CommandKey } from '@/lib/context'
import {
  createThread,
  forkThread,
  readThreadEvents,
  readThreadHead,
  readThreadMessages,
  sendMessage,
  takeOverRuns,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime'

const ALL = { after: 0, limit: 1000 }

/** Ada's commands on her threads, and her reads of them, as over HTTP. No worker answers by itself. */
export function adaThreads(services: Services) {
  const ownerId = 'ada'
  const send = (
    threadId: string,
    content: string,
    over: { expectedVersion?: number; once?: CommandKey } = {},
  ) => sendMessage(services.ports, { ownerId, threadId, content, ...over })
  /** Has every queued run answered, as a worker would. */
  const answer = async () => (await takeOverRuns(services.ports)).ended
  return {
    create: (title?: string, once?: CommandKey) => createThread(services.ports, { ownerId, title, once }),
    send,
    answer,
    /** Sends messages, each after the reply to the one before. */
    async talk(threadId: string, ...contents: string[]) {
      for (const content of contents) {
        await send(threadId, content)
        await answer()
      }
    },
    fork: (sourceThreadId: string, eventNumber: number, once?: CommandKey) =>
      forkThread(services.ports, { ownerId, sourceThreadId, eventNumber, once }),
    head: (threadId: string) => readThreadHead(services.ports, { ownerId, threadId }),
    events: async (threadId: string) =>
      (await readThreadEvents(services.ports, { ownerId, threadId, ...ALL })).events,
    messages: async (threadId: string) =>
      (await readThreadMessages(services.ports, { ownerId, threadId, ...ALL })).messages,
  }
}

/** A new idempotency key, for a command with this body. */
export const commandKey = (bodyHash: string, route = 'send-message'): CommandKey => ({
  key: newId(),
  route,
  bodyHash,
})

/** The numbers of rows of the tables that commands write to. */
export async function rowCounts({ database }: Services): Promise<unknown> {
  const tables = ['chats', 'branches', 'messages', 'events', 'runs', 'contexts', 'idempotency']
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const [row] = await database.query(`select ${counts.join(', ')}`)
  return row
}
