// What the commands write, and what they refuse; no worker runs here.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { ExpectedVersionError, IdempotencyMismatchError, ReplyInProgressError } from '@/lib/context'
import { createThread, InvalidRequestError, listForks, listThreads } from '@/lib/conversations'
import { adaThreads, commandKey, rowCounts } from '@/testing/worlds/ada-threads'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { addPerson, givenWorld, isSound, MODEL } from '@/testing/worlds/turn-world'

onOneDatabase('commands on threads', ({ name }) => {
  const { world, services } = givenWorld(name, { RAMIFY_DEFAULT_MODEL: MODEL })

  const ada = adaThreads(services)
  beforeAll(() => addPerson(services, 'bob'))
  afterAll(() => isSound(services))

  it('given a thread, when a message is sent, then it is stored with its events and its reply is queued, and written by the worker that takes it', async () => {
    world.answer = () => 'Hello Ada.'
    const { chat_id, thread_id, event_number } = await ada.create('A trip')
    expect(event_number).toBe(1)
    expect(await ada.head(thread_id)).toMatchObject({ headMessageId: null, eventNumber: 1, status: 'idle' })

    const sent = await ada.send(thread_id, 'Hello')

    expect(sent).toEqual({ thread_id, message_id: expect.any(String), event_number: 2 })
    expect(await ada.head(thread_id)).toMatchObject({
      chatId: chat_id,
      headMessageId: sent.message_id,
      eventNumber: 2,
      status: 'running',
    })
    await ada.answer()
    const [question, reply, ...more] = await ada.messages(thread_id)
    expect(more).toEqual([])
    expect(question).toMatchObject({ eventNumber: 2, role: 'user', content: 'Hello', parentId: null })
    expect(reply).toMatchObject({ eventNumber: 3, role: 'assistant', content: 'Hello Ada.' })
    expect(reply?.parentId).toBe(question?.messageId)
    const events = await ada.events(thread_id)
    expect(events.map(({ eventNumber, type, content }) => [eventNumber, type, content])).toEqual([
      [1, 'ThreadCreated', undefined],
      [2, 'UserMessageAdded', 'Hello'],
      [3, 'LLMResponseGenerated', 'Hello Ada.'],
      [4, 'CheckpointCreated', undefined],
    ])
    const head = { headMessageId: reply?.messageId, eventNumber: 4, status: 'idle' }
    expect(await ada.head(thread_id)).toMatchObject(head)
  })

  it('given fifty sends under one key at the same time, then there is one message, and fifty equal answers', async () => {
    const { thread_id } = await ada.create()
    const once = commandKey('one')

    const send = () => ada.send(thread_id, 'Only once', { once })
    const answers = await Promise.all(Array.from({ length: 50 }, send))

    expect(new Set(answers.map((given) => JSON.stringify(given))).size).toBe(1)
    expect(await ada.messages(thread_id)).toHaveLength(1)
    // and long after, when the thread has gone on
    await ada.answer()
    expect(await send()).toEqual(answers[0])
    expect(await ada.messages(thread_id)).toHaveLength(2)
  })

  it('given a key that was used, when another command or another person comes with it, then the one is refused and the other is not', async () => {
    const { thread_id } = await ada.create()
    const once = commandKey('one')
    await ada.send(thread_id, 'Once', { once })
    const before = await rowCounts(services)

    const otherWords = ada.send(thread_id, 'Twice', { once: { ...once, bodyHash: 'other' } })
    await expect(otherWords).rejects.toThrow(IdempotencyMismatchError)
    const otherCommand = ada.fork(thread_id, 1, { ...once, route: 'fork-thread' })
    await expect(otherCommand).rejects.toThrow(IdempotencyMismatchError)
    expect(await rowCounts(services)).toEqual(before)
    const made = await createThread(services.ports, { ownerId: 'bob', once })
    expect(made.thread_id).not.toBe(thread_id)
    await ada.answer()
  })

  it('given an answer that has been forgotten for its age, when its key comes again, then the command is run', async () => {
    const once = { ...commandKey('made'), route: 'create-thread' }
    const first = await ada.create('Forgotten', once)
    expect(await ada.create('Forgotten', once)).toEqual(first)
    expect(await services.ports.commands.forgetAnswers(60_000)).toBe(0)
    const age = "update idempotency set created_at = created_at - interval '1 day' where key = $1"
    await services.database.query(age, [once.key])
    expect(await services.ports.commands.forgetAnswers(3_600_000)).toBe(1)
    expect(await ada.create('Forgotten', once)).not.toEqual(first)
  })

  it('given twenty writers who expect the same version, then one is accepted, and the rest are refused and write nothing', async () => {
    const { thread_id } = await ada.create()
    await ada.talk(thread_id, 'Start')

    const write = (_: unknown, i: number) => ada.send(thread_id, `Writer ${i}`, { expectedVersion: 4 })
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, write))

    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused).toHaveLength(19)
    for (const error of refused) expect(error).toBeInstanceOf(ExpectedVersionError)
    expect(refused[0]).toMatchObject({ actual: 5, expected: 4 })
    expect(await ada.messages(thread_id)).toHaveLength(3)
    await ada.answer()
  })

  it('given threads and events that are not there, or not hers, or a message of nothing, then each is refused and nothing is written', async () => {
    const { thread_id, chat_id } = await ada.create()
    await ada.talk(thread_id, 'Mine')
    const bobs = await createThread(services.ports, { ownerId: 'bob' })
    const before = await rowCounts(services)

    for (const threadId of ['nowhere', bobs.thread_id, chat_id, '\0', '\ud800', '']) {
      const asked = { ownerId: 'ada', threadId, limit: 5 }
      const outcomes = await Promise.allSettled([
        ...[ada.send(threadId, 'Hello'), ada.fork(threadId, 1), ada.messages(threadId)],
        ...[ada.events(threadId), ada.head(threadId), listForks(services.ports, asked)],
        listThreads(services.ports, { ...asked, before: threadId }),
      ])
      const missing = { status: 'rejected', reason: { what: 'thread', name: 'NotFoundError' } }
      for (const outcome of outcomes) expect(outcome, threadId).toMatchObject(missing)
    }
    for (const number of [5, 0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      await expect(ada.fork(thread_id, number), `${number}`).rejects.toMatchObject({ what: 'event' })
    }
    const far = ada.send(thread_id, 'x', { expectedVersion: Number.MAX_SAFE_INTEGER })
    await expect(far).rejects.toThrow(ExpectedVersionError)
    await expect(ada.send(thread_id, ' \n ')).rejects.toThrow(InvalidRequestError)
    expect(await rowCounts(services)).toEqual(before)
  })

  it('given a reply under way, when another message is sent, then it is refused, and on a fork it is not; when it comes again under its key, then it is tried anew', async () => {
    const { thread_id } = await ada.create()
    await ada.send(thread_id, 'First')
    const second = { once: commandKey('second') }
    await expect(ada.send(thread_id, 'Second', second)).rejects.toThrow(ReplyInProgressError)
    const { thread_id: forked } = await ada.fork(thread_id, 1)
    await ada.send(forked, 'Elsewhere')
    await ada.answer()
    const said = (await ada.messages(forked)).map(({ content }) => content)
    expect(said).toEqual(['Elsewhere', expect.any(String)])
    expect(await ada.send(thread_id, 'Second', second)).toMatchObject({ event_number: 5 })
    await ada.answer()
  })
})
