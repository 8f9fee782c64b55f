import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openPglite } from '@/lib/db/open-pglite'
import { openPostgres } from '@/lib/db/open-postgres'
import { DrizzleContextStore } from '@/lib/store'
import { createDatabase } from '@/testing/machines/create-database'
import type { Environment } from '../environment'
import { appTurn, makeChat } from '../fixtures/app-turn'
import { BENCH_USER } from '../fixtures/load-chat'
import { commitFloor, type Turn, turnMaker } from '../fixtures/turns'
import { overFloor, type Result } from '../result'
import { atMost, median, relaxed } from '../statistics'

const BLOCK = 100

interface Block {
  floor: number
  ours: number
}

/**
 * The app's turn, two changes, in a database on its first day: no statistics, and sessions that keep the plans they made
 * while its tables were empty. All turns in one chat, then each in a chat of its own. The other benchmarks never see
 * this, they begin with VACUUM ANALYZE.
 */
export async function turns(env: Environment): Promise<Result[]> {
  const count = env.quick ? 600 : 3000
  return [
    ...(await inFresh(env, `${count} turns in one chat`, count, async (store) => {
      const chat = await makeChat(store, 'one')
      return () => Promise.resolve(chat)
    })),
    ...(await inFresh(env, `${count} chats`, count, async (store) => {
      let made = 0
      return () => makeChat(store, `chat-${made++}`)
    })),
  ]
}

async function inFresh(
  env: Environment,
  what: string,
  count: number,
  begin: (store: DrizzleContextStore) => Promise<() => ReturnType<typeof makeChat>>,
): Promise<Result[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-bench-turns-'))
  const own = env.url === undefined ? undefined : await createDatabase(env.url)
  const database = own ? await openPostgres({ url: own.url, max: 1 }) : await openPglite({ dataDir: folder })
  try {
    const store = new DrizzleContextStore(database)
    await store.upsertChat({ id: 'owner', userId: BENCH_USER })
    const floor = await commitFloor(database)
    const nextChat = await begin(store)
    const [make, makeFloor] = [turnMaker('m'), turnMaker('f')]
    const blocks: Block[] = []
    for (let block = 0; block < count / BLOCK; block++) {
      const pairs: [Turn, Turn, Turn][] = Array.from({ length: BLOCK }, () => [
        make(),
        makeFloor(),
        makeFloor(),
      ])
      const times = { floor: [] as number[], ours: [] as number[] }
      for (const [turn, ...floors] of pairs) {
        const chat = await nextChat()
        const start = performance.now()
        await appTurn(store, chat, turn)
        const middle = performance.now()
        for (const rows of floors) await floor(chat.chatId, rows)
        times.ours.push(middle - start)
        times.floor.push(performance.now() - middle)
      }
      blocks.push({ floor: median(times.floor), ours: median(times.ours) })
    }
    // the first block is where code and caches become warm
    const first = blocks[1]
    const last = blocks.at(-1)
    if (!first || !last) throw new Error('Nothing was measured')
    return [
      overFloor({
        bench: 'turns',
        what: `one turn, of ${what}`,
        against: { name: 'two commits of two rows', value: median(blocks.map((block) => block.floor)) },
        ours: median(blocks.map((block) => block.ours)),
        target: relaxed(atMost(2.5), env.slack),
      }),
      overFloor({
        bench: 'turns',
        what: `flat to ${what}: the last ${BLOCK}`,
        against: { name: `the second ${BLOCK}`, value: first.ours },
        ours: last.ours,
        target: atMost(1.3),
      }),
    ]
  } finally {
    await database.close()
    await own?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}
