import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as everything from '@/lib/store'
import {
  BisectReads,
  ChatExports,
  ChatReads,
  DrizzleContextStore,
  ExchangeReads,
  Files,
  Imports,
  Members,
  Proposals,
  ReplayReads,
  RunLog,
  RunStore,
  Shares,
  Summaries,
  ThreadReads,
  UsageReads,
} from '@/lib/store'
import { Story } from '@/testing/contracts/store/story'
import { handledRows } from '@/testing/worlds/handled-rows'
import { onServedDatabase, openedStore, parts } from '@/testing/worlds/open-stores'
import { givenStaleStatistics, LONG, type LongChat } from '@/testing/worlds/stale-statistics'

// The planner knows a table by its statistics, which are those of the last look at it. Every read is asked on a long chat
// while they are of an empty database, and of one with short chats only.

/** Rows that a read may touch, 70 for each message: to read the chat again for each of its messages or branches takes hundreds. */
const MOST = 70 * 2 * LONG

const text = 'text'
const [head, otherHead] = [`m${LONG - 1}`, `o${LONG - 1}`]
const ids = Array.from({ length: LONG }, (_, n) => `m${n}`)
const page = { after: 0, limit: 100, bytes: 1_000_000 }

type Reads<Reader> = Record<string, (reader: Reader, given: LongChat) => unknown>

/** A class of reads, what it is made of, and every read of it. */
const kind = <Reader extends object>(
  type: { name: string; prototype: Reader },
  open: (store: DrizzleContextStore) => Reader,
  reads: Reads<Reader>,
  /** the other methods */
  not: string[] = [],
) => ({
  type,
  not,
  reads,
  run: (store: DrizzleContextStore, name: string, given: LongChat) => reads[name]?.(open(store), given),
})

