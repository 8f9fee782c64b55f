import { randomUUID } from 'node:crypto'
import {
  deleteSession,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  InMemorySessionStore,
  listSessions,
  renameSession,
  type SessionKey,
  type SessionStoreEntry,
} from '@anthropic-ai/claude-agent-sdk'
import { type ContextStore, InMemoryContextStore } from '@ramify/context'
import { DrizzleContextStore } from '@ramify/context-postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RamifySessionStore } from './ramify-session-store'

const dir = '/projects/trip'
const sessionId = randomUUID()
const [q1, a1, q2, a2] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]

const said = (type: 'user' | 'assistant', uuid: string, parentUuid: string | null, content: string) => ({
  ...{ type, uuid, parentUuid, sessionId, cwd: dir, isSidechain: false },
  timestamp: '2026-11-27T12:00:00.000Z',
  message: { role: type, content: type === 'user' ? content : [{ type: 'text', text: content }] },
})

/** The SDK's own store has the same contract: it is the model that ours is held against. */
const stores: [string, () => Promise<{ store: ContextStore; close(): Promise<void> }>][] = [
  ['in memory', async () => ({ store: new InMemoryContextStore(), close: async () => undefined })],
  [
    'on PGlite',
    async () => {
      const store = await DrizzleContextStore.open({ dataDir: 'memory://' })
      return { store, close: () => store.close() }
    },
  ],
]

describe.each(stores)('RamifySessionStore %s', (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>
  let users = 0
  beforeAll(async () => {
    opened = await open()
  }, 240_000)
  afterAll(() => opened.close())
  const sessionStore = () => new RamifySessionStore(opened.store, `user-${users++}`)

  test('given a session of the SDK, when it is listed, read, renamed, forked and deleted, then the SDK finds its own', async () => {
    const store = sessionStore()
    const options = { dir, sessionStore: store }
    // the key of the folder is the SDK's own
    const keys: SessionKey[] = []
    const watched = {
      load: async (key: SessionKey) => {
        keys.push(key)
        return null
      },
      append: async () => undefined,
    }
    await getSessionMessages(sessionId, { dir, sessionStore: watched })
    const [key] = keys
    if (!key) throw new Error('The SDK has not asked')

    await store.append(key, [
      said('user', q1, null, 'Where to in May?'),
      said('assistant', a1, q1, 'Lisbon.'),
    ])
    const messages = await getSessionMessages(sessionId, options)
    expect(messages.map(({ uuid }) => uuid)).toEqual([q1, a1])
    expect(await listSessions(options)).toMatchObject([{ sessionId, firstPrompt: 'Where to in May?' }])

    await renameSession(sessionId, 'May', options)
    expect(await getSessionInfo(sessionId, options)).toMatchObject({ customTitle: 'May' })
    const { sessionId: forked } = await forkSession(sessionId, options)
    expect(await getSessionMessages(forked, options)).toHaveLength(2)
    await deleteSession(sessionId, options)
    expect((await listSessions(options)).map((session) => session.sessionId)).toEqual([forked])
  })

  test('given a transcript that goes on from an earlier message, then it is read back as it was written, and is a graph', async () => {
    const store = sessionStore()
    const key = { projectKey: 'trip', sessionId }
    const before: SessionStoreEntry[] = [
      said('user', q1, null, 'Where to in May?'),
      said('assistant', a1, q1, 'Lisbon.'),
      { type: 'tag', tag: 'travel', sessionId },
      said('user', q2, a1, 'And then?\0'),
    ]
    const again = said('user', a2, a1, 'Somewhere colder.')
    await store.append(key, before)
    await store.append(key, [again, ...before.slice(0, 1)])
    expect(await store.load(key)).toEqual([...before, again])

    const chats = await opened.store.listChats({
      metadata: { key: 'session', value: JSON.stringify(['trip', sessionId]) },
    })
    const [chat] = chats
    const { branches } = await opened.store.getGraph(chat?.id ?? '')
    expect(branches.map(({ headMessageId }) => headMessageId)).toEqual([q2, a2])
    expect(await opened.store.getMessageChain(chat?.id ?? '', a2)).toHaveLength(3)
  })

  test('given the same calls, then it answers as the store of the SDK does', async () => {
    const ours = sessionStore()
    const theirs = new InMemorySessionStore()
    const main = { projectKey: 'P', sessionId: 's1' }
    const agent = { ...main, subpath: 'subagents/agent-1' }
    const other = { projectKey: 'P', sessionId: 's2' }
    const elsewhere = { projectKey: 'Q', sessionId: 's1' }
    const keys = [main, agent, other, elsewhere]
    const same = async () => {
      for (const key of keys) {
        expect(await ours.load(key)).toEqual(await theirs.load(key))
        expect((await ours.listSubkeys(key)).sort()).toEqual((await theirs.listSubkeys(key)).sort())
      }
      for (const project of ['P', 'Q', 'never seen']) {
        const ids = (sessions: { sessionId: string }[]) => sessions.map((session) => session.sessionId).sort()
        expect(ids(await ours.listSessions(project))).toEqual(ids(await theirs.listSessions(project)))
        const [summaries, expected] = await Promise.all([
          ours.listSessionSummaries(project),
          theirs.listSessionSummaries(project),
        ])
        const data = (all: typeof summaries) => new Map(all.map((one) => [one.sessionId, one.data]))
        expect(data(summaries)).toEqual(data(expected))
      }
    }
    const both = async (act: (store: RamifySessionStore | InMemorySessionStore) => Promise<void>) => {
      await act(ours)
      await act(theirs)
      await same()
    }

    await same()
    // the SDK's own store makes an empty session of it
    await ours.append(main, [])
    expect(await ours.load(main)).toBeNull()
    for (const key of keys) {
      await both((store) => store.append(key, [{ type: 'mode', mode: 'plan' }, said('user', q1, null, 'Hi')]))
      await both((store) =>
        store.append(key, [said('assistant', a1, q1, 'Hello.'), { type: 'mode', mode: 'plan' }]),
      )
    }
    await both((store) => store.delete(agent))
    await both((store) => store.append(agent, [said('user', q1, null, 'Hi')]))
    await both((store) => store.delete(main))
    await both((store) => store.delete({ projectKey: 'P', sessionId: 'never' }))
  })
})
