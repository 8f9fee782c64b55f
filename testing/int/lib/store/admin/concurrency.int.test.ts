// Longer than 400 lines because all races share one migrated Postgres and are read side by side.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  assistant,
  BranchActiveError,
  ContextEngine,
  HeadConflictError,
  NameTakenError,
  ReplyInProgressError,
  RunOverError,
  type Step,
  user,
} from '@/lib/context'
import { openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import { checkDatabase } from '@/lib/store/admin/check-database'
import { DrizzleContextStore } from '@/lib/store/writes/drizzle-context-store'
import { line } from '@/testing/contracts/store/story'
import { onPostgres, openedStore } from '@/testing/worlds/open-stores'

const CONNECTIONS = 10
const AT_ONCE = 20
const isLong = Boolean(process.env.RAMIFY_TEST_LONG)
const TRIALS = isLong ? 10 : 3
const OPERATIONS = isLong ? 200 : 100
const CHATS = isLong ? 32 : 8
const seed = Number(process.env.RAMIFY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** What a write may be refused with when others were faster. Anything else, a deadlock say, fails the test. */
const refusals = [
  ...[HeadConflictError, BranchActiveError, NameTakenError, ReplyInProgressError, RunOverError],
] as const

onPostgres(`${AT_ONCE} at once, on ${CONNECTIONS} connections`, () => {
  const opened = openedStore()
  let stores: DrizzleContextStore[] = []

  beforeAll(async () => {
    const { url = '' } = opened
    const connect = async () => new DrizzleContextStore(await openDatabase({ url, max: 1 }))
    stores = await Promise.all(Array.from({ length: CONNECTIONS }, connect))
  })
  afterAll(() => Promise.all(stores.map((store) => store.close())))

  /** A chat of its own, and one engine per writer, each on one of the connections. */
  class Room {
    readonly chatId = newId()
    readonly userId = newId()
    readonly store = opened.store

    engine(writer: number): ContextEngine {
      const { chatId, userId } = this
      return new ContextEngine({ store: this.connection(writer), chatId, userId })
    }

    connection(writer: number): DrizzleContextStore {
      return stores[writer % CONNECTIONS] ?? opened.store
    }

    /** Given q1 → a1 on main. */
    async begin(): Promise<this> {
      await this.engine(0)
        .set(user('q1', { id: 'q1' }), assistant('a1', { id: 'a1' }))
        .save()
      return this
    }

    /** All at once, each from where the chat opened a moment before; answers what came of each. */
    async race<T>(act: (engine: ContextEngine, writer: number) => Promise<T>) {
      const engines = Array.from({ length: AT_ONCE }, (_, writer) => this.engine(writer))
      await Promise.all(engines.map((engine) => engine.save()))
      return Promise.allSettled(engines.map(act))
    }

    commit(writer: number, ...steps: Step[]) {
      return this.connection(writer).commit({ chatId: this.chatId, at: Date.now(), steps })
    }

    async chain(branch: string): Promise<string[]> {
      const head = (await this.store.getBranch(this.chatId, branch))?.headMessageId
      return head ? (await this.store.getMessageChain(this.chatId, head)).map(({ id }) => id) : []
    }

    /** Every message that some branch leads to. */
    async reachable(): Promise<Set<string>> {
      const branches = await this.store.listBranches(this.chatId)
      const chains = await Promise.all(branches.map(({ name }) => this.chain(name)))
      return new Set(chains.flat())
    }

    async names(): Promise<string[]> {
      return (await this.store.listBranches(this.chatId)).map(({ name }) => name)
    }

    /** Then nothing is broken, one branch is active, and every message stored is reachable. */
    async holds(): Promise<void> {
      expect(await checkDatabase(this.store.database, { chatId: this.chatId })).toEqual([])
      const branches = await this.store.listBranches(this.chatId)
      expect(branches.filter(({ isActive }) => isActive)).toHaveLength(1)
      const stored = await this.store.getMessages(this.chatId)
      expect(await this.reachable()).toEqual(new Set(stored.map(({ id }) => id)))
    }
  }

  /** `main-v2`, `main-v3`, … as many as were asked for. */
  const numbered = Array.from({ length: AT_ONCE }, (_, index) => `main-v${index + 2}`)

  const trials = (what: string, trial: () => Promise<void>) =>
    test(`${what} (${TRIALS} trials)`, async () => {
      for (let n = 0; n < TRIALS; n += 1) await trial()
    })

  function values<T>(outcomes: PromiseSettledResult<T>[]): T[] {
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  }

  const queued = (runId: string, branchId: string, replyTo: string, replyId: string): Step => ({
    kind: 'queue-run',
    runId,
    branchId,
    replyTo,
    replyId,
    model: 'demo:demo',
    leaseMs: 60_000,
  })
  const namesOf = (outcomes: PromiseSettledResult<{ name: string }>[]): string[] =>
    values(outcomes)
      .map(({ name }) => name)
      .sort()

  function expectRefused(outcomes: PromiseSettledResult<unknown>[], error: (typeof refusals)[number]): void {
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(error)
    }
  }

  trials('given one head, when all write, then one is stored, others are told, and all get in', async () => {
    const room = await new Room().begin()
    const writers = Array.from({ length: AT_ONCE }, (_, n) => ({ n, engine: room.engine(n) }))
    await Promise.all(writers.map(({ engine }) => engine.save()))
    for (const { n, engine } of writers)
      engine.set(user('q', { id: `q-${n}` }), assistant('a', { id: `a-${n}` }))

    let waiting = writers
    for (let stored = 0; waiting.length > 0; ) {
      const outcomes = await Promise.allSettled(waiting.map(({ engine }) => engine.save()))
      expectRefused(outcomes, HeadConflictError)
      // all of them knew the same head
      expect(values(outcomes)).toHaveLength(1)
      stored += 1
      expect(await room.chain('main')).toHaveLength(2 + 2 * stored)
      waiting = waiting.filter((_, index) => outcomes[index]?.status === 'rejected')
      const renderer = { render: () => '' }
      await Promise.all(waiting.map(({ engine }) => engine.resolve({ renderer })))
    }

    const chain = await room.chain('main')
    for (let n = 0; n < AT_ONCE; n += 1) expect(chain[chain.indexOf(`q-${n}`) + 1]).toBe(`a-${n}`)
    expect(await room.names()).toEqual(['main'])
    await room.holds()
  })

  const openings: [string, (engine: ContextEngine) => Promise<{ name: string }>, object][] = [
    ['rewind', (engine) => engine.rewind('q1'), { headMessageId: 'q1' }],
    ['ask by the way', (engine) => engine.btw(), { name: 'main', headMessageId: 'a1' }],
  ]
  for (const [what, open, active] of openings)
    trials(`given an answer, when all ${what}, then as many branches open, all of another name`, async () => {
      const room = await new Room().begin()
      const outcomes = await room.race(open)

      expect(namesOf(outcomes)).toEqual([...numbered].sort())
      expect((await room.names()).sort()).toEqual(['main', ...numbered].sort())
      expect(await room.store.getActiveBranch(room.chatId)).toMatchObject(active)
      await room.holds()
    })

  trials('given a first message, when all edit it, then as many roots stand beside the old one', async () => {
    const room = await new Room().begin()
    const outcomes = await room.race(async (engine, n) => {
      await engine.set(user(`edit ${n}`, { id: 'q1' })).save()
      return engine.branch
    })

    expect(values(outcomes).sort()).toEqual([...numbered].sort())
    const roots = (await room.store.getMessages(room.chatId)).filter(({ parentId }) => parentId === null)
    expect(roots).toHaveLength(1 + AT_ONCE)
    await room.holds()
  })

  trials('given as many branches, when all switch, then one is active, and the log one chain', async () => {
    const room = await new Room().begin()
    for (let n = 0; n < AT_ONCE; n += 1) await room.engine(0).btw()
    const outcomes = await room.race((engine, n) => engine.switchBranch(numbered[n] ?? ''))

    expect(values(outcomes).map(({ name, isActive }) => [name, isActive])).toEqual(
      numbered.map((name) => [name, true]),
    )
    const switches = (await room.store.getEvents(room.chatId)).flatMap((event) =>
      event.type === 'BranchSwitched' ? [event.payload] : [],
    )
    expect(switches).toHaveLength(AT_ONCE)
    const from = switches.map(({ from_branch_id }) => from_branch_id)
    expect(from.slice(1)).toEqual(switches.slice(0, -1).map(({ branch_id }) => branch_id))
    const active = await room.store.getActiveBranch(room.chatId)
    expect(active?.id).toBe(switches.at(-1)?.branch_id)
    await room.holds()
  })

  trials('given one name, when all save a checkpoint, then there is one, where the last put it', async () => {
    const room = await new Room().begin()
    const outcomes = await room.race(async (engine, n) => {
      if (n % 2 === 0) await engine.rewind('q1')
      return engine.checkpoint('mark')
    })

    const saved = values(outcomes)
    expect(saved).toHaveLength(AT_ONCE)
    expect(new Set(saved.map(({ id }) => id)).size).toBe(1)
    const moves = (await room.store.getEvents(room.chatId)).flatMap((event) =>
      event.type === 'CheckpointSaved' || event.type === 'CheckpointMoved' ? [event] : [],
    )
    expect(moves.map(({ type }) => type)).toEqual([
      'CheckpointSaved',
      ...Array(AT_ONCE - 1).fill('CheckpointMoved'),
    ])
    expect(await room.store.listCheckpoints(room.chatId)).toMatchObject([
      { name: 'mark', messageId: moves.at(-1)?.payload.message_id },
    ])
    await room.holds()
  })

  trials('given a question, when all answer it, then one runs; when all end it, it ends once', async () => {
    const room = new Room()
    const question = user('q1', { id: 'q1' })
    await room.engine(0).set(question).save()
    const branchId = (await room.store.getActiveBranch(room.chatId))?.id ?? ''
    const runs = await room.race(async (_, n) => {
      const [runId, replyId] = [newId(), `a-${n}`]
      await room.commit(n, queued(runId, branchId, 'q1', replyId))
      return { runId, replyId }
    })
    const [run, ...others] = values(runs)
    expect(others).toEqual([])
    expectRefused(runs, ReplyInProgressError)
    if (!run) throw new Error('no run was queued')

    const ends = await room.race(async (_, n) => {
      const status = n % 2 === 0 ? 'completed' : 'stopped'
      const message = line(run.replyId, { runId: run.runId, ...(status === 'stopped' ? { status } : {}) })
      await room.commit(
        n,
        { kind: 'finish-run', runId: run.runId, fence: 1, status },
        { kind: 'append', branchId, expectedHead: 'q1', orBranchId: newId(), messages: [message] },
      )
    })

    expect(values(ends)).toHaveLength(1)
    expectRefused(ends, RunOverError)
    expect(await room.chain('main')).toEqual(['q1', run.replyId])
    await room.holds()
  })

  /** One thing done by one writer; answers the ids of the messages it was told are stored. */
  type Operation = (engine: ContextEngine, room: Room, writer: number, n: number) => Promise<string[]>

  const anyOf = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length]
  const someMessage = async (room: Room, n: number) => {
    const { nodes } = await room.store.getGraph(room.chatId)
    return anyOf(nodes, n)?.id ?? 'q1'
  }
  const someBranch = async (room: Room, n: number) => {
    const branch = anyOf(await room.store.listBranches(room.chatId), n)
    if (!branch) throw new Error('the chat has no branch')
    return branch
  }
  const quiet = (done: Promise<unknown>) => done.then((): string[] => [])

  const operations: Operation[] = [
    async (engine) => {
      const ids = [newId(), newId()]
      const [q = '', a = ''] = ids
      await engine.set(user('q', { id: q }), assistant('a', { id: a })).save()
      return ids
    },
    async (engine) => {
      const id = newId()
      await engine.resolve({ renderer: { render: () => '' } })
      await engine.set(user('after reading', { id })).save()
      return [id]
    },
    async (engine, room, _, n) => {
      const message = user(`edited ${n}`, { id: await someMessage(room, n) })
      return [(await engine.set(message).save()).headMessageId ?? '']
    },
    async (engine, room, _, n) => quiet(engine.rewind(await someMessage(room, n))),
    async (engine, room, _, n) => quiet(engine.switchBranch((await someBranch(room, n)).id)),
    (engine) => quiet(engine.btw()),
    (engine, _room, _writer, n) => quiet(engine.checkpoint(`mark ${n % 3}`)),
    (engine, _room, _writer, n) =>
      quiet(engine.updateChat({ title: `title ${n}`, metadata: { [`k${n % 3}`]: n } })),
    async (_, room, writer, n) => {
      const branchId = (await someBranch(room, n)).id
      return quiet(room.commit(writer, { kind: 'rename-branch', branchId, name: `name ${n % 40}` }))
    },
    async (_, room, writer, n) => {
      const kind = n % 2 === 0 ? 'archive-branch' : 'unarchive-branch'
      return quiet(room.commit(writer, { kind, branchId: (await someBranch(room, n)).id }))
    },
    async (_, room, writer, n) => {
      const { id: branchId, headMessageId } = await someBranch(room, n)
      const [runId, replyId, replyTo] = [newId(), `a${newId()}`, headMessageId ?? '']
      await room.commit(writer, queued(runId, branchId, replyTo, replyId))
      await room.commit(
        writer,
        {
          kind: 'append',
          branchId,
          expectedHead: replyTo,
          orBranchId: newId(),
          messages: [line(replyId, { runId })],
        },
        { kind: 'finish-run', runId, fence: 1, status: 'completed' },
      )
      return [replyId]
    },
  ]

  /** Every writer does its share, one after another; answers what was acknowledged and how many were refused. */
  async function mix(room: Room, script: number[], writers: number) {
    const acknowledged: string[] = []
    let refused = 0
    const write = async (writer: number) => {
      let engine = room.engine(writer)
      for (const [index, n] of script.entries()) {
        if (index % writers !== writer) continue
        const operation = anyOf(operations, n)
        try {
          acknowledged.push(...((await operation?.(engine, room, writer, n >> 4)) ?? []))
        } catch (error) {
          expect(refusals, String(error)).toContain((error as Error).constructor)
          refused += 1
          // what is pending is given up with the engine, for it was not acknowledged
          engine = room.engine(writer)
        }
      }
    }
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
    const reachable = await room.reachable()
    expect(acknowledged.filter((id) => !reachable.has(id))).toEqual([])
    expect(reachable.size).toBe(2 + new Set(acknowledged).size)
    await room.holds()
    return { done: script.length - refused, refused }
  }

  const script = (length: number, salt: number): number[] =>
    fc.sample(fc.nat(), { seed: seed + salt, numRuns: length })

  test(`given one chat, when ${OPERATIONS} operations are mixed, then each is done or refused, and nothing is lost (seed ${seed})`, async () => {
    const { done, refused } = await mix(await new Room().begin(), script(OPERATIONS, 0), CONNECTIONS)

    console.info(`mixed on one chat: ${done} done, ${refused} refused, 0 lost (seed ${seed})`)
    expect(done).toBeGreaterThan(OPERATIONS / 2)
  })

  test(`given ${CHATS} chats, when all are written at once, then each holds on its own (seed ${seed})`, async () => {
    const rooms = await Promise.all(Array.from({ length: CHATS }, () => new Room().begin()))
    const results = await Promise.all(rooms.map((room, index) => mix(room, script(30, 1 + index), 2)))

    const sum = (key: 'done' | 'refused') => results.reduce((total, result) => total + result[key], 0)
    console.info(
      `mixed on ${CHATS} chats: ${sum('done')} done, ${sum('refused')} refused, 0 lost (seed ${seed})`,
    )
    expect(sum('done')).toBeGreaterThan(CHATS * 15)
    expect(await checkDatabase(opened.store.database)).toEqual([])
  })
})
