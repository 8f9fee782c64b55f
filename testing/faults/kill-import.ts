import { mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeChatgptExport } from '@/bench/fixtures/chatgpt-export'
import type { ImportReport } from '@/lib/protocol'
import { until } from './arena'
import type { Fault } from './fault'
import { killWithin, untilOrLost } from './turns'
import type { Visitor } from './visitor'

/** Conversations of the file, and messages of each. */
const CHATS = 50
const LENGTH = 20
/** How long an import takes about, in ms: the moment of the kill lies anywhere in it. */
const SPAN = 1500

/** `kill -9` of the server in the middle of an import; every fifth time twice. */
export const killImport: Fault = {
  name: 'kill -9 in the middle of an import',
  on: ['pglite', 'postgres'],
  async run(arena, tally, { rounds, dice }) {
    const folder = mkdtempSync(path.join(tmpdir(), 'ramify-faults-'))
    const file = path.join(folder, 'conversations.json')
    await writeChatgptExport(file, { chats: CHATS, length: LENGTH })
    const server = await arena.shared()
    const seen = new Set<number>()
    for (let round = 0; round < rounds; round++) {
      const visitor = await arena.visitor(server.url)
      const importId = await beginImport(visitor, server.url, file)
      const now = () => visitor.json<ImportReport>(`${server.url}/api/import/${importId}`)
      await killWithin(SPAN, { server, tally, dice, round }, async () =>
        seen.add((await now()).chats.imported),
      )
      await untilOrLost(tally, 'the import is over', async () => isOver(await now()))
      const { status, reason, chats, messages } = await now()
      if (status !== 'done') tally.losses.push(`an import is ${status}: ${reason}`)
      if (chats.imported !== CHATS || messages.imported !== CHATS * LENGTH)
        tally.losses.push(`an import says ${chats.imported} chats and ${messages.imported} messages`)
      // the same file again finds every chat as it left it
      const { chats: second } = await importWhole(visitor, server.url, file)
      if (second.unchanged !== CHATS) tally.losses.push(`${CHATS - second.unchanged} chats were not whole`)
      const { total } = await visitor.json<{ total: number }>(`${server.url}/api/chats`)
      if (total > CHATS) tally.doubles.push(`there are ${total} chats`)
      if (total < CHATS) tally.losses.push(`there are ${total} chats`)
    }
    rmSync(folder, { recursive: true })
    tally.of = `kills of imports of ${CHATS} chats, at ${seen.size} different ones`
  },
}

const isOver = ({ status }: ImportReport): boolean => status === 'done' || status === 'failed'

async function beginImport(visitor: Visitor, base: string, file: string): Promise<string> {
  const form = new FormData()
  form.set('file', await openAsBlob(file), 'conversations.json')
  const response = await fetch(`${base}/api/import`, {
    method: 'POST',
    body: form,
    headers: { cookie: visitor.cookie },
  })
  if (response.status !== 202) throw new Error(`Importing: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { import_id: string }).import_id
}

/** Imports a file, and waits for the end. */
export async function importWhole(visitor: Visitor, base: string, file: string): Promise<ImportReport> {
  const importId = await beginImport(visitor, base, file)
  const now = () => visitor.json<ImportReport>(`${base}/api/import/${importId}`)
  await until('the import is over', async () => isOver(await now()))
  return now()
}
