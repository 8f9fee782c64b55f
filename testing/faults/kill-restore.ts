import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeChatgptExport } from '@/bench/fixtures/chatgpt-export'
import type { Arena } from './arena'
import type { Fault } from './fault'
import { importWhole } from './kill-import'

/** Conversations of the first backup, messages of each, and conversations that the second one lacks. */
const CHATS = 80
const LENGTH = 20
const FEWER = 20
/** How far the shortest kill is into a restore, as a share of a whole one: before that it only starts. */
const STARTED = 0.3

/** `kill -9` of `db:restore --replace`: nothing has changed, or all is restored; once more restores it whole. */
export const killRestore: Fault = {
  name: 'kill -9 in the middle of a restore',
  on: ['pglite', 'postgres'],
  async run(arena, tally, { rounds, dice }) {
    const folder = mkdtempSync(path.join(tmpdir(), 'ramify-faults-'))
    const server = await arena.server()
    const visitor = await arena.visitor(server.url)
    const exported = path.join(folder, 'conversations.json')
    await writeChatgptExport(exported, { chats: CHATS, length: LENGTH })
    await importWhole(visitor, server.url, exported)
    await server.kill()
    const backup = async (name: string) => {
      const file = path.join(folder, name)
      await arena.command('db-backup', file).succeeds()
      return { file, state: await stateOf(arena) }
    }
    // two backups, the second with less in it: a restore goes from one state to the other
    let to = await backup('more.backup')
    await arena.look((database) =>
      database.query(`delete from chats where id in (select id from chats order by id limit ${FEWER})`),
    )
    let from = await backup('less.backup')
    let [unchanged, whole, span] = [0, 0, 0]
    for (let round = 0; round <= rounds; round++) {
      if (round > 0) {
        const restoring = arena.command('db-restore', to.file, '--replace')
        await pause(span * (STARTED + dice.roll(1000) * ((1 - STARTED) / 1000)))
        await restoring.kill()
        tally.trials++
        const state = await stateOf(arena)
        if (state === from.state) unchanged++
        else if (state === to.state) whole++
        else tally.losses.push(`a killed restore has left ${state}, neither ${from.state} nor ${to.state}`)
      }
      // the first one says how long it takes; each time it is checked by db:check, too
      const begun = performance.now()
      await arena.command('db-restore', to.file, '--replace').succeeds()
      if (round === 0) span = performance.now() - begun
      const restored = await stateOf(arena)
      if (restored !== to.state) tally.losses.push(`a restore has made ${restored} of ${to.state}`)
      ;[from, to] = [to, from]
    }
    rmSync(folder, { recursive: true })
    tally.of = `kills of restores: ${unchanged} had changed nothing, ${whole} everything`
  },
}

/** What a database holds, in a line: a count of each kind, and a hash of it. */
const stateOf = (arena: Arena): Promise<string> =>
  arena.look(async (database) => {
    const [row] = await database.query<{ state: string }>(
      `select format('%s people, %s chats, %s messages %s, %s events %s',
        (select count(*) from "user"), (select count(*) from chats),
        (select count(*) from messages), (select md5(string_agg(m::text, '' order by chat_id, lane, depth)) from messages m),
        (select count(*) from events), (select md5(string_agg(concat_ws(' ', chat_id, seq, stream_id, event_number, type, version, payload), '' order by chat_id, seq)) from events e)) as state`,
    )
    return row?.state ?? ''
  })
