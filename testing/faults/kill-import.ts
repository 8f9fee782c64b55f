import { mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeChatgptExport } from '@/bench/fixtures/chatgpt-export'
import type { ImportReport } from '@/lib/protocol'
import { until } from './arena'
import type { Fault } from './fault'
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
      const visitor = await arena.visitor(server.base)
      const importId = await beginImport(visitor, server.base, file)
      const now = () => visitor.json<ImportReport>(`${server.base}/api/import/${importId}`)
      for (let kills = round % 5 === 4 ? 2 : 1; kills > 0; kills--) {
        await pause(dice.roll(SPAN))
        await server.process.kill()
        tally.trials++
        await server.restart()
        seen.add((await now()).chats.imported)
      }
      await until('the import is over', async () => isOver(await now())).catch((error: unknown) =>
        tally.losses.push(String(error)),
      )
      const report = await now()
      const { status, chats, messages } = report
      if (status !== 'done') tally.losses.push(`an import is ${status}: ${report.reason}`)
      if (chats.imported !== CHATS || messages.imported !== CHATS * LENGTH)
        tally.losses.push(`an import says ${chats.imported} chats and ${messages.imported} messages`)
      // the same file again finds every chat as it left it
      const again = await beginImport(visitor, server.base, file)
      const repeated = () => visitor.json<ImportReport>(`${server.base}/api/import/${again}`)
      await until('the second import is over', async () => isOver(await repeated()))
      const { chats: second } = await repeated()
      if (second.unchanged !== CHATS) tally.losses.push(`${CHATS - second.unchanged} chats were not whole`)
      const { total } = await visitor.json<{ total: number }>(`${server.base}/api/chats`)
      if (total > CHATS) tally.doubles.push(`there are ${total} chats`)
      if (total < CHATS) tally.losses.push(`there are ${total} chats`)
    }
    rmSync(folder, { recursive: true })
    tally.of = `kills of imports of ${CHATS} chats, at ${seen.size} different ones`
  },
}

export const isOver = ({ status }: ImportReport): boolean => status === 'done' || status === 'failed'

export async function beginImport(visitor: Visitor, base: string, file: string): Promise<string> {
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
