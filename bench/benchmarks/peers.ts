import type { UIMessage } from 'ai'
import { ContextEngine, message, XmlRenderer } from '@/lib/context'
import { openPostgres } from '@/lib/db/open-postgres'
import { ChatReads, DrizzleContextStore } from '@/lib/store'
import { createDatabase } from '@/testing/machines/create-database'
import { alternate } from '../alternate'
import type { Environment } from '../environment'
import { BENCH_USER, idAt, type LoadedChat, loadChat } from '../fixtures/load-chat'
import { loadFiller } from '../fixtures/load-filler'
import { benchMessage } from '../fixtures/payload'
import { copyAllToPeer, copyToPeer, PEER_SCHEMA, peerId } from '../fixtures/peer-tables'
import { type Turn, turnMaker } from '../fixtures/turns'
import { loadPeer, type Peer, type PeerStore } from '../peer'
import { recording } from '../recorded'
import { fasterThan, type Result } from '../result'
import { atLeast } from '../statistics'

const bench = 'peers'
const MANY = 200

/** Both libraries through the same API, on one server: a fresh engine each time, as for a request. */
export async function peers(env: Environment): Promise<Result[]> {
  if (env.url === undefined) return []
  const peer = await loadPeer()
  const own = await createDatabase(env.url)
  const database = await openPostgres({ url: own.url, max: 1 })
  const theirs = new peer.PostgresContextStore({ pool: own.url, schema: PEER_SCHEMA })
  try {
    const store = new DrizzleContextStore(database)
    await loadFiller(store, env.quick ? 5_000 : 100_000)
    await database.query(`create schema ${PEER_SCHEMA}`)
    await theirs.initialize()
    await copyAllToPeer(database)
    const results: Result[] = []
    for (const length of env.lengths.filter((each) => each >= 1000)) {
      const chat = await loadChat(store, { chatId: `peer-${length}`, length })
      await copyToPeer(database, chat)
      await database.query('vacuum analyze')
      // the targets were set at 10,000 messages
      const judged = length >= 10_000
      results.push(...(await ofChat({ env, peer, theirs, store, chat, judged })))
    }
    return results
  } finally {
    await theirs.close()
    await database.close()
    await own.drop()
  }
}

interface Pair {
  env: Environment
  peer: Peer
  theirs: PeerStore
  store: DrizzleContextStore
  chat: LoadedChat
  judged: boolean
}

async function ofChat(pair: Pair): Promise<Result[]> {
  // a rewind leaves the peer's chat standing in the middle: the whole chain is read before
  const results = [...(await reading(pair)), ...(await saving(pair))]
  results.push(await rewinding(pair, 'few branches', pair.judged ? 100 : undefined))
  await manyBranches(pair)
  results.push(await rewinding(pair, `${MANY} branches`, pair.judged ? 1000 : undefined))
  return results
}

async function reading({ env, peer, theirs, store, chat, judged }: Pair): Promise<Result[]> {
  const { chatId, headId, length, branchId } = chat
  // a comparison of unequal answers would be worth nothing
  const { messages } = await new peer.ContextEngine({ store: theirs, chatId, userId: BENCH_USER }).resolve({
    renderer: new peer.XmlRenderer(),
  })
  if (messages.length !== length)
    throw new Error(`The peer resolves ${messages.length} of ${length} messages`)
  const relay = await rawChain(store, chat)
  const reads = new ChatReads(store.database)
  const word = /[a-z]{4,}/.exec(benchMessage(headId, length - 1, 0).preview)?.[0] ?? ''
  const found = await theirs.searchMessages(chatId, word, { limit: 20 })
  if (found.length === 0) throw new Error(`The peer does not find "${word}"`)
  const time = await alternate(
    {
      theirs: () =>
        new peer.ContextEngine({ store: theirs, chatId, userId: BENCH_USER }).resolve({
          renderer: new peer.XmlRenderer(),
        }),
      ours: () =>
        new ContextEngine({ store, chatId, userId: BENCH_USER, branch: branchId }).resolve({
          renderer: new XmlRenderer(),
        }),
      relay,
      last: () => store.getMessageChain(chatId, headId, { last: 50 }),
      theirGraph: () => theirs.getGraph(chatId),
      ourGraph: () => reads.graph(chatId, BENCH_USER),
      theirSearch: () => theirs.searchMessages(chatId, word, { limit: 20 }),
      ourSearch: () => store.searchMessages(chatId, word, { limit: 20 }),
    },
    env.effort.reads,
  )
  const whole = { name: '@deepagents/context', value: time.theirs }
  const target = (limit: number) => (judged ? { target: atLeast(limit) } : {})
  return [
    fasterThan({ bench, what: `${length}: engine.resolve`, against: whole, ours: time.ours, ...target(7) }),
    fasterThan({
      bench,
      what: `${length}: raw relay of the chain`,
      against: whole,
      ours: time.relay,
      ...target(15),
    }),
    fasterThan({ bench, what: `${length}: last 50`, against: whole, ours: time.last, ...target(300) }),
    fasterThan({
      bench,
      what: `${length}: graph skeleton`,
      against: { name: 'their getGraph', value: time.theirGraph },
      ours: time.ourGraph,
      ...target(10),
    }),
    fasterThan({
      bench,
      what: `${length}: search, the best 20`,
      against: { name: 'their searchMessages', value: time.theirSearch },
      ours: time.ourSearch,
      ...target(3),
    }),
  ]
}

