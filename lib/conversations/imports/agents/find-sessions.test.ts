import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readAll } from '@/testing/worlds/exported-files'
import type { AgentFolder } from './agent-folders'
import { type FoundSessions, findAgentSessions } from './find-sessions'
import { packSessions } from './pack-sessions'

const SESSION = '7801b8ed-252d-4174-8045-4bee94c511ae'
let home: string
let found: FoundSessions | undefined

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'ramify-agents-test-'))
})
afterEach(async () => {
  await found?.close()
  found = undefined
  rmSync(home, { recursive: true, force: true })
})

const write = (name: string, values: readonly object[]) => {
  const file = path.join(home, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, values.map((value) => JSON.stringify(value)).join('\n'))
}
const claudeLine = (uuid: string, parentUuid: string | null, content: string, more = {}) => ({
  uuid,
  parentUuid,
  isSidechain: false,
  sessionId: SESSION,
  cwd: '/home/ada/trips',
  type: 'user',
  message: { role: 'user', content },
  timestamp: '2026-03-14T09:00:00.000Z',
  ...more,
})
const find = async (source: AgentFolder['source'], folder = source) => {
  found = await findAgentSessions([{ source, folder: path.join(home, folder) }])
  return found
}

it('a session is shown with its first words, its folder, its date and all of its messages', async () => {
  write(`claude-code/-home-ada/${SESSION}.jsonl`, [claudeLine('1', null, 'mend it')])
  const side = { isSidechain: true, agentId: 'a1' }
  write(`claude-code/-home-ada/${SESSION}/subagents/agent-a1.jsonl`, [claudeLine('2', null, 'look', side)])
  const { sessions, problems } = await find('claude-code')
  expect(problems).toEqual([])
  expect(sessions).toMatchObject([
    { title: 'mend it', project: 'trips', messages: 2, at: Date.UTC(2026, 2, 14, 9), files: [{}, {}] },
  ])
})

it('what is chosen is packed as an archive that is imported as any other', async () => {
  write(`claude-code/-home-ada/${SESSION}.jsonl`, [claudeLine('1', null, 'mend it')])
  const { sessions } = await find('claude-code')
  const archives: { name: string; bytes: Buffer }[] = []
  await packSessions(sessions, async ({ path, name }) => {
    archives.push({ name, bytes: readFileSync(path) })
  })
  expect(archives.map(({ name }) => name)).toEqual(['claude-code sessions.zip'])
  const { source, chats, problems } = await readAll('packed.zip', archives[0]?.bytes ?? '')
  expect([source, problems]).toEqual(['claude-code', []])
  expect(chats).toMatchObject([{ id: SESSION, tags: ['trips'] }])
})

it('no link leads out of the folder, and files that are no sessions are passed over', async () => {
  write('elsewhere/secret.jsonl', [claudeLine('1', null, 'secret')])
  write('claude-code/settings.json', [{ theme: 'dark' }])
  symlinkSync(path.join(home, 'elsewhere'), path.join(home, 'claude-code/linked'))
  symlinkSync(path.join(home, 'elsewhere/secret.jsonl'), path.join(home, 'claude-code/linked.jsonl'))
  expect(await find('claude-code')).toMatchObject({ sessions: [], problems: [] })
})

it('a folder that is not there holds nothing', async () => {
  for (const source of ['claude-code', 'codex', 'opencode', 'pi'] as const)
    expect(await find(source)).toMatchObject({ sessions: [], problems: [] })
})

const info = { id: 'ses_a', directory: '/home/ada/trips', title: 'Mending', time: { created: 1795771068902 } }
const message = { id: 'msg_1', role: 'user', time: { created: 1795771072089 } }
const part = { id: 'prt_1', type: 'text', text: 'mend it' }

/** Node 20 has none. */
const sqlite = process.getBuiltinModule?.('node:sqlite')

it.skipIf(!sqlite)('opencode has a database, with the sessions of its sub-agents', async () => {
  mkdirSync(path.join(home, 'opencode'))
  if (!sqlite) return
  const db = new sqlite.DatabaseSync(path.join(home, 'opencode/opencode.db'))
  db.exec(`create table session (id, parent_id, directory, title, version, revert, time_created, time_updated, time_archived);
    create table message (id, session_id, data); create table part (id, message_id, session_id, data);`)
  const session = db.prepare('insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  session.run('ses_a', null, info.directory, info.title, '1', null, 1795771068902, 1795771068902, null)
  session.run('ses_b', 'ses_a', info.directory, 'Find callers', '1', null, 1795771068903, 1795771068902, null)
  for (const id of ['ses_a', 'ses_b']) {
    db.prepare('insert into message values (?, ?, ?)').run(
      `msg_${id}`,
      id,
      JSON.stringify({ ...message, id: undefined }),
    )
    db.prepare('insert into part values (?, ?, ?, ?)').run(`prt_${id}`, `msg_${id}`, id, JSON.stringify(part))
  }
  db.close()
  const { sessions, problems } = await find('opencode')
  expect(problems).toEqual([])
  expect(sessions).toMatchObject([
    { title: 'Mending', project: 'trips', messages: 2, files: [{ name: 'ses_a.json' }, {}] },
  ])
})

it('opencode had a file for each part, before', async () => {
  write('opencode/storage/session/p/ses_a.json', [info])
  write('opencode/storage/message/ses_a/msg_1.json', [message])
  write('opencode/storage/part/msg_1/prt_1.json', [part])
  const { sessions } = await find('opencode')
  expect(sessions).toMatchObject([{ source: 'opencode', title: 'Mending', messages: 1 }])
})