const kinds = [
  kind(
    DrizzleContextStore,
    (store) => store,
    {
      getChat: (r, { chatId }) => r.getChat(chatId),
      listChats: (r, { ownerId }) => r.listChats({ userId: ownerId }),
      getMessage: (r, { chatId }) => r.getMessage(chatId, head),
      isMessageElsewhere: (r, { chatId }) => r.isMessageElsewhere(chatId, head),
      getMessageChain: (r, { chatId }) => r.getMessageChain(chatId, head),
      getMessages: (r, { chatId }) => r.getMessages(chatId),
      countChain: (r, { chatId }) => r.countChain(chatId, head),
      hasChildren: (r, { chatId }) => r.hasChildren(chatId, 'm1'),
      getMessagesById: (r, { chatId }) => r.getMessagesById(chatId, ids, head),
      getMergeBase: (r, { chatId }) => r.getMergeBase(chatId, head, otherHead),
      listBranches: (r, { chatId }) => r.listBranches(chatId),
      getBranch: (r, { chatId, main }) => r.getBranch(chatId, main),
      getActiveBranch: (r, { chatId }) => r.getActiveBranch(chatId),
      getBranchChain: (r, { chatId, other }) => r.getBranchChain(chatId, other),
      listCheckpoints: (r, { chatId }) => r.listCheckpoints(chatId),
      getCheckpoint: (r, { chatId }) => r.getCheckpoint(chatId, 'b1'),
      getMoves: (r, { chatId }) => r.getMoves(chatId, { which: 'undo' }),
      findAgentNode: (r, { ownerId }) => r.findAgentNode(ownerId, ['00'.repeat(16)]),
      searchMessages: (r, { chatId }) => r.searchMessages(chatId, text),
      getGraph: (r, { chatId }) => r.getGraph(chatId),
      getEvents: (r, { chatId }) => r.getEvents(chatId),
    },
    [
      'countingFor',
      'close',
      'commit',
      'commitCalled',
      'noteWritten',
      'spend',
      'upsertChat',
      'deleteChat',
      'indexPending',
    ],
  ),
  kind(
    ChatReads,
    ({ database }) => new ChatReads(database),
    {
      graph: (r, { chatId, ownerId }) => r.graph(chatId, ownerId),
      graphUpTo: (r, { chatId, ownerId }) => r.graphUpTo(chatId, ownerId, 100),
      delta: (r, { chatId, ownerId }) => r.delta(chatId, ownerId, 5),
      marked: (r, { chatId, ownerId }) => r.marked(chatId, ownerId, { limit: 100 }),
      history: (r, { chatId, ownerId }) => r.history(chatId, ownerId),
      window: (r, { chatId, ownerId }) => r.window(chatId, ownerId, { limit: LONG }),
      branchState: (r, { chatId, ownerId }) => r.branchState(chatId, ownerId),
      calledState: (r, { chatId, ownerId }) => r.calledState(chatId, ownerId),
      membership: (r, { chatId, ownerId }) => r.membership(chatId, ownerId),
      chatCalled: (r, { chatId, ownerId }) => r.chatCalled(chatId, ownerId),
      isLong: (r, { chatId, ownerId }) => r.isLong(chatId, ownerId, 600),
      message: (r, { chatId, ownerId }) => r.message(chatId, ownerId, head),
      emptyBranchAt: (r, { chatId, ownerId }) => r.emptyBranchAt(chatId, ownerId, head),
      agents: (r, { chatId, ownerId }) => r.agents(chatId, ownerId),
      hasMovedAgents: (r, { ownerId }) => r.hasMovedAgents(ownerId),
      recentAgentNames: (r, { ownerId }) => r.recentAgentNames(ownerId, 'none'),
      ownAgents: (r, { chatId, ownerId }) => r.ownAgents(ownerId, { chatId, limit: 10 }),
      context: (r, { chatId }) => r.context(chatId, 'none'),
      branchPoint: (r, { chatId }) => r.branchPoint(chatId, head),
      askedSince: (r, { chatId }) => r.askedSince(chatId, { model: 'any', since: 0 }),
      branchContexts: (r, { chatId, ownerId }) => r.branchContexts(chatId, ownerId),
      comparison: (r, { chatId, ownerId, main: left, other: right }) =>
        r.comparison(chatId, ownerId, { left, right, limit: 50 }),
      search: (r, { ownerId }) => r.search(ownerId, text, { limit: 50 }),
      titleFacts: (r, { chatId, other }) => r.titleFacts(chatId, other),
      chats: (r, { ownerId }) => r.chats(ownerId, { sort: 'updated', limit: 50 }),
      countChats: (r, { ownerId }) => r.countChats(ownerId, {}),
      chatSummary: (r, { chatId, ownerId }) => r.chatSummary(ownerId, chatId),
      chatTags: (r, { ownerId }) => r.chatTags(ownerId),
    },
    ['until'],
  ),
  kind(
    ThreadReads,
    ({ database }) => new ThreadReads(database),
    {
      list: (r, { ownerId }) => r.list(ownerId, { limit: 50 }),
      children: (r, { ownerId, main }) => r.children(main, ownerId, { limit: 50 }),
      head: (r, { ownerId, other }) => r.head(other, ownerId),
      chatOf: (r, { ownerId, other }) => r.chatOf(other, ownerId),
      messages: (r, { ownerId, other }) => r.messages(other, ownerId, page),
      events: (r, { ownerId, other }) => r.events(other, ownerId, page),
    },
    ['until'],
  ),
  kind(ChatExports, ({ database }) => new ChatExports(database), {
    chat: (r, { chatId, ownerId }) => r.chat(chatId, ownerId),
    messages: (r, { chatId }) => r.messages(chatId, { after: 0, upTo: 1_000_000 }),
    chatsOf: (r, { ownerId }) => r.chatsOf(ownerId, { after: null, limit: 50 }),
  }),
  kind(
    ExchangeReads,
    ({ database }) => new ExchangeReads(database),
    {
      standing: (r, { chatId, ownerId }) => r.standing(chatId, ownerId, 'none'),
      idsIn: (r, { chatId }) => r.idsIn(chatId, [{ lane: 0, depth: 0, to: LONG }]),
      places: (r, { chatId }) => r.places(chatId, ids),
      messages: (r, { chatId }) => r.messages(chatId, ids),
      contexts: (r, { chatId }) => r.contexts(chatId, ['none']),
      summaries: (r, { chatId }) => r.summaries(chatId, ids),
    },
    ['keepRefs', 'keepSummaries'],
  ),
  kind(UsageReads, ({ database }) => new UsageReads(database), {
    since: (r, { ownerId }) => r.since(ownerId, '2020-01-01'),
    ofChat: (r, { chatId, ownerId }) => r.ofChat(chatId, ownerId),
  }),
  kind(ReplayReads, ({ database }) => new ReplayReads(database), {
    due: (r) => r.due(10),
    on: (r, { chatId, main }) => r.on(chatId, main),
    standing: (r, { chatId, ownerId }) => r.standing(chatId, 'none', ownerId),
    shown: (r, { chatId }) => r.shown(chatId),
    list: (r, { chatId, ownerId }) => r.list(chatId, ownerId),
  }),
  kind(BisectReads, ({ database }) => new BisectReads(database), {
    due: (r) => r.due(10),
    on: (r, { chatId, main }) => r.on(chatId, main),
    standing: (r, { chatId, ownerId }) => r.standing(chatId, 'none', ownerId),
    list: (r, { chatId, ownerId }) => r.list(chatId, ownerId),
  }),
  kind(
    RunStore,
    ({ database }) => new RunStore(database),
    {
      get: (r, { chatId }) => r.get(chatId, 'none'),
      find: (r, { chatId, ownerId }) => r.find(ownerId, chatId, 'none'),
      findByMessage: (r, { chatId }) => r.findByMessage(chatId, head),
      findByReply: (r, { chatId }) => r.findByReply(chatId, head),
      live: (r, { chatId, ownerId }) => r.live(ownerId, chatId),
      liveAnswers: (r, { chatId, ownerId }) => r.liveAnswers(ownerId, chatId, head),
      countWriting: (r, { ownerId }) => r.countWriting(ownerId),
    },
    ['renew', 'claim', 'claimOne', 'seize', 'requestStop'],
  ),
  kind(
    RunLog,
    ({ database }) => new RunLog(database),
    {
      read: (r, { chatId }) => r.read(chatId, 'none', { attempt: 1, number: 0 }),
      attempts: (r, { chatId }) => r.attempts(chatId, 'none'),
    },
    ['append', 'prune'],
  ),
  kind(
    Files,
    ({ database }) => new Files(database),
    {
      of: (r, { ownerId }) => r.of(ownerId, ids),
      ofContent: (r, { ownerId }) => r.ofContent(ownerId, ids),
      ofChat: (r, { chatId }) => r.ofChat(chatId, ids),
      findReadable: async (r, { ownerId }) => r.findReadable(ownerId, 'none').catch(() => undefined),
    },
    ['countingFor', 'store', 'pieces', 'bytes', 'forgetUnheld'],
  ),
  kind(
    Imports,
    ({ database }) => new Imports(database, () => undefined),
    {
      list: (r, { ownerId }) => r.list(ownerId),
      known: (r, { ownerId }) => r.known(ownerId, 'chatgpt', ids, 'import'),
      knownByDigest: (r, { ownerId }) => r.knownByDigest(ownerId, 'chatgpt', ids, 'import'),
      tree: (r, { chatId }) => r.tree(chatId),
    },
    [
      'begin',
      'upload',
      'abandon',
      'attend',
      'bytes',
      'claim',
      'renew',
      'release',
      'advance',
      'end',
      'cancel',
      'find',
      'forgetOld',
    ],
  ),
  kind(Summaries, ({ database }) => new Summaries(database), { of: (r, { chatId }) => r.of(chatId, ids) }, [
    'save',
  ]),
  kind(
    Members,
    ({ database }) => new Members(database, 10),
    {
      ownerName: (r, { chatId }) => r.ownerName(chatId),
      list: (r, { chatId }) => r.list(chatId),
      look: (r, { ownerId }) => r.look('none', ownerId),
      chatsOf: (r, { ownerId }) => r.chatsOf(ownerId),
      opened: (r, { ownerId }) => r.opened('none', ownerId),
    },
    ['invite', 'take', 'changeRole', 'remove'],
  ),
  kind(
    Proposals,
    ({ database }) => new Proposals(database),
    {
      chatOf: (r, { chatId }) => r.chatOf(chatId),
      countOpen: (r, { chatId, ownerId }) => r.countOpen(chatId, ownerId),
      find: (r, { ownerId }) => r.find('none', ownerId),
      list: (r, { chatId, ownerId }) => r.list(chatId, ownerId),
      latestOf: (r, { chatId, ownerId, main }) => r.latestOf(chatId, main, ownerId),
      comments: (r, { chatId }) => r.comments([{ chatId, id: 'none' }]),
    },
    ['keep', 'pin', 'claim', 'settle', 'comment'],
  ),
  kind(
    Shares,
    ({ database }) => new Shares(database, 10),
    {
      list: (r, { ownerId }) => r.list(ownerId),
      open: (r) => r.open('none'),
      inForce: (r) => r.inForce('none'),
      chain: (r, { chatId }) => r.chain(chatId, { lane: 0, depth: LONG - 1 } as never, { from: 0, to: LONG }),
      messages: (r, { chatId }) => r.messages(chatId),
      naming: (r, { chatId }) => r.naming(chatId, 'none'),
      brokenCopies: (r) => r.brokenCopies(600_000),
      isOnChain: (r, { chatId }) => r.isOnChain(chatId, { lane: 0, depth: LONG - 1 } as never, 'm1'),
    },
    ['make', 'revoke', 'countView', 'forgetExpired'],
  ),
]

