// What the reads say of threads, their forks and their replies; no worker runs here.

import { afterAll, expect, it } from 'vitest'
import {
  createThread,
  forkThread,
  listForks,
  listThreads,
  readThreadEvents,
  readThreadMessages,
} from '@/lib/conversations'
import { contextFor } from '@/lib/conversations/turns/context-value'
import { newId } from '@/lib/events'
import { adaThreads } from '@/testing/worlds/ada-threads'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { addPerson, givenWorld, isSound, MODEL } from '@/testing/worlds/turn-world'

type Listed = Awaited<ReturnType<typeof listThreads>>['threads'][number]

/** Every page of a list, from the first to the last. */
async function paged<T, At>(
  first: At,
  read: (at: At) => Promise<{ found: T[]; next: At | null } | undefined>,
): Promise<T[][]> {
  const pages: T[][] = []
  for (let at: At | null = first; at !== null; ) {
    const page: { found: T[]; next: At | null } | undefined = await read(at)
    pages.push(page?.found ?? [])
    at = page?.next ?? null
  }
  return pages
}

/** The numbers of the events on every page. */
const numbers = async (
  read: (after: number) => Promise<{ found: { eventNumber: number }[]; next: number | null } | undefined>,
) => (await paged(0, read)).map((page) => page.map(({ eventNumber }) => eventNumber))

onOneDatabase('reads of threads', ({ name }) => {
  const { world, services } = givenWorld(name, { RAMIFY_DEFAULT_MODEL: MODEL })

  const ada = adaThreads(services)
  afterAll(() => isSound(services))

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
    const partial = { status: 'failed', role: 'assistant', partial: 'failed' }
    expect(await ada.head(broken.thread_id)).toMatchObject(partial)
    expect((await ada.events(broken.thread_id)).map(({ type }) => type)).toEqual([
      ...['ThreadCreated', 'UserMessageAdded', 'LLMResponseGenerated', 'CheckpointCreated', 'ReplyFailed'],
    ])
    world.answer = () => 'Noted.'
    await ada.talk(failing.thread_id, 'And now?')
    expect(await ada.head(failing.thread_id)).toMatchObject({ status: 'idle' })
  })

  it('given a thread whose model is gone, when a message is sent, then it is refused and no other model answers', async () => {
    const context = contextFor('openai:gone', null)
    const [chatId, threadId] = [newId(), newId()]
    await services.ports.commands.createThread({
      ownerId: 'ada',
      threadId,
      change: {
        chatId,
        at: Date.now(),
        contexts: [context],
        steps: [],
        create: { userId: 'ada', branchId: threadId, contextId: context.id },
      },
    })
    await expect(ada.talk(threadId, 'Hello')).rejects.toThrow(/"openai:gone".* is not available/)
    expect((await ada.events(threadId)).map(({ type }) => type)).toEqual(['ThreadCreated'])
  })

  it('given more threads than a page holds, when they are listed page by page, then each comes once, newest first', async () => {
    const owner = await addPerson(services)
    const made = []
    for (let i = 0; i < 7; i++)
      made.push(await createThread(services.ports, { ownerId: owner, title: `No ${i}` }))
    const sourceThreadId = made[3]?.thread_id ?? ''
    const forks = []
    for (let i = 0; i < 3; i++)
      forks.push(await forkThread(services.ports, { ownerId: owner, sourceThreadId, eventNumber: 1 }))
    const newestFirst = (threads: { thread_id: string }[]) =>
      threads.map(({ thread_id }) => thread_id).reverse()

    const listed = await paged<Listed, string | undefined>(undefined, async (before) => {
      const { threads: found, next } = await listThreads(services.ports, { ownerId: owner, before, limit: 4 })
      return { found, next }
    })
    expect(listed.map((pages) => pages.length)).toEqual([4, 4, 2])
    const all = listed.flat()
    expect(all.map(({ threadId }) => threadId)).toEqual(newestFirst([...made, ...forks]))
    expect(all[0]).toMatchObject({ parentThreadId: sourceThreadId, fromEventNumber: 1, title: 'No 3' })
    expect(all.at(-1)).toMatchObject({ parentThreadId: null, fromEventNumber: null, headMessageId: null })
    const children = await paged<Listed, string | undefined>(undefined, async (before) => {
      const asked = { ownerId: owner, threadId: sourceThreadId, before, limit: 2 }
      const { threads: found, next } = await listForks(services.ports, asked)
      return { found, next }
    })
    expect(children.flat().map(({ threadId }) => threadId)).toEqual(newestFirst(forks))
  })

  it('given messages and events in pages, then nothing is missing between them', async () => {
    const { thread_id } = await ada.create()
    await ada.talk(thread_id, 'One', 'Two', 'Three')
    const { thread_id: threadId } = await ada.fork(thread_id, 6)
    await ada.talk(threadId, 'Four')
    for (const limit of [1, 2, 3, 7]) {
      const asked = { ownerId: 'ada', threadId, limit }
      const events = await numbers(async (after) => {
        const { events: found, next } = await readThreadEvents(services.ports, { ...asked, after })
        return { found, next }
      })
      expect(events.flat()).toEqual(Array.from({ length: 11 }, (_, i) => i + 1))
      const messages = await numbers(async (after) => {
        const { messages: found, next } = await readThreadMessages(services.ports, { ...asked, after })
        return { found, next }
      })
      expect(messages.flat()).toEqual([2, 3, 5, 6, 9, 10])
    }
    // no more is read than was asked for
    const page = await services.ports.threads.messages(threadId, 'ada', { after: 2, limit: 2, bytes: 1e6 })
    expect(page?.found.map(({ eventNumber }) => eventNumber)).toEqual([3, 5])
    expect(page?.next).toBe(5)
  })

  it('given long messages, then a page ends with the one that makes it too long, and nothing is missing between pages', async () => {
    const { thread_id } = await ada.create()
    await ada.talk(thread_id, 'é'.repeat(3000), 'short', 'ж'.repeat(3000), 'end')
    const { threads } = services.ports
    const limits = { limit: 100, bytes: 5000 }
    // 1 ThreadCreated, then of each turn the message, the reply and its checkpoint
    expect(await numbers((after) => threads.messages(thread_id, 'ada', { after, ...limits }))).toEqual([
      [2],
      [3, 5, 6, 8],
      [9, 11, 12],
    ])
    expect(await numbers((after) => threads.events(thread_id, 'ada', { after, ...limits }))).toEqual([
      [1, 2],
      [3, 4, 5, 6, 7, 8],
      [9, 10, 11, 12, 13],
    ])
  })
})
