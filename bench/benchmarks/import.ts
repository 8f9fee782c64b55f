import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { NewMessage } from '@/lib/context'
import { driveImport, readImport, startImport } from '@/lib/conversations'
import { type Database, schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { createServices } from '@/lib/runtime'
import type { Environment } from '../environment'
import { writeChatgptExport } from '../fixtures/chatgpt-export'
import { overFloor, type Result } from '../result'
import { atLeast, relaxed } from '../statistics'

const LENGTH = 20
/** Rows of one transaction of the floor. */
const ROWS = 400

/** An export of ChatGPT becomes chats, from the file to the last row: against the same messages inserted and nothing else. */
export async function importing(env: Environment): Promise<Result[]> {
  const bench = 'import'
  const chats = env.quick ? 300 : 10_000
  const folder = await mkdtemp(path.join(tmpdir(), 'ramify-bench-'))
  const services = await createServices({
    DATABASE_URL: env.url,
    RAMIFY_LOCAL_MODELS: 'off',
    RAMIFY_RATE_LIMIT: 'off',
    BETTER_AUTH_SECRET: 'a-secret-for-the-bench-and-nothing-else',
  })
  try {
    const file = path.join(folder, 'conversations.json')
    const messages = await writeChatgptExport(file, { chats, length: LENGTH })
    const ownerId = newId()
    await services.database.orm
      .insert(schema.user)
      .values({ id: ownerId, name: 'Bench', email: `${ownerId}@bench.invalid` })
    const floor = await insertAll(services.database, messages)
    const bring = () => bringIn(services, { ownerId, file, chats })
    const first = await bring()
    const again = await bring()
    const perSecond = (seconds: number) => messages.length / seconds
    const against = { name: 'the same messages, inserted', value: perSecond(floor) }
    const unit = 'per second'
    return [
      overFloor({
        bench,
        unit,
        against,
        ours: perSecond(first),
        what: `${messages.length} messages of ChatGPT, from the file to the last row`,
        target: relaxed(atLeast(0.05), env.slack),
        note: `${first.toFixed(1)} s`,
      }),
      overFloor({
        bench,
        unit,
        against: { name: 'the first time', value: perSecond(first) },
        ours: perSecond(again),
        what: 'the same file again',
        target: atLeast(2),
        note: `${again.toFixed(1)} s`,
      }),
    ]
  } finally {
    await services.database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function bringIn(
  { ports }: Awaited<ReturnType<typeof createServices>>,
  { ownerId, file, chats }: { ownerId: string; file: string; chats: number },
): Promise<number> {
  const begun = performance.now()
  const started = await startImport(ports, { ownerId, path: file, name: 'conversations.json' })
  const taken = await driveImport(ports, new AbortController().signal)
  await taken?.ended
  const seconds = (performance.now() - begun) / 1000
  const report = await readImport(ports, { ownerId, importId: started?.importId ?? '' })
  if (report.status !== 'done' || report.chats.found !== chats) throw new Error(JSON.stringify(report))
  return seconds
}

/** How long the messages alone take, in seconds. */
async function insertAll({ query }: Database, messages: readonly NewMessage[]): Promise<number> {
  await query(
    'create table if not exists bench_import (like messages including defaults, primary key (chat_id, lane, depth))',
  )
  const begun = performance.now()
  for (let at = 0; at < messages.length; at += ROWS) {
    const rows = messages
      .slice(at, at + ROWS)
      .map((message, index) => ({ ...message, lane: at, depth: index }))
    await query(
      `insert into bench_import (chat_id, lane, depth, id, name, type, data, preview)
      select 'bench', x.lane, x.depth, x.id, x.name, x.type, x.data, x.preview
      from json_to_recordset($1::json) as x(lane int, depth int, id text, name text, type text, data json, preview text)`,
      [JSON.stringify(rows)],
    )
  }
  return (performance.now() - begun) / 1000
}