/** Classes whose work does not grow with a chat: what a person has besides chats, and writes (`write-costs`). */
const others = [
  'ApiKeys',
  'Attempts',
  'BackupReader',
  'ChatDefaultsStore',
  'ContextPresets',
  'ListedChats',
  'MachineOwner',
  'OAuthApps',
  'ProviderKeys',
  'Remotes',
  'ThreadCommands',
  'ToolServers',
  'WorkLine',
]

it('every class of the store is asked below, or is known to need it not', () => {
  const classes = Object.entries(everything).flatMap(([name, value]) =>
    typeof value === 'function' &&
    !(value.prototype instanceof Error) &&
    value.prototype !== undefined &&
    Object.getOwnPropertyNames(value.prototype).length > 1
      ? [name]
      : [],
  )
  expect(classes.toSorted()).toEqual([...kinds.map(({ type }) => type.name), ...others].toSorted())
})

it('every read of a chat is asked below', () => {
  for (const { type, reads, not } of kinds) {
    const methods = Object.getOwnPropertyNames(type.prototype).filter((name) => name !== 'constructor')
    expect(methods.toSorted()).toEqual([...Object.keys(reads), ...not].toSorted())
  }
})

onServedDatabase('what a read touches', ({ open }) => {
  describe.each([
    // a database in parts has had chats for long, and each part is known by its own
    ...(parts > 0 ? [] : [{ known: 'nothing', short: 0 }]),
    { known: 'short chats', short: 40 * Math.max(1, parts) },
  ])('given a long chat in a database of which the planner knows $known', ({ short }) => {
    const opened = openedStore(open)
    let world: Awaited<ReturnType<typeof givenStaleStatistics>>
    beforeAll(async () => {
      world = await givenStaleStatistics(opened, short)
    }, 120_000)
    afterAll(() => world.close())

    it.each(
      kinds.flatMap(({ type, reads, run }) =>
        Object.keys(reads).map((name) => ({ read: `${type.name}.${name}`, run, name })),
      ),
    )('when $read is asked, then it touches as much as the chat has', async ({ run, name }) => {
      const { database, store, chat, touched, asked } = world
      asked.length = 0
      // the sixth time a session keeps a plan for all values
      const before = await touched()
      for (let time = 0; time < 6; time++) await run(store, name, chat)
      expect((await touched()) - before).toBeLessThan(6 * MOST)
      const statements = new Map(asked.map((one) => [one.text, one.params]))
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await database.query(`set plan_cache_mode = ${mode}`)
        for (const [text, params] of statements)
          if (/^\s*(with|select)/i.test(text))
            expect(await handledRows(database, text, params), text).toBeLessThan(MOST)
      }
      await database.query('reset plan_cache_mode')
    })
  })
})

onServedDatabase('what the planner knows', ({ open }) => {
  const opened = openedStore(open)

  it('given a chat that grows, then its messages are counted anew whenever they have doubled', async () => {
    const { store } = opened
    const story = await Story.begin(store)
    let head: string | null = null
    for (let size = 0; size < 1600; size += 100) {
      const ids = Array.from({ length: 100 }, (_, n) => `m${size + n}`)
      await story.say(story.main, head, ...ids)
      head = ids.at(-1) ?? null
      const [known] = await store.database.query<{ count: number }>(
        // of a table in parts those of its parts count
        `select max(reltuples)::int as count from pg_class where relname ~ '^messages(_\\d+)?$'`,
      )
      expect(known?.count).toBeGreaterThan((size + 100) / 4)
    }
  })
})
