import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import {
  ApiKeys,
  createSeal,
  forgetGone,
  forgetPerson,
  forgetSilentGuests,
  moveBelongings,
  OAuthApps,
  ProviderKeys,
} from '@/lib/store'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'

const DAY = 86_400_000
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** What happens to each table that refers to a person when a guest signs in to an account. */
const fates = {
  moves: [
    'chat_defaults',
    'chat_members',
    'chats',
    'context_presets',
    'files',
    'imports',
    'proposals',
    'provider_keys',
    'remotes',
    'tool_servers',
  ],
  ends: ['account', 'api_keys', 'idempotency', 'oauth_grants', 'passkey', 'quota_person', 'session'],
}

onServedDatabase('everything that belongs to a person', ({ open }) => {
  const opened = openedStore(open)
  const db = () => opened.database

  const person = ({ guest = true, days = 0 } = {}) => opened.person({ guest, days })
  /** Every column that refers to a person, as the database knows them. */
  const columns = () =>
    db().query<{ table: string; column: string }>(
      `select c.conrelid::regclass::text as table, a.attname as column from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = '"user"'::regclass order by 1`,
    )
  const rowsOf = (id: string, table: string, column = 'user_id') =>
    db().query(`select 1 from ${table} where ${column} = $1`, [id])
  const tablesWith = async (id: string) => {
    const found: string[] = []
    for (const { table, column } of await columns())
      if ((await rowsOf(id, table, column)).length > 0) found.push(table)
    return found
  }
  const seal = createSeal('a-secret-for-these-tests-and-nothing-else')
  const providerKeys = () => new ProviderKeys<{ id: string }>(db(), () => seal)
  const saveKey = (owner: string, provider: string, key: string) =>
    providerKeys().save(owner, { provider, key, baseUrl: null, models: [] })
  /** A row in each table. */
  const fill = async (userId: string) => {
    const { orm } = db()
    const endsAt = new Date(Date.now() + DAY)
    const app = { name: 'app', redirectUris: ['http://localhost/'], authMethod: 'none' as const }
    const { id: clientId } = await new OAuthApps(db()).register(app)
    const { chatId, main } = await storedChat(opened.store, userId)
    await orm.insert(schema.proposals).values({
      chatId,
      id: newId(),
      number: 1,
      authorId: userId,
      authorName: 'Ben',
      sourceBranchId: main,
      sourceHeadId: 'm',
      title: 'Trains',
      words: '',
      branchId: main,
      baseMessageId: 'm',
      headMessageId: 'm',
      messages: 1,
    })
    const theirs = await storedChat(opened.store, await person())
    await orm.insert(schema.chatMembers).values({
      chatId: theirs.chatId,
      id: newId(),
      role: 'reads',
      personId: userId,
      joinedAt: new Date(),
    })
    await saveKey(userId, 'openai', `sk-of-${userId}`)
    await new ApiKeys(db()).create(userId, { id: newId(), name: 'script' })
    const id = newId()
    await orm.insert(schema.files).values({
      id,
      ownerId: userId,
      sha256: 'a'.repeat(64),
      mediaType: 'text/plain',
      name: 'a',
      size: 1,
    })
    await orm.insert(schema.contextPresets).values({ id, userId, name: 'Mine', content: '{}' })
    await orm.insert(schema.chatDefaults).values({ userId, instructions: `Of ${userId}` })
    const file = { name: 'conversations.json', size: 1, source: 'chatgpt', status: 'queued' } as const
    await orm.insert(schema.imports).values({ id, userId, ...file })
    const url = 'https://tools.example.org/mcp'
    await orm.insert(schema.toolServers).values({ id, userId, name: 'tools', url })
    await orm.insert(schema.remotes).values({ id, userId, name: 'work', url })
    const account = { accountId: userId, providerId: 'credential', password: 'hash' }
    await orm.insert(schema.account).values({ id, userId, ...account })
    const answered = { key: 'k', route: 'create-thread', bodyHash: 'h', answer: '{}' }
    await orm.insert(schema.idempotency).values({ userId, ...answered })
    const device = { credentialID: id, counter: 0, deviceType: 'singleDevice', backedUp: false }
    await orm.insert(schema.passkey).values({ id, userId, publicKey: 'k', ...device })
    await orm.insert(schema.oauthGrants).values({
      id,
      userId,
      clientId,
      scopes: 'read',
      resource: 'http://localhost/mcp',
      endsAt,
      redirectUri: 'http://localhost/',
      codeHash: sha256(userId),
      codeChallenge: 'c'.repeat(43),
    })
    await orm.insert(schema.quotaPerson).values({ userId }).onConflictDoNothing()
    await orm.insert(schema.session).values({ id, token: id, userId, expiresAt: endsAt })
  }

  it('given a guest with something in every table, when it signs in to an account that has the same, then the account has all that moves, and nothing is the guest’s', async () => {
    const [guest, account] = [await person(), await person({ guest: false })]
    await fill(guest)
    await fill(account)
    await saveKey(guest, 'groq', 'gsk-of-the-guest')
    // every table that refers to a person is decided on
    const tables = new Set((await columns()).map(({ table }) => table))
    expect([...tables].sort()).toEqual([...fates.moves, ...fates.ends].sort())
    expect((await tablesWith(guest)).sort()).toEqual([...tables].sort())

    await moveBelongings(db(), guest, account, {
      reseal: (key) => providerKeys().resealed(guest, account, key),
    })
    await db().query('delete from "user" where id = $1', [guest])

    expect(await tablesWith(guest)).toEqual([])
    for (const [table, column] of [
      ['chats', 'user_id'],
      ['files', 'owner_id'],
      ['context_presets', 'user_id'],
      ['proposals', 'author_id'],
      ['chat_members', 'person_id'],
    ] as const)
      expect(await rowsOf(account, table, column), table).toHaveLength(2)
    const instructions = await db().query('select instructions from chat_defaults')
    expect(instructions).toEqual([{ instructions: `Of ${account}` }])
    const keys = await providerKeys().of(account)
    expect(keys.map(({ provider, key }) => [provider, key])).toEqual([
      ['groq', 'gsk-of-the-guest'],
      ['openai', `sk-of-${account}`],
    ])
    const servers = 'select name from tool_servers where user_id = $1 order by name'
    expect(await db().query(servers, [account])).toEqual([{ name: 'tools' }, { name: 'tools-2' }])
    const remotes = 'select name from remotes where user_id = $1 order by name'
    expect(await db().query(remotes, [account])).toEqual([{ name: 'work' }, { name: 'work-2' }])
  })

  it('given two who were one person, when one gives the other all, then keys and connected apps go along, and sessions end', async () => {
    const [guest, account] = [await person(), await person({ guest: false })]
    await fill(guest)
    await moveBelongings(db(), guest, account, { keepsAccess: true })
    expect(await tablesWith(account)).toEqual(
      expect.arrayContaining(['api_keys', 'chats', 'files', 'oauth_grants']),
    )
    expect(await tablesWith(account)).not.toContain('session')
    expect(await tablesWith(guest)).toEqual([])
  })

  it('given a guest with keys, sessions and answers to commands, when it signs in to an account, then all of them end and none is the account’s', async () => {
    const [guest, account, other] = [await person(), await person({ guest: false }), await person()]
    for (const id of [guest, account, other]) await fill(id)
    const keys = new ApiKeys(db())
    const makeKey = async (id: string) => {
      const made = await keys.create(id, { id: newId(), name: 'script' })
      return made?.made ? made.key : ''
    }
    const [guests, accounts, others] = [await makeKey(guest), await makeKey(account), await makeKey(other)]
    const holder = async (key: string) => (await keys.holder(key, '10.0.0.1'))?.id
    // also the keys that are made meanwhile
    const making = Promise.all(Array.from({ length: 10 }, () => makeKey(guest)))
    const [made, ended] = await Promise.all([making, moveBelongings(db(), guest, account)])
    expect(ended).toMatchObject({ keys: expect.any(Number), sessions: 1 })
    expect(ended.keys).toBeGreaterThanOrEqual(2)
    // they may be in other hands: they work no longer, before the guest's row is deleted as after
    expect(await holder(guests)).toBeUndefined()
    for (const key of made) expect(await holder(key)).not.toBe(account)
    expect([await holder(accounts), await holder(others)]).toEqual([account, other])
    expect(await rowsOf(account, 'api_keys')).toHaveLength(2)
    for (const table of ['session', 'idempotency']) {
      expect(await rowsOf(account, table), table).toHaveLength(1)
      expect(await rowsOf(guest, table), table).toEqual([])
    }
    await db().query('delete from "user" where id = $1', [guest])
  })

  it('given a person with something in every table, when it is deleted, then nothing is theirs at once, and batches delete the rest', async () => {
    const ada = await person({ guest: false })
    await fill(ada)
    expect(await forgetPerson(db(), ada)).toBe(true)
    expect(await forgetPerson(db(), ada)).toBe(false)
    expect(await tablesWith(ada)).toEqual([])
    expect(await db().query('select 1 from "user" where id = $1', [ada])).toEqual([])
    const [gone] = await db().query<{ id: string }>('select id from "user" where gone_at is not null')
    expect((await tablesWith(gone?.id ?? '')).sort()).toEqual(expect.arrayContaining(['chats', 'files']))
    const told: string[] = []
    while ((await forgetGone(db(), (id) => void told.push(id))) > 0);
    expect(told).toHaveLength(1)
    expect(await tablesWith(gone?.id ?? '')).toEqual([])
    expect(await db().query('select 1 from "user" where gone_at is not null')).toEqual([])
  })

  it('given guests of long ago, then those who were not here for 30 days go with what is theirs; the others and all accounts stay', async () => {
    const chatOf = async (userId: string, days: number) => {
      const id = newId()
      await opened.store.upsertChat({ id, userId })
      const age = `update chats set updated_at = now() - $2::int * interval '1 day' where id = $1`
      await db().query(age, [id, days])
      return id
    }
    const silent = await person({ days: 60 })
    const chat = await chatOf(silent, 31)
    const stays = {
      account: await person({ guest: false, days: 60 }),
      writing: await person({ days: 60 }),
      young: await person({ days: 29 }),
      // wrote nothing, and was here: a session ends 30 days after its last use, and a script is here with its key
      visiting: await person({ days: 60 }),
      scripted: await person({ days: 60 }),
    }
    const sessionOf = (userId: string, days: number) =>
      db()
        .orm.insert(schema.session)
        .values({ id: newId(), token: newId(), userId, expiresAt: new Date(Date.now() + days * DAY) })
    const seen = await chatOf(stays.visiting, 40)
    await sessionOf(stays.visiting, 1)
    await sessionOf(silent, -1)
    await new ApiKeys(db()).create(stays.scripted, { id: newId(), name: 'script' })
    await db().query(
      `update api_keys set created_at = now() - interval '60 days', last_used_at = now() - interval '2 days'
      where user_id = $1`,
      [stays.scripted],
    )
    await chatOf(stays.account, 50)
    const kept = await chatOf(stays.writing, 29)
    await chatOf(stays.writing, 40)
    for (let round = 0; round < 3; round++) await forgetSilentGuests(db())
    while ((await forgetGone(db(), () => undefined)) > 0);
    const left = (await db().query<{ id: string }>('select id from "user"')).map(({ id }) => id)
    expect(left).toEqual(expect.arrayContaining(Object.values(stays)))
    expect(left).not.toContain(silent)
    expect(await opened.store.getChat(chat)).toBeUndefined()
    expect(await opened.store.getChat(kept)).toBeDefined()
    expect(await opened.store.getChat(seen)).toBeDefined()
  })
})
