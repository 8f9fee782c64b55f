// Longer than 400 lines because every case counts against the same store, opened once for each database.

import { expect, it } from 'vitest'
import type { Change, NewMessage, QuotaExceededError, QuotaName } from '@/lib/context'
import { newId } from '@/lib/events'
import { moveBelongings } from '@/lib/store/access/move-belongings'
import type { QuotaLimits } from '@/lib/store/access/quota'
import { forgetOldUse, giveGuestBack, recountStored, takeGuest } from '@/lib/store/access/quota-records'
import { checkDatabase } from '@/lib/store/admin/check-database'
import { DrizzleContextStore } from '@/lib/store/writes/drizzle-context-store'
import { Summaries } from '@/lib/store/writes/summaries'
import { ThreadCommands } from '@/lib/store/writes/thread-commands'
import { line } from '@/testing/contracts/store/story'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'

const said = (text: string, id = newId()): NewMessage =>
  line(id, {
    name: 'user',
    data: { id, role: 'user', parts: [{ type: 'text', text }] },
    preview: text.slice(0, 160),
  })

onServedDatabase('limits of what is written', ({ name, open }) => {
  const opened = openedStore(open)

  const database = () => opened.database
  const { person } = opened
  /** A store that counts, as one server has it, asked from an address or from none. */
  const server = (limits: QuotaLimits, address?: string) => {
    const store = new DrizzleContextStore(database(), undefined, { limits })
    return address === undefined ? store : store.countingFor(address)
  }
  const begin = (owner: string, chatId = newId()): Change & { branchId: string } => {
    const branchId = newId()
    return { chatId, ownerId: owner, at: 1, create: { userId: owner, branchId }, steps: [], branchId }
  }
  /** A first message with its reply asked for. */
  const ask = (
    owner: string,
    text = 'Hello',
  ): Change & Record<'runId' | 'replyTo' | 'replyId' | 'branchId', string> => {
    const change = begin(owner)
    const message = said(text)
    const run = { runId: newId(), branchId: change.branchId, replyTo: message.id, replyId: newId() }
    return {
      ...change,
      ...run,
      steps: [
        { kind: 'append', branchId: change.branchId, expectedHead: null, messages: [message] },
        { kind: 'queue-run', ...run, model: 'demo:demo', leaseMs: 1000 },
      ],
    }
  }
  /** The end of the reply that `asked` has asked for. */
  const answer = (
    { chatId, branchId, runId, replyTo, replyId }: ReturnType<typeof ask>,
    tokens: number,
  ): Change => ({
    chatId,
    at: 2,
    spent: { tokens, calls: 0 },
    steps: [
      {
        kind: 'append',
        branchId,
        expectedHead: replyTo,
        messages: [{ ...said('Well.', replyId), name: 'assistant', status: 'stopped', runId }],
      },
      { kind: 'finish-run', runId, fence: 1, status: 'stopped' },
    ],
  })
  const fork = (owner: string, chatId: string): Change => ({
    chatId,
    ownerId: owner,
    at: 1,
    steps: [{ kind: 'open-branch', branchId: newId(), after: 'main', at: null, activate: false }],
  })
  /** What a write is refused with; undefined when it is not. */
  const refusalOf = async (write: Promise<unknown>) =>
    write.then(
      () => undefined,
      (error: QuotaExceededError) => {
        if (error.name !== 'QuotaExceededError') throw error
        const { limit, allowed, used, retryAfter, person: who } = error
        return { limit, allowed, used, retryAfter, who }
      },
    )
  const chatsOf = async (owner: string) => (await opened.store.listChats({ userId: owner })).length
  const usedBy = async (scope: 'person' | 'address' | 'site', key: string) => {
    const [row] = await database().query<Record<'messages' | 'calls' | 'tokens', number>>(
      `select coalesce(sum(messages), 0)::float8 as messages, coalesce(sum(calls), 0)::float8 as calls,
        coalesce(sum(tokens), 0)::float8 as tokens
      from ${scope === 'person' ? 'quota_person where user_id = $1' : `quota_use where scope = '${scope}' and key = $1`}`,
      [key],
    )
    if (!row) throw new Error('no row')
    return row
  }
  const storedBy = async (owner: string) => {
    const [row] = await database().query<{ bytes: number; chats: number }>(
      'select bytes::float8 as bytes, chats from quota_person where user_id = $1',
      [owner],
    )
    return row
  }
  const yesterday = (key: string) =>
    database().query(
      `with gone as (update quota_use set day = day - 1 where key = $1)
      update quota_person set day = day - 1 where user_id = $1`,
      [key],
    )

  it.each<[QuotaName, (owner: string) => Change]>([
    ['messages', ask],
    ['calls', ask],
    ['chats', begin],
    ['address_messages', ask],
    ['address_calls', ask],
    ['address_chats', begin],
  ])(
    'given a limit of three %s, when a fourth is asked for, then it is refused with the count, and nothing of it is written',
    async (limit, write) => {
      const owner = await person()
      const store = server({ [limit]: 3 }, newId())
      for (let i = 0; i < 3; i++) await store.commit(write(owner))
      const refusal = await refusalOf(store.commit(write(owner)))
      expect(refusal).toMatchObject({ limit, allowed: 3, used: 3, who: owner })
      if (limit === 'chats') expect(refusal?.retryAfter).toBeNull()
      else {
        expect(refusal?.retryAfter).toBeGreaterThan(0)
        expect(refusal?.retryAfter).toBeLessThanOrEqual(86_400)
      }
      expect(await chatsOf(owner)).toBe(3)
      expect(await storedBy(owner)).toMatchObject({ chats: 3 })
    },
  )

  it('given a limit of branches, when the chat has that many, then another fork is refused, and one of another chat is not', async () => {
    const owner = await person()
    const store = server({ branches: 3 })
    const [chat, other] = [begin(owner), begin(owner)]
    for (const change of [chat, other, fork(owner, chat.chatId), fork(owner, chat.chatId)])
      await store.commit(change)
    const refusal = await refusalOf(store.commit(fork(owner, chat.chatId)))
    expect(refusal).toMatchObject({ limit: 'branches', allowed: 3, used: 3, retryAfter: null })
    expect(await opened.store.listBranches(chat.chatId)).toHaveLength(3)
    expect(await refusalOf(store.commit(fork(owner, other.chatId)))).toBeUndefined()
  })

  /** A branch that opens for messages whose place is taken, as a line of an agent's does. */
  const late = (owner: string, { chatId, branchId }: ReturnType<typeof begin>): Change => ({
    chatId,
    ownerId: owner,
    at: 1,
    steps: [
      { kind: 'append', branchId, expectedHead: null, orBranchId: newId(), messages: [said('And this?')] },
    ],
  })

  it.each([
    ['a fork', (owner: string, chat: ReturnType<typeof ask>) => fork(owner, chat.chatId)],
    ['messages that come late', late],
    [
      'a fork and messages that come late',
      (owner: string, chat: ReturnType<typeof ask>) => ({
        ...fork(owner, chat.chatId),
        steps: [...fork(owner, chat.chatId).steps, ...late(owner, chat).steps],
      }),
    ],
  ] as const)(
    'given a limit of branches, when %s would pass it, then that is refused and opens none',
    async (_, opening) => {
      const owner = await person()
      const chat = ask(owner)
      const store = server({ branches: 1 })
      await store.commit(chat)
      expect(await refusalOf(store.commit(opening(owner, chat)))).toMatchObject({
        limit: 'branches',
        used: 1,
      })
      expect(await opened.store.listBranches(chat.chatId)).toHaveLength(1)
      expect(await refusalOf(server({ branches: 3 }).commit(opening(owner, chat)))).toBeUndefined()
    },
  )

  it('given a chat at its limit of branches, when a reply ends late, then it is stored on another; then no other reply is asked for', async () => {
    const owner = await person()
    const store = server({ branches: 1 })
    const asked = ask(owner)
    await store.commit(asked)
    const next = said('Never mind.')
    const goOn: Change = {
      chatId: asked.chatId,
      ownerId: owner,
      at: 1,
      steps: [{ kind: 'append', branchId: asked.branchId, expectedHead: asked.replyTo, messages: [next] }],
    }
    await store.commit(goOn)
    const [append, end] = answer(asked, 1).steps
    if (append?.kind !== 'append' || !end) throw new Error('A reply is appended, then ends')
    const lateReply: Change = { ...answer(asked, 1), steps: [{ ...append, orBranchId: newId() }, end] }
    expect(await refusalOf(store.commit(lateReply))).toBeUndefined()
    expect(await opened.store.listBranches(asked.chatId)).toHaveLength(2)
    const limit = { limit: 'branches', allowed: 1, used: 2 }
    // as a run, and as the call of an agent whose answer is not stored yet
    const again: Change = {
      chatId: asked.chatId,
      ownerId: owner,
      at: 3,
      steps: [
        {
          kind: 'queue-run',
          runId: newId(),
          branchId: asked.branchId,
          replyTo: next.id,
          replyId: newId(),
          model: 'demo:demo',
          leaseMs: 1000,
        },
      ],
    }
    expect(await refusalOf(store.commit(again))).toMatchObject(limit)
    expect(await refusalOf(store.spend(asked.chatId, { calls: 1, tokens: 0 }))).toMatchObject(limit)
    // what opens none and asks for none goes on
    expect(await refusalOf(store.spend(asked.chatId, { calls: 0, tokens: 5 }))).toBeUndefined()
  })

  it('given a limit of bytes, when a message would pass it, then it is refused; when a chat is deleted, then its bytes are free', async () => {
    const owner = await person()
    const store = server({ bytes: 25_000 })
    const [first, second] = [ask(owner, 'a'.repeat(10_000)), ask(owner, 'ü'.repeat(5000))]
    await store.commit(first)
    await store.commit(second)
    const full = await storedBy(owner)
    expect(full?.bytes).toBeGreaterThan(20_000)
    const third = ask(owner, 'c'.repeat(10_000))
    expect(await refusalOf(store.commit(third))).toMatchObject({
      limit: 'bytes',
      allowed: 25_000,
      used: full?.bytes,
      retryAfter: null,
    })
    expect(await storedBy(owner)).toEqual(full)

    await store.deleteChat(first.chatId, { userId: owner })
    expect((await storedBy(owner))?.bytes).toBeLessThan(12_000)
    expect(await refusalOf(store.commit(third))).toBeUndefined()
  })

  it('given a limit of bytes, when a context would pass it, then it is refused; one that is stored already takes nothing, and a summary counts', async () => {
    const owner = await person()
    const address = newId()
    const store = server({ bytes: 25_000, address_bytes: 1_000_000 }, address)
    const asked = ask(owner)
    await store.commit(asked)
    const roleOf = (letter: string, expectedContextId: string | null): Change => ({
      chatId: asked.chatId,
      ownerId: owner,
      at: 1,
      contexts: [{ id: letter, fragments: [{ name: 'role', data: letter.repeat(10_000) }], model: null }],
      steps: [{ kind: 'set-context', branchId: asked.branchId, expectedContextId, contextId: letter }],
    })
    await store.commit(roleOf('a', null))
    await store.commit(roleOf('b', 'a'))
    const full = await storedBy(owner)
    expect(full?.bytes).toBeGreaterThan(20_000)
    expect(await refusalOf(store.commit(roleOf('c', 'b')))).toMatchObject({
      limit: 'bytes',
      used: full?.bytes,
    })
    await store.commit(roleOf('a', 'b'))
    expect((await storedBy(owner))?.bytes).toBeLessThan((full?.bytes ?? 0) + 1000)
    const [{ bytes = 0 } = {}] = await database().query<{ bytes: number }>(
      "select sum(bytes)::int as bytes from quota_use where scope = 'address' and key = $1",
      [address],
    )
    expect(bytes).toBeGreaterThan(20_000)

    const before = (await storedBy(owner))?.bytes ?? 0
    const summary = { messageId: asked.replyTo, leftOut: '', text: 'ü'.repeat(2000), model: 'demo:demo' }
    for (let times = 0; times < 2; times++) await new Summaries(database()).save(asked.chatId, summary)
    expect(await storedBy(owner)).toMatchObject({ bytes: before + 4000 })
    expect(await recountStored(database(), { dry: true })).toEqual([])
    await store.deleteChat(asked.chatId, { userId: owner })
    expect(await storedBy(owner)).toMatchObject({ bytes: 0, chats: 0 })
  })

  it('given tokens that are used up, when a reply ends, then it is stored and counted; when another is asked for, then it is refused', async () => {
    const owner = await person()
    const address = newId()
    const store = server({ tokens: 100, address_tokens: 1000, calls: 2, bytes: 3000, branches: 1 }, address)
    const [one, two] = [ask(owner), ask(owner)]
    await store.commit(one)
    await store.commit(two)
    await store.commit(answer(one, 150))
    // beyond every limit there is
    await store.commit(answer(two, 5000))
    expect(await usedBy('person', owner)).toMatchObject({ messages: 2, calls: 2, tokens: 5150 })
    expect(await usedBy('address', address)).toMatchObject({ messages: 2, calls: 2, tokens: 5150 })
    const again = server({ tokens: 100 })
    const refusal = await refusalOf(again.commit(ask(owner)))
    expect(refusal).toMatchObject({ limit: 'tokens', allowed: 100, used: 5150 })
    const fromThere = server({ address_tokens: 1000 }, address)
    expect(await refusalOf(fromThere.commit(ask(await person())))).toMatchObject({ limit: 'address_tokens' })
    // what needs no model is not refused for its tokens
    expect(await refusalOf(again.commit(begin(owner)))).toBeUndefined()
  })

  it('given a budget of the whole site, when it is used up by one person, then another is refused, and what needs no model is not', async () => {
    const [ada, bea] = [await person(), await person()]
    const { calls, tokens } = await usedBy('site', '')
    const store = server({ site_calls: calls + 2 })
    await store.commit(ask(ada))
    await store.commit(ask(ada))
    expect(await refusalOf(store.commit(ask(bea)))).toMatchObject({ limit: 'site_calls', used: calls + 2 })
    expect(await refusalOf(store.commit(begin(bea)))).toBeUndefined()
    const poor = server({ site_tokens: tokens })
    expect(await refusalOf(poor.commit(ask(bea)))).toMatchObject({ limit: 'site_tokens' })
  })

  it('given a command that was run, when it is sent again, then it takes nothing; when another is refused, then its key is free', async () => {
    const owner = await person()
    const limits: QuotaLimits = { messages: 2, branches: 2 }
    const commands = new ThreadCommands(database(), undefined, { limits })
    const change = begin(owner)
    await commands.createThread({ ownerId: owner, threadId: change.branchId, change })
    const command = (key: string, threadId = change.branchId) => ({
      ownerId: owner,
      threadId,
      at: 1,
      message: said('Hello'),
      models: [],
      run: { runId: newId(), replyId: newId(), model: 'demo:demo' },
      once: { key, route: 'send-message', bodyHash: key },
    })
    const fork = (key: string) => ({
      ownerId: owner,
      sourceThreadId: change.branchId,
      newThreadId: newId(),
      eventNumber: 1,
      at: 1,
      once: { key, route: 'fork-thread', bodyHash: key },
    })
    const forked = await commands.forkThread(fork('fork'))
    for (let i = 0; i < 3; i++) {
      expect(await commands.forkThread(fork('fork'))).toEqual({ ...forked, repeated: true })
    }
    expect(await refusalOf(commands.forkThread(fork('another fork')))).toMatchObject({ limit: 'branches' })

    const first = await commands.sendMessage(command('one'))
    for (let i = 0; i < 3; i++) {
      expect(await commands.sendMessage(command('one'))).toEqual({ ...first, repeated: true })
    }
    expect(await usedBy('person', owner)).toMatchObject({ messages: 1, calls: 1 })
    const elsewhere = forked.answer.thread_id
    await commands.sendMessage(command('two', elsewhere))
    const other = begin(owner)
    await commands.createThread({ ownerId: owner, threadId: other.branchId, change: other })
    expect(await refusalOf(commands.sendMessage(command('three', other.branchId)))).toMatchObject({
      limit: 'messages',
      allowed: 2,
      used: 2,
    })
    await yesterday(owner)
    expect((await commands.sendMessage(command('three', other.branchId))).repeated).toBe(false)
  })

  it('given a person five short of a limit, when twenty writers come at once on three servers, then five get through', async () => {
    const owner = await person()
    const address = newId()
    for (const limit of ['messages', 'chats', 'address_calls', 'address_chats'] as const) {
      const from = limit.startsWith('address') ? address : undefined
      await yesterday(owner)
      await yesterday(address)
      const had = limit === 'chats' ? await chatsOf(owner) : 0
      const stores = await Promise.all(
        [0, 1, 2].map(async () => {
          const one = opened.url ? await DrizzleContextStore.open({ url: opened.url }) : opened.store
          const quota = { limits: { [limit]: had + 5 }, ...(from !== undefined && { address: from }) }
          return { one, counting: new DrizzleContextStore(one.database, undefined, quota) }
        }),
      )
      // what many share is counted in several rows: each writer has a row of its own
      const writer = () => (from === undefined ? owner : person())
      const writers = await Promise.all(Array.from({ length: 20 }, writer))
      const count = async () =>
        (await Promise.all([...new Set(writers)].map(chatsOf))).reduce((a, b) => a + b)
      const before = await count()
      const refusals = await Promise.all(
        writers.map((writer, i) => {
          const store = stores[i % 3]?.counting
          if (!store) throw new Error('no store')
          return refusalOf(store.commit(ask(writer)))
        }),
      )
      if (opened.url) for (const { one } of stores) await one.close()
      const through = refusals.filter((refusal) => refusal === undefined)
      expect(through, limit).toHaveLength(5)
      expect((await count()) - before, limit).toBe(5)
    }
  })

  it('given chats from before anything was counted, when the first write counts, then they all count', async () => {
    const owner = await person()
    for (let i = 0; i < 3; i++) await opened.store.commit(ask(owner, 'x'.repeat(1000)))
    expect((await storedBy(owner))?.bytes).toBeUndefined()
    const refusal = await refusalOf(server({ chats: 3 }).commit(begin(owner)))
    expect(refusal).toMatchObject({ limit: 'chats', used: 3 })
    // a refusal writes nothing, but what it had to count is not counted again
    expect(await storedBy(owner)).toMatchObject({ chats: 3 })
    await server({ chats: 4 }).commit(begin(owner))
    expect(await storedBy(owner)).toMatchObject({ chats: 4 })
  })

  it('given chats that a person begins at once, when nothing of theirs was counted before, then what is noted is true', async () => {
    const owner = await person()
    await opened.store.commit(ask(owner))
    const store = server({ chats: 100 })
    const doomed = ask(owner)
    await opened.store.commit(doomed)
    await Promise.all([
      ...Array.from({ length: 10 }, () => store.commit(ask(owner))),
      store.deleteChat(doomed.chatId),
    ])
    expect(await storedBy(owner)).toMatchObject({ chats: 11 })
  })

  it('given a guest who signs in to an account, then what the guest has stored and used today counts for the account', async () => {
    const [guest, account] = [await person(), await person()]
    const store = server({ bytes: 1_000_000 })
    await store.commit(ask(guest, 'g'.repeat(5000)))
    await store.commit(ask(account))
    const [hers, theirs] = [await storedBy(guest), await storedBy(account)]
    await moveBelongings(database(), guest, account)
    expect(await storedBy(guest)).toBeUndefined()
    expect(await storedBy(account)).toEqual({ bytes: (hers?.bytes ?? 0) + (theirs?.bytes ?? 0), chats: 2 })
    expect(await usedBy('person', account)).toMatchObject({ messages: 2, calls: 2 })
  })

  it('given totals that are wrong, then the check names whose, and after a recount they are worked out again', async () => {
    const owner = await person()
    const store = server({ bytes: 1_000_000 })
    await store.commit(ask(owner))
    const right = await storedBy(owner)
    // nor is anything of the cases above
    expect(await checkDatabase(database())).toEqual([])
    await database().query('update quota_person set bytes = bytes + 1 where user_id = $1', [owner])
    expect(await checkDatabase(database())).toMatchObject([
      { invariant: 'stored-totals', thing: `person ${owner}` },
    ])
    expect(await recountStored(database(), { dry: true })).toEqual([owner])
    expect(await recountStored(database())).toEqual([owner])
    expect(await checkDatabase(database())).toEqual([])
    await store.commit(begin(owner))
    expect(await storedBy(owner)).toEqual({ bytes: (right?.bytes ?? 0) + 300, chats: 2 })
  })

  it('given an address that may have five guests a day, when twenty come at once, then five begin; one that did not begin makes room', async () => {
    const address = newId()
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeGuest(database(), address, 5)))
    expect(taken.filter(Boolean)).toHaveLength(5)
    await giveGuestBack(database(), address)
    expect(await takeGuest(database(), address, 5)).toBe(true)
    expect(await takeGuest(database(), address, 5)).toBe(false)
    expect(await takeGuest(database(), newId(), 0)).toBe(false)
  })

  it('given what was used on days gone by, then all but yesterday is forgotten', async () => {
    const address = newId()
    await takeGuest(database(), address, 5)
    const kept = () => database().query('select 1 from quota_use where key = $1', [address])
    await yesterday(address)
    await forgetOldUse(database())
    expect(await kept()).toHaveLength(1)
    await yesterday(address)
    await forgetOldUse(database())
    expect(await kept()).toHaveLength(0)
  })

  it(`given refusals (${name}), then each is told with the address it came from`, async () => {
    const owner = await person()
    const told: [string, string | undefined][] = []
    const store = new DrizzleContextStore(database(), undefined, {
      limits: { messages: 0 },
      onRefused: ({ limit }, address) => told.push([limit, address]),
    })
    await refusalOf(store.commit(ask(owner)))
    await refusalOf(store.countingFor('203.0.113.7').commit(ask(owner)))
    expect(told).toEqual([
      ['messages', undefined],
      ['messages', '203.0.113.7'],
    ])
  })
})
