import type { Step } from '@/lib/context'
import type { Database } from '@/lib/db'
import { openPostgres } from '@/lib/db/open-postgres'
import { newId } from '@/lib/events'
import { DrizzleContextStore } from '@/lib/store'
import { line, Story } from '@/testing/contracts/store/story'

/** Messages of each of the two long branches. */
export const LONG = 500
/** Short branches, and checkpoints. */
const MARKS = 200

export interface LongChat {
  story: Story
  chatId: string
  ownerId: string
  main: string
  other: string
}

/**
 * A long chat in a database whose planner knows nothing, or short chats only: its statistics are those of the last look, and it
 * does not look again.
 *
 * @param opened one session is opened there: its statistics are its own until they are flushed
 * @param short how many short chats it knows
 * @param looksAgain as the product has it look again whenever a table has doubled
 */
export async function givenStaleStatistics(
  opened: { url?: string | undefined; store: DrizzleContextStore },
  short: number,
  looksAgain = false,
) {
  const database = opened.url ? await openPostgres({ url: opened.url, max: 1 }) : opened.store.database
  const asked: { text: string; params: readonly unknown[] }[] = []
  const query: Database['query'] = async (text, params = [], options) => {
    if (!looksAgain && /^do .* analyze /s.test(text)) return []
    asked.push({ text, params })
    return database.query(text, params, options)
  }
  const store = new DrizzleContextStore(Object.create(database, { query: { value: query } }))
  for (let n = 0; n < short; n++) await Story.saying(store, 'm0', 'm1', 'm2')
  await database.query('analyze')
  return {
    database,
    store,
    /** the statements so far, but those of other ways than `query` */
    asked,
    chat: await longChat(store),
    /** The rows that were read so far, in tables and indexes. */
    async touched(): Promise<number> {
      await database.query('select pg_stat_force_next_flush()')
      const [row] = await database.query<{ read: number }>(
        `select (select sum(idx_tup_read) from pg_stat_user_indexes)::float8
          + (select sum(seq_tup_read) from pg_stat_user_tables)::float8 as read`,
      )
      return row?.read ?? Number.NaN
    },
    close: async () => void (opened.url && (await database.close())),
  }
}

/** A chat with two branches that part at their first message, and many that are opened along one of them, with checkpoints there. */
async function longChat(store: DrizzleContextStore): Promise<LongChat> {
  const story = await Story.begin(store)
  const other = await story.fork(null)
  for (const [branchId, letter] of [
    [story.main, 'm'],
    [other, 'o'],
  ] as const)
    await story.append(branchId, null, ...Array.from({ length: LONG }, (_, n) => line(`${letter}${n}`)))
  await story.commit(
    Array.from({ length: MARKS }, (_, n): Step[] => {
      const [name, messageId] = [`b${n}`, `m${n * 2}`]
      return [
        { kind: 'open-branch', branchId: newId(), name, after: name, at: messageId, activate: false },
        { kind: 'save-checkpoint', checkpointId: newId(), name, messageId },
      ]
    }).flat(),
  )
  return { story, chatId: story.chatId, ownerId: story.userId, main: story.main, other }
}
