import { expect, test } from 'vitest'
import type { Database, Orm } from '@/lib/db'
import { createChangeHub, payloadsOf } from '@/lib/runtime/share-changes'

const said = (payload: string) => JSON.parse(payload) as { from: string; chats: string[]; runs: string[] }

test('given few changes, then they are told in one payload, and none in none', () => {
  expect(payloadsOf('me', { chats: ['trip'], runs: ['run'] }).map(said)).toEqual([
    { from: 'me', chats: ['trip'], runs: ['run'] },
  ])
  expect(payloadsOf('me', { chats: [], runs: [] })).toEqual([])
})

test('given more than Postgres takes at a time, however wide the letters, then they are split and none is lost', () => {
  // given ids as long and as wide as a client may choose them
  const chats = Array.from({ length: 100 }, (_, n) => `${n}${'\u{1f333}'.repeat(62)}`)
  const runs = Array.from({ length: 300 }, (_, n) => `run "${n}" \\ \n`)
  const payloads = payloadsOf('019aa5e0-0000-7000-8000-000000000000', { chats, runs })
  expect(payloads.length).toBeGreaterThan(1)
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000)
  expect(payloads.flatMap((payload) => said(payload).chats)).toEqual(chats)
  expect(payloads.flatMap((payload) => said(payload).runs)).toEqual(runs)
})

/** A Postgres that hears and says nothing unless told to. */
function deafDatabase(over: Partial<Database> = {}) {
  const asked: unknown[] = []
  const database: Database = {
    kind: 'postgres',
    orm: {} as Orm,
    query: async <Row>(_text: string, params: readonly unknown[] = []) => {
      asked.push(params[0])
      return [] as Row[]
    },
    ping: async () => undefined,
    load: () => ({ most: 10, used: 0, waiting: 0 }),
    close: async () => undefined,
    ...over,
  }
  return { database, asked }
}

test('given a database where listening fails, then that is logged, and changes are asked for', async () => {
  const errors: string[] = []
  const { database, asked } = deafDatabase({ listen: () => Promise.reject(new Error('not here')) })
  const hub = createChangeHub(database, { logError: (what) => void errors.push(what), pollMs: 1 })
  const woken = Promise.withResolvers<void>()
  const leave = hub.subscribeChat('trip', woken.resolve)
  await woken.promise
  expect(asked[0]).toEqual(['trip'])
  expect(errors).toEqual(['listening for changes'])
  leave()
})

test('given other voices on the channel, then only what another hub says is taken in', async () => {
  let say: (payload: string) => void = () => undefined
  const said: string[] = []
  const { database } = deafDatabase({
    listen: async (_channel, onPayload) => {
      say = onPayload
      return async () => undefined
    },
    notify: async (_channel, payload) => void said.push(payload),
  })
  const hub = createChangeHub(database, { logError: () => undefined })
  let woken = 0
  const leave = hub.subscribeChat('trip', () => woken++)
  // given its own words, which come back to it
  hub.touched('trip')
  await hub.close()
  for (const payload of said) say(payload)
  expect([said.length, woken]).toEqual([1, 2])
  for (const payload of ['', 'hello', '{"chats":["trip"]}', '[]', '{"from":1,"chats":["trip"],"runs":[]}'])
    say(payload)
  expect(woken).toBe(2)
  say('{"from":"another","chats":["trip"],"runs":[]}')
  expect(woken).toBe(3)
  leave()
})
