import { z } from 'zod'
import { ChangeHub, type Changes } from '@/lib/conversations'
import type { Database } from '@/lib/db'
import { newId } from '@/lib/events'
import { chatVersions } from '@/lib/store'

const CHANNEL = 'ramify_changes'
/** Postgres accepts less than 8000 bytes in one notification. */
const MAX_BYTES = 7900

const news = z.object({ from: z.string(), chats: z.array(z.string()), runs: z.array(z.string()) })

/**
 * The hub of this process, which shares changes with those of all other processes on the same Postgres. It also asks for
 * versions every `pollMs` milliseconds, in case a notification cannot be sent or received.
 */
export function createChangeHub(
  database: Database,
  options: { logError(what: string, error: unknown): void; pollMs?: number },
): ChangeHub {
  const { logError } = options
  if (database.kind === 'pglite') return new ChangeHub({ logError })
  const from = newId()
  const hub = new ChangeHub({
    ...options,
    poll: (chatIds) => chatVersions(database, chatIds),
    broadcast: async (changes) => {
      for (const payload of payloadsOf(from, changes)) await database.notify?.(CHANNEL, payload)
    },
  })
  const hear = (payload: string) => {
    const heard = parse(payload)
    if (heard && heard.from !== from) hub.received(heard)
  }
  // not awaited: a server that cannot listen serves as well
  database.listen?.(CHANNEL, hear).catch((error: unknown) => {
    if (!hub.closed) logError('listening for changes', error)
  })
  return hub
}

/** Changes as notifications for Postgres, each with the sender's id. */
export function payloadsOf(from: string, changes: Changes): string[] {
  const payloads: string[] = []
  let part = { from, chats: [] as string[], runs: [] as string[] }
  const empty = Buffer.byteLength(JSON.stringify(part))
  let size = empty
  for (const kind of ['chats', 'runs'] as const) {
    for (const id of changes[kind]) {
      const more = Buffer.byteLength(JSON.stringify(id)) + 1
      if (size + more > MAX_BYTES) {
        payloads.push(JSON.stringify(part))
        part = { from, chats: [], runs: [] }
        size = empty
      }
      part[kind].push(id)
      size += more
    }
  }
  return size > empty ? [...payloads, JSON.stringify(part)] : payloads
}

/** The changes that another process sent; undefined for a payload of another form. */
function parse(payload: string): z.infer<typeof news> | undefined {
  try {
    return news.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