/** The chain as text, to be passed on: the store's statement with the body unparsed. */
async function rawChain(store: DrizzleContextStore, chat: LoadedChat): Promise<() => Promise<unknown>> {
  const { database, statements } = recording(store.database)
  await new DrizzleContextStore(database).getMessageChain(chat.chatId, chat.headId)
  const [chain] = statements
  if (!chain) throw new Error('The store read nothing')
  const text = chain.text.replace('m.data,', 'm.data::text as data,')
  return () => store.database.query(text, chain.params)
}

async function saving({ env, peer, theirs, store, chat, judged }: Pair): Promise<Result[]> {
  const { chatId, branchId, length } = chat
  const theirEngine = new peer.ContextEngine({ store: theirs, chatId, userId: BENCH_USER })
  const ourEngine = new ContextEngine({ store, chatId, userId: BENCH_USER, branch: branchId })
  const stock = (prefix: string): (() => Turn) => {
    const make = turnMaker(`${prefix}-${length}`)
    const turns = Array.from({ length: env.effort.writes.rounds + 50 }, make)
    return () => turns.pop() ?? make()
  }
  const [nextTheirs, nextOurs] = [stock('theirs'), stock('ours')]
  const time = await alternate(
    {
      theirs: () => {
        const [question, reply] = nextTheirs()
        return theirEngine
          .set(peer.user(question.data as object), peer.assistant(reply.data as object))
          .save()
      },
      ours: () => ourEngine.set(...nextOurs().map(({ data }) => message(data as UIMessage))).save(),
    },
    env.effort.writes,
  )
  const against = { name: '@deepagents/context', value: time.theirs }
  const target = judged ? { target: atLeast(3) } : {}
  return [fasterThan({ bench, what: `${length}: save one turn`, against, ours: time.ours, ...target })]
}

async function rewinding(pair: Pair, label: string, limit: number | undefined): Promise<Result> {
  const { env, peer, theirs, store, chat } = pair
  const { chatId, length } = chat
  const middle = idAt(chatId, Math.floor(length / 2))
  const time = await alternate(
    {
      theirs: () =>
        new peer.ContextEngine({ store: theirs, chatId, userId: BENCH_USER }).rewind(peerId(middle)),
      ours: () => new ContextEngine({ store, chatId, userId: BENCH_USER }).rewind(middle),
    },
    // every round adds a branch on both sides, and theirs takes seconds
    { rounds: env.quick ? 3 : 7, warmup: 1, budget: 30_000 },
  )
  return fasterThan({
    bench,
    what: `${length}: rewind to the middle, ${label}`,
    against: { name: '@deepagents/context', value: time.theirs },
    ours: time.ours,
    ...(limit === undefined ? {} : { target: atLeast(limit) }),
  })
}

/** Two hundred branches at the head, on both sides. */
async function manyBranches({ store, chat }: Pair): Promise<void> {
  const { chatId, headId } = chat
  for (let n = 0; n < MANY; n++) {
    const id = `many-${n}`
    await store.commit({
      chatId,
      at: Date.now(),
      steps: [
        {
          kind: 'open-branch',
          branchId: `${chatId}-${id}`,
          name: id,
          after: 'main',
          at: headId,
          fork: { messageId: headId },
          activate: false,
        },
      ],
    })
  }
  await store.database.query(
    `insert into ${PEER_SCHEMA}.branches (id, chatid, name, headmessageid, isactive, createdat)
    select $1 || '-many-' || n, $1, 'many-' || n, $2, false, n from generate_series(1, $3::int) n`,
    [chatId, peerId(headId), MANY],
  )
}
