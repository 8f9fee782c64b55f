import { expect, it } from 'vitest'
import { type Change, MessageExistsError } from '@/lib/context'
import { InMemoryContextStore } from '@/lib/context/store'
import { type AgentPorts, type BegunCall, beginCall } from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { AgentPlace, AgentReply } from '@/lib/gateway/agent-call'
import { assistant, callOf, drawChat, drawn, replyOf, user } from '@/testing/worlds/agent-world'

/** A person, and calls of theirs that are told their place, and stored when they are let. */
async function world() {
  const store = Object.assign(new InMemoryContextStore(), { spend: async () => undefined })
  const ports = { store, clock: Date.now, newId, logError: () => undefined } as unknown as AgentPorts
  const ownerId = newId()
  const call = (...messages: Parameters<typeof callOf>[0]) => {
    const placed = Promise.withResolvers<AgentPlace>()
    const stored = Promise.withResolvers<AgentReply | undefined>()
    const begun = beginCall(ports, {
      ownerId,
      call: callOf(messages),
      placed: (place) => {
        placed.resolve(place)
        return stored.promise
      },
    })
    return { begun, placed: placed.promise, store: (reply?: AgentReply) => stored.resolve(reply) }
  }
  /** the changes so far */
  const changes: Change[] = []
  const commit = store.commit.bind(store)
  store.commit = async (change) => {
    changes.push(change)
    return commit(change)
  }
  return { store, call, changes }
}

const end = async (begun: Promise<BegunCall>, words: string) => (await begun).end(replyOf(words))
const [hello, hi, more] = [user('Hello'), assistant('Hi.'), user('Go on')]

it('given a call that is not stored yet, then its place is told, and it is where it will be', async () => {
  const { store, call } = await world()
  const first = call(hello)
  const place = await first.placed
  expect(await store.listChats()).toEqual([])
  first.store()
  expect((await first.begun).place).toEqual(place)
  expect(await end(first.begun, 'Hi.')).toEqual(place)
})

it.each([
  ['goes on from it', [hello, hi, more]],
  ['is the same', [hello]],
])(
  'given another call that %s, before it is stored, then that one waits, and both are one chat',
  async (_, messages) => {
    const { store, call } = await world()
    const first = call(hello)
    const { chatId } = await first.placed
    const second = call(...messages)
    second.store()
    const later = new Promise<void>((resolve) => setImmediate(resolve))
    expect(await Promise.race([second.begun, second.placed, later])).toBeUndefined()
    first.store()
    await end(first.begun, 'Hi.')
    expect((await second.begun).place.chatId).toBe(chatId)
    expect(await store.listChats()).toHaveLength(1)
  },
)

it('given two calls that go on from one message, before either is stored, then each has a branch of its own, as it was told', async () => {
  const { store, call } = await world()
  const first = call(hello)
  first.store()
  const { chatId } = await end(first.begun, 'Hi.')
  const one = call(hello, hi, user('one'))
  const other = call(hello, hi, user('other'))
  await one.placed
  one.store()
  other.store()
  const told = await Promise.all([one.placed, other.placed])
  expect(told.map(({ chatId: id }) => id)).toEqual([chatId, chatId])
  expect([await end(one.begun, '1'), await end(other.begun, '2')]).toEqual(told)
  expect(told[0]?.branchId).not.toBe(told[1]?.branchId)
  expect(await drawChat({ store }, chatId)).toContain('other')
})

it('given a database that is away when the place is told, then the call is stored when it is back', async () => {
  const { store, call } = await world()
  const first = call(hello)
  await first.placed
  const commit = store.commit.bind(store)
  let isAway = true
  store.commit = async (change) => {
    if (isAway) {
      isAway = false
      throw new Error('away')
    }
    return commit(change)
  }
  first.store()
  await first.begun
  expect(await store.listChats()).toHaveLength(1)
})

it('given a reply that is there when its call is stored, then both are one change, and the next call goes on from it', async () => {
  const { store, call, changes } = await world()
  const first = call(hello)
  const place = await first.placed
  const reply = replyOf('Hi.')
  first.store(reply)
  expect(await (await first.begun).end(reply)).toEqual(place)
  expect(changes).toHaveLength(1)
  expect((await store.getMessage(place.chatId, place.messageId))?.name).toBe('assistant')
  const second = call(hello, hi, more)
  const further = replyOf('On.', { responseId: 'r2' })
  second.store(further)
  expect(await (await second.begun).end(further)).toMatchObject({
    chatId: place.chatId,
    branchId: place.branchId,
  })
  expect(changes).toHaveLength(2)
  expect(await drawChat({ store }, place.chatId)).toBe(
    drawn(`
      user: Hello
        assistant: Hi.
          user: Go on
            assistant: On. *`),
  )
})

it('given a reply that is there, and a database that refuses the change of both, then each is stored all the same', async () => {
  const { store, call } = await world()
  const first = call(hello)
  const place = await first.placed
  const commit = store.commit.bind(store)
  let refuses = true
  store.commit = async (change) => {
    if (refuses) {
      refuses = false
      throw new MessageExistsError('taken')
    }
    return commit(change)
  }
  const reply = replyOf('Hi.')
  first.store(reply)
  expect(await (await first.begun).end(reply)).toEqual(place)
  expect(await drawChat({ store }, place.chatId)).toBe('user: Hello\n  assistant: Hi. *')
})

it('given a reply with other choices, or that says nothing, then it is stored as ever', async () => {
  const { store, call } = await world()
  const first = call(hello)
  const { chatId } = await first.placed
  const reply = replyOf('Hi.', { others: [replyOf('Hello!')] })
  first.store(reply)
  await (await first.begun).end(reply)
  const second = call(user('Other'))
  const empty = await second.placed
  second.store(replyOf(''))
  await (await second.begun).end(replyOf(''))
  expect(await drawChat({ store }, chatId)).toBe('user: Hello\n  assistant: Hello! *\n  assistant: Hi. *')
  expect(await drawChat({ store }, empty.chatId)).toBe('user: Other *')
})
