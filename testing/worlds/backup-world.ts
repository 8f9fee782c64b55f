import fc from 'fast-check'
import { ContextEngine, user } from '@/lib/context'
import { changeWhole, type OpenOptions, type WholeDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import { createServices, type Services } from '@/lib/runtime'
import { BackupReader, type DrizzleContextStore, followSome, restoreBackup, writeBackup } from '@/lib/store'
import type { EngineCommand } from '@/testing/properties/engine/command'
import { contextCommands } from '@/testing/properties/engine/context-command'
import { forkCommands } from '@/testing/properties/engine/fork-command'
import { Model } from '@/testing/properties/engine/model'
import { moveCommands } from '@/testing/properties/engine/move-commands'
import { refCommands } from '@/testing/properties/engine/ref-commands'
import { runCommands } from '@/testing/properties/engine/run-commands'
import { talkCommands } from '@/testing/properties/engine/talk-commands'
import { World } from '@/testing/properties/engine/world'
import { type DatabaseKind, pgliteFolder, postgresDatabase } from './open-stores'

/** A place that is removed at the end. */
export interface Place {
  options: OpenOptions
  remove(): Promise<void>
}

/** A database with nothing in it: no tables either, unless it is `migrated`. */
export async function emptyPlace(kind: DatabaseKind, { migrated = false } = {}): Promise<Place> {
  if (kind === 'postgres') {
    const { url, drop } = await postgresDatabase({ migrated })
    return { options: { url }, remove: drop }
  }
  const { dataDir, remove } = pgliteFolder({ migrated })
  return { options: { dataDir }, remove: async () => remove() }
}

/** The services of a process on a place. */
export const servicesAt = (options: OpenOptions): Promise<Services> =>
  createServices({
    RAMIFY_TITLES: 'words',
    ...('url' in options
      ? { DATABASE_URL: options.url, RAMIFY_DATA_DIR: '' }
      : { DATABASE_URL: '', RAMIFY_DATA_DIR: options.dataDir }),
  })

export const writeTo = (file: string) => (database: WholeDatabase) =>
  writeBackup(database, file, { app: '0.1.0', at: new Date() })

/** Restores a file and returns what the place holds then. */
export async function restoreFrom(file: string, place: Place): Promise<Record<string, string>> {
  const backup = await BackupReader.open(file)
  return changeWhole(place.options, async (database) => {
    await restoreBackup(database, backup)
    return contentOf(database)
  }).finally(() => backup.close())
}

const anyCommand: fc.Arbitrary<EngineCommand> = fc.oneof(
  ...[...talkCommands, ...moveCommands, ...refCommands, ...runCommands, ...contextCommands, ...forkCommands],
)

/** Gives a person chats that random commands have made. */
export async function writeHistories(
  store: DrizzleContextStore,
  userId: string,
  { seed, chats }: { seed: number; chats: number },
): Promise<void> {
  const neighbour = { userId, messageId: newId() }
  const beside = new ContextEngine({ store, chatId: newId(), userId })
  await beside.set(user('over here', { id: neighbour.messageId })).save()
  const bench = { store, reopen: () => store, findings: async () => [], thorough: false }
  const commands = fc.commands([anyCommand], { maxCommands: 25, size: 'max' })
  for (const sequence of fc.sample(commands, { seed, numRuns: chats })) {
    const real = new World(bench, neighbour)
    await fc.asyncModelRun(() => ({ model: new Model(), real }), sequence)
  }
}

/** Numbers of transactions are a server's own (log-places.ts): they are compared by what they say. */
const columnsOf: Readonly<Record<string, string>> = {
  events: `to_jsonb(t) - 'txid' || jsonb_build_object('group', min(seq) over (partition by chat_id, txid))`,
  followers: `jsonb_build_object('name', name, 'left', (select coalesce(json_agg(row(chat_id, seq) order by chat_id, seq), '[]') from events e
    where (e.txid, e.chat_id, e.seq) > (t.txid, t.at_chat, t.at_seq)))`,
}

/** What each table holds, as a hash: equal for two databases that hold the same. */
export async function contentOf(database: WholeDatabase): Promise<Record<string, string>> {
  const tables = await database.run<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname not in ('attempts', 'verification', 'quota_use', 'run_parts', 'sql_functions') order by 1`,
  )
  const content: Record<string, string> = {}
  for (const { name } of tables) {
    const where = name === 'session' ? 'where user_id in (select id from "user" where is_anonymous)' : ''
    const [row] = await database.run<{ hash: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(line, ',' order by line collate "C"), '')) as hash
      from (select (${columnsOf[name] ?? 'to_jsonb(t)'})::text as line from "${name}" t ${where}) lines`,
    )
    content[name] = row?.hash ?? ''
  }
  return content
}

/** Has the followers take in all there is, and what they make of it. */
export async function followAll({ database }: Pick<Services, 'database'>): Promise<void> {
  for (let events = 1; events > 0; ) events = (await followSome(database)).events
}
