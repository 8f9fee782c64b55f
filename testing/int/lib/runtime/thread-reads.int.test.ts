// What the reads say of threads, their forks and their replies; no worker runs here.

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EventPage } from '@/lib/context'
import {
  createThread,
  forkThread,
  listForks,
  listThreads,
  readThreadEvents,
  readThreadMessages,
  takeOverRuns,
} from '@/lib/conversations'
import { contextFor } from '@/lib/conversations/turns/context-value'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime/services'
import { checkDatabase } from '@/lib/store'
import { adaThreads } from '@/testing/worlds/ada-threads'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { MODEL, openTurnWorld, type TurnWorld } from '@/testing/worlds/turn-world'

onOneDatabase('reads of threads', ({ name }) => {
  let world: TurnWorld
  let services: Services
  let ada: ReturnType<typeof adaThreads>

  beforeAll(async () => {
    world = await openTurnWorld(name)
    services = await world.process({ RAMIFY_DEFAULT_MODEL: MODEL })
    ada = adaThreads(services)
  })
  afterAll(() => world?.close())

  it('given a fork between a message and its reply, then it ends on the message and gets no reply until the next message', async () => {
    const { thread_id } = await ada.create()
    await ada.talk(thread_id, 'Question')
    const forked = await ada.fork(thread_id, 2)
    expect(forked).toMatchObject({ parent_thread_id: thread_id, from_event_number: 2, event_number: 4 })
    expect(forked.thread_id).toMatch(/^branch-/)

    expect((await takeOverRuns(services.ports)).taken).toBe(0)
    const [question] = await ada.messages(forked.thread_id)
    expect(await ada.messages(forked.thread_id)).toHaveLength(1)
    expect(await ada.head(forked.thread_id)).toMatchObject({
      ...{ headMessageId: question?.messageId, eventNumber: 4, status: 'idle', role: 'user' },
    })
  })

  it('given a reply that fails, stops halfway or never comes, then the head says so', async () => {
    const failing = await ada.create()
    world.answer = () => ({ error: { status: 401, message: 'No.' } })
    await ada.talk(failing.thread_id, 'Anybody?')
    expect(await ada.head(failing.thread_id)).toMatchObject({ status: 'failed', role: 'user' })
    // what happened there is none of a fork's business
    const { thread_id: forked } = await ada.fork(failing.thread_id, 2)
    expect(await ada.head(forked)).toMatchObject({ status: 'idle', role: 'user' })

    const broken = await ada.create()
    world.answer = () => ({ text: 'one two three four', cutAfter: 2 })
    await ada.talk(broken.thread_id, 'Go on')
    expect(await ada.head(broken.thread_id)).toMatchObject({
      status: 'failed',
      role: 'assistant',
      partial: 'failed',
    })
    expect((await ada.events(broken.thread_id)).map(({ type }) => type)).toEqual([
      'ThreadCreated',
      'UserMessageAdded',
      'LLMResponseGenerated',
      'CheckpointCreated',
      'ReplyFailed',
    ])
    world.answer = () => 'Noted.'
    await ada.talk(failing.thread_id, 'And now?')
    expect(await ada.head(failing.thread_id)).toMatchObject({ status: 'idle' })
  })

  it('given a thread whose model is gone, when a message is sent, then the model of this server answers', async () => {
    const context = contextFor('openai:gone', null)
    const [chatId, threadId] = [newId(), newId()]
    await services.ports.commands.createThread({
      ...{ ownerId: 'ada', threadId },
      change: {
        ...{ chatId, at: Date.now(), contexts: [context], steps: [] },
        create: { userId: 'ada', branchId: threadId, contextId: context.id },
      },
    })
    await ada.talk(threadId, 'Hello')
    const generated = (await ada.events(threadId)).find(({ type }) => type === 'LLMResponseGenerated')
    expect(generated?.payload).toMatchObject({ status: 'completed', model: 'openai-compatible:scripted' })
  })

  it('given a thread whose context was changed on the way, when it is forked, then the fork has the context of that event', async () => {
    const { thread_id, chat_id } = await ada.create()
    await ada.talk(thread_id, 'First')
    const [first, second] = [contextFor(MODEL, null), contextFor('demo:demo', null)]
    const [at] = (await ada.messages(thread_id)).slice(-1)
    await services.ports.store.commit({
      chatId: chat_id,
      at: Date.now(),
      contexts: [second],
      steps: [
        {
          kind: 'append',
          branchId: thread_id,
          expectedHead: at?.messageId ?? null,
          contextId: second.id,
          messages: [{ id: newId(), name: 'user', data: 'Next', preview: 'Next', createdAt: Date.now() }],
        },
      ],
    })
    // 1 ThreadCreated, 2 to 4 the turn, 5 ContextChanged, 6 the message
    const contexts = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async (number) => {
        const forked = await ada.fork(thread_id, number)
        const branch = await services.ports.store.getBranch(chat_id, forked.thread_id)
        return branch?.contextId
      }),
    )
    expect(contexts).toEqual([first.id, first.id, first.id, first.id, second.id, second.id])
  })

  it('given more threads than a page holds, when they are listed page by page, then each comes once, newest first', async () => {
    const owner = newId()
    await services.database.orm
      .insert(schema.user)
      .values({ id: owner, name: owner, email: `${owner}@example.org` })
    const made = []
    for (let i = 0; i < 7; i++)
      made.push(await createThread(services.ports, { ownerId: owner, title: `No ${i}` }))
    const source = made[3]
    if (!source) throw new Error('No thread')
    const forks = []
    for (let i = 0; i < 3; i++) {
      forks.push(
        await forkThread(services.ports, {
          ownerId: owner,
          sourceThreadId: source.thread_id,
          eventNumber: 1,
        }),
      )
    }
    const pagesOf = async (list: (before?: string) => ReturnType<typeof listThreads>) => {
      const seen = []
      for (let before: string | undefined; ; ) {
        const { threads, next } = await list(before)
        seen.push(...threads)
        if (next === null) return seen
        before = next
      }
    }

    const listed = await pagesOf((before) =>
      listThreads(services.ports, { ownerId: owner, before, limit: 4 }),
    )
    expect(listed.map(({ threadId }) => threadId)).toEqual(
      [...made, ...forks].map(({ thread_id }) => thread_id).reverse(),
    )
    expect(listed[0]).toMatchObject({ parentThreadId: source.thread_id, fromEventNumber: 1, title: 'No 3' })
    expect(listed.at(-1)).toMatchObject({ parentThreadId: null, fromEventNumber: null, headMessageId: null })
    const children = await pagesOf((before) =>
      listForks(services.ports, { ownerId: owner, threadId: source.thread_id, before, limit: 2 }),
    )
    expect(children.map(({ threadId }) => threadId)).toEqual(
      forks.map(({ thread_id }) => thread_id).reverse(),
    )
  })

  it('given messages and events in pages, then nothing is missing between them', async () => {
    const { thread_id } = await ada.create()
    await ada.talk(thread_id, 'One', 'Two', 'Three')
    const { thread_id: forked } = await ada.fork(thread_id, 6)
    await ada.talk(forked, 'Four')
    for (const limit of [1, 2, 3, 7]) {
      const seen = []
      for (let after: number | null = 0; after !== null; ) {
        const page = await readThreadEvents(services.ports, {
          ownerId: 'ada',
          threadId: forked,
          after,
          limit,
        })
        seen.push(...page.events.map(({ eventNumber }) => eventNumber))
        after = page.next
      }
      expect(seen).toEqual(Array.from({ length: 11 }, (_, i) => i + 1))
      const said = []
      for (let after: number | null = 0; after !== null; ) {
        const page = await readThreadMessages(services.ports, {
          ownerId: 'ada',
          threadId: forked,
          after,
          limit,
        })
        said.push(...page.messages.map(({ eventNumber }) => eventNumber))
        after = page.next
      }
      expect(said).toEqual([2, 3, 5, 6, 9, 10])
    }
    // no more is read than was asked for
    const page = await services.ports.threads.messages(forked, 'ada', { after: 2, limit: 2, bytes: 1e6 })
    expect(page?.found.map(({ eventNumber }) => eventNumber)).toEqual([3, 5])
    expect(page?.next).toBe(5)
  })

  it('given long messages, then a page ends with the one that makes it too long, and nothing is missing between pages', async () => {
    const { thread_id } = await ada.create()
    await ada.talk(thread_id, 'é'.repeat(3000), 'short', 'ж'.repeat(3000), 'end')
    const pages = async (
      read: (after: number) => Promise<EventPage<{ eventNumber: number }> | undefined>,
    ) => {
      const all: number[][] = []
      for (let after: number | null = 0; after !== null; ) {
        const page: EventPage<{ eventNumber: number }> | undefined = await read(after)
        all.push(page?.found.map(({ eventNumber }) => eventNumber) ?? [])
        after = page?.next ?? null
      }
      return all
    }
    const { threads } = services.ports
    const limits = { limit: 100, bytes: 5000 }
    // 1 ThreadCreated, then of each turn the message, the reply and its checkpoint
    expect(await pages((after) => threads.messages(thread_id, 'ada', { after, ...limits }))).toEqual([
      [2],
      [3, 5, 6, 8],
      [9, 11, 12],
    ])
    expect(await pages((after) => threads.events(thread_id, 'ada', { after, ...limits }))).toEqual([
      [1, 2],
      [3, 4, 5, 6, 7, 8],
      [9, 10, 11, 12, 13],
    ])
  })

  it('leaves a database in which every invariant holds', async () => {
    expect(await checkDatabase(services.database)).toEqual([])
  })
})
