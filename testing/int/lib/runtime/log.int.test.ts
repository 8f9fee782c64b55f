import type { PgTable } from 'drizzle-orm/pg-core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runTurn } from '@/lib/conversations'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { logError } from '@/lib/runtime/log'
import { openAIErrors } from '@/testing/machines/openai-server'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { ask, givenWorld } from '@/testing/worlds/turn-world'

const SECRET = 'plan of the heist'

onOneDatabase('the error log', ({ name }) => {
  const { world, services } = givenWorld(name)
  let written = ''
  beforeEach(() => {
    written = ''
    vi.spyOn(console, 'error').mockImplementation((...said: unknown[]) => {
      written += `${said.map(String).join(' ')}\n`
    })
  })
  afterEach(() => vi.restoreAllMocks())

  /** Has a statement fail and logs why. */
  async function logFailure(work: PromiseLike<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      logError('trying', error)
    }
    expect(written).toContain('[ramify] trying: ')
  }

  const insert = (table: PgTable, row: object) => () => services.database.orm.insert(table).values(row)
  const query =
    (sql: string, ...params: unknown[]) =>
    () =>
      services.database.query(sql, params)
  const dates = { expiresAt: new Date(), createdAt: new Date(), updatedAt: new Date() }
  const statements: [string, () => PromiseLike<unknown>][] = [
    ['a value of the wrong type', query('select $1::uuid', SECRET)],
    ['a value no number', query('select $1::text::int', SECRET)],
    ['a value no date', query('select $1::text::timestamptz', SECRET)],
    ['a value no JSON', query('select $1::text::jsonb', `{"a": ${SECRET}`)],
    ['words no search', query('select to_tsquery($1)', `${SECRET} & | !`)],
    ['a value no pattern', query(`select 'a' ~ $1`, `(${SECRET}`)],
    ['a raised exception', query(`do $$ begin raise exception 'no %', '${SECRET}'; end $$`)],
    ['a row that exists', insert(schema.user, { id: 'ada', name: SECRET, email: `${newId()}@a.test` })],
    [
      'a row whose owner is missing',
      insert(schema.session, { id: newId(), userId: SECRET, token: SECRET, userAgent: SECRET, ...dates }),
    ],
  ]
  it.each(statements)(
    'given a statement refused for %s, then what it was given is not in the log',
    async (_, run) => {
      await logFailure(run())
      expect(written).not.toMatch(/heist|plan of/)
      expect(written).toMatch(/[\dA-Z]{5} \w+/)
    },
  )

  it.each([
    ['a refusal', { error: { status: 400, message: `Your message "${SECRET}" is too odd: ${SECRET}` } }],
    ['a wrong key', { error: openAIErrors.badKey() }],
    ['an error in the stream', { text: ['a', 'b'], errorEventAfter: 1 }],
    ['a stream that breaks off', { text: ['a', 'b'], cutAfter: 1 }],
  ])(
    'given a provider that answers with %s, then neither the prompt nor a key is in the log',
    async (_, reply) => {
      world.answer = () => reply
      const { ended } = await runTurn(services.ports, ask({ chatId: newId(), text: `Tell me the ${SECRET}` }))
      await ended
      expect(written).toContain('[ramify] run ')
      expect(written).not.toMatch(/heist|plan of|sk-test/)
    },
  )
})
