import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import type { Database } from '@/lib/db'
import { openPglite } from '@/lib/db/open-pglite'
import { openPostgres } from '@/lib/db/open-postgres'
import { ChatReads, DrizzleContextStore } from '@/lib/store'
import { startPostgres } from '@/testing/machines/postgres-cluster'
import type { AlternateOptions } from './alternate'
import { copyToFloors } from './fixtures/floor-tables'
import { type LoadedChat, loadChat } from './fixtures/load-chat'
import { loadFiller } from './fixtures/load-filler'

/** Runs one statement for a floor: the same driver, nothing of ours around it. */
export type Query = <Row>(text: string, params?: readonly unknown[]) => Promise<Row[]>

/** What a benchmark runs on. */
export interface Environment {
  kind: Database['kind']
  /** where a second connection or another database can be had; undefined for the embedded one */
  url?: string
  database: Database
  store: DrizzleContextStore
  reads: ChatReads
  /** reads a floor: by range scan, whatever the planner would prefer */
  scan: Query
  /** how much longer everything may take here than the targets say */
  slack: number
  quick: boolean
  /** lengths of the loaded chains, shortest first */
  lengths: number[]
  /** a chain of that length: straight, through 200 lanes, or forked at every turn */
  chat: (length: number, shape?: Shape) => LoadedChat
  /** how long to measure, for reads and for writes */
  effort: { reads: AlternateOptions; writes: AlternateOptions }
  close: () => Promise<void>
}

export type Shape = 'straight' | '200 forks' | 'a fork at every turn'

/** The throwaway server on which writes are as durable as in production. */
export async function openServed(options: { quick: boolean }): Promise<Environment | { skipped: string }> {
  const server = await startPostgres({ durable: true })
  if ('skipped' in server) return server
  // one connection for what runs alone; the benchmark of many clients opens its own pool
  const database = await openPostgres({ url: server.url, max: 1 })
  // the floor is a range scan by definition: small tables would otherwise be read whole, and sorted
  const scanner = postgres(server.url, {
    max: 1,
    onnotice: () => undefined,
    connection: { enable_seqscan: 'off', enable_bitmapscan: 'off', jit: 'off' } as Record<string, string>,
  })
  const scan: Query = async <Row>(text: string, params: readonly unknown[] = []) =>
    (await scanner.unsafe(text, params as never[], { prepare: true })) as unknown as Row[]
  const close = async () => {
    await scanner.end({ timeout: 5 })
    await database.close()
    await server.stop()
  }
  return load({ kind: 'postgres', url: server.url, database, scan, close, slack: 1, ...options })
}

/** The embedded database, in a folder as the app has it. */
export async function openEmbedded(options: { quick: boolean }): Promise<Environment> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ramify-bench-'))
  const database = await openPglite({ dataDir })
  const scan: Query = (text, params) => database.query(text, params)
  const close = async () => {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return load({ kind: 'pglite', database, scan, close, slack: 1.3, ...options })
}

type Opened = Pick<Environment, 'kind' | 'url' | 'database' | 'scan' | 'close' | 'slack' | 'quick'>

async function load(opened: Opened): Promise<Environment> {
  const { database, quick, kind } = opened
  const store = new DrizzleContextStore(database)
  const lengths = quick ? [100, 1000] : [100, 1000, 10_000]
  const chats = new Map<string, LoadedChat>()
  try {
    await loadFiller(store, quick ? 5_000 : kind === 'pglite' ? 20_000 : 100_000)
    for (const length of lengths) {
      const load = async (shape: Shape, forkEvery?: number) =>
        chats.set(
          `${length} ${shape}`,
          await loadChat(store, {
            chatId: `${length}-${shape.replaceAll(' ', '-')}`,
            length,
            ...(forkEvery === undefined ? {} : { forkEvery }),
          }),
        )
      await load('straight')
      if (length >= 1000) await load('200 forks', length / 200)
      await load('a fork at every turn', 2)
    }
    await copyToFloors(database)
    // what autovacuum would have done by the time anyone reads
    await database.query('vacuum analyze')
  } catch (error) {
    await opened.close()
    throw error
  }
  return {
    ...opened,
    store,
    reads: new ChatReads(database),
    lengths,
    chat: (length, shape = 'straight') => {
      const chat = chats.get(`${length} ${shape}`)
      if (!chat) throw new RangeError(`No chain of ${length} messages was loaded as "${shape}"`)
      return chat
    },
    effort: quick
      ? { reads: { rounds: 15, budget: 1_000 }, writes: { rounds: 60, warmup: 10, budget: 1_500 } }
      : { reads: { rounds: 101, budget: 8_000 }, writes: { rounds: 400, warmup: 30, budget: 8_000 } },
  }
}
