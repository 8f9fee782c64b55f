import { Annotation, END, START, StateGraph } from '@langchain/langgraph'
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation'
import { InMemoryContextStore } from '@ramify/context'
import { DrizzleContextStore } from '@ramify/context-postgres'
import { describe, expect, test } from 'vitest'
import { RamifySaver } from './ramify-saver'

const inMemory = {
  checkpointerName: 'RamifySaver in memory',
  createCheckpointer: () => new RamifySaver(new InMemoryContextStore(), 'ada'),
}
validate(inMemory)
deltaChannelHistoryTests(inMemory)

describe('on PGlite', () => {
  let store: DrizzleContextStore
  let users = 0
  validate({
    checkpointerName: 'RamifySaver on PGlite',
    beforeAll: async () => {
      store = await DrizzleContextStore.open({ dataDir: 'memory://' })
    },
    beforeAllTimeout: 240_000,
    afterAll: () => store.close(),
    createCheckpointer: () => new RamifySaver(store, `user-${users++}`),
    // the suite uses the same names of threads again
    destroyCheckpointer: async () => {
      const chats = await store.listChats()
      await Promise.all(chats.map(({ id }) => store.deleteChat(id)))
    },
  })
})

test('given a thread, when it goes on from an earlier checkpoint, then both ways are branches of one graph', async () => {
  const store = new InMemoryContextStore()
  const State = Annotation.Root({
    words: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  })
  const graph = new StateGraph(State)
    .addNode('echo', ({ words }) => ({ words: [`${words.at(-1)}!`] }))
    .addEdge(START, 'echo')
    .addEdge('echo', END)
    .compile({ checkpointer: new RamifySaver(store, 'ada') })
  const thread = { configurable: { thread_id: 'trip' } }

  await graph.invoke({ words: ['Lisbon'] }, thread)
  const { config: afterFirst } = await graph.getState(thread)
  await graph.invoke({ words: ['Ghent'] }, thread)
  const { words } = await graph.invoke({ words: ['Oslo'] }, afterFirst)

  expect(words).toEqual(['Lisbon', 'Lisbon!', 'Oslo', 'Oslo!'])
  const [chat] = await store.listChats({ userId: 'ada' })
  expect(await store.listBranches(chat?.id ?? '')).toHaveLength(2)
})
