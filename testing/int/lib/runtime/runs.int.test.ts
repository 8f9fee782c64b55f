// A reply that is written by one process and read, stopped or ended by another. On the embedded database, which belongs
// to one process, the other is the same.

import { afterEach, expect, it } from 'vitest'
import { NotFoundError } from '@/lib/context'
import { followReply, stopReply } from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime/services'
import type { ScriptedReply } from '@/testing/machines/openai-server'
import { words } from '@/testing/worlds/follower'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import {
  beginTurn,
  followChat,
  givenProcesses,
  linesOf,
  openPage,
  takeTurn,
} from '@/testing/worlds/turn-world'

onServedDatabase('a reply and another process', ({ name }) => {
  const { world, here, there } = givenProcesses(name)
  let open: PromiseWithResolvers<void>
  afterEach(() => open?.resolve())

  /** The provider holds its breath after `count` chunks of twenty words, until `open` resolves. */
  const holdAt = (count: number, over: Exclude<ScriptedReply, string> = {}) => {
    open = Promise.withResolvers<void>()
    const held = open.promise
    world.answer = () => ({ text: words(20), pace: (sent) => (sent === count ? held : undefined), ...over })
  }
  /** A reply that is held at a word, with a reader where it is written and a late one elsewhere. */
  const heldAt = async (count: number, over: Exclude<ScriptedReply, string> = {}, chatId = newId()) => {
    holdAt(count, over)
    const { follower, ended } = await beginTurn(here, { chatId, text: 'Count' })
    const late = await followChat(there, chatId)
    await Promise.all([follower.untilWords(count), late.untilWords(count)])
    return { chatId, follower, late, ended, ...follower.run }
  }
  const stop = (services: Services, chatId: string, runId: string) =>
    stopReply(services.ports, { ownerId: 'ada', chatId, runId })

  it('given a reply that has ended, when a reader follows it, then there is nothing to follow', async () => {
    const chatId = newId()
    world.answer = () => 'All said.'
    await takeTurn(here, { chatId, text: 'Hello' })
    for (const services of [here, there]) {
      expect(await followReply(services.ports, { ownerId: 'ada', chatId })).toBeUndefined()
      await expect(followReply(services.ports, { ownerId: 'eve', chatId })).rejects.toThrow(NotFoundError)
    }
  })

  it('given a chat that is deleted while its reply is followed, then every reader comes to an end', async () => {
    const { chatId, follower, late, ended } = await heldAt(3)
    // when
    await there.store.deleteChat(chatId)
    await late.rest()
    open.resolve()
    await Promise.all([follower.rest(), ended])
    // then
    expect(await there.store.getChat(chatId)).toBeUndefined()
    const parts = 'select 1 from run_parts where run_id = $1'
    expect(await here.database.query(parts, [late.run.runId])).toEqual([])
  })

  it('given a reply that has thought and said no word, when it is stopped, then what it thought is kept', async () => {
    const chatId = newId()
    holdAt(3, { reasoning: 'Let me think' })
    const { follower, ended } = await beginTurn(here, { chatId, text: 'Count' })
    const thought = () =>
      follower.parts.map((part) => (part.type === 'reasoning-delta' ? part.delta : '')).join('')
    await follower.until(() => thought().trim() === 'Let me think', 'the thought')
    // when
    const { runId, replyId } = follower.run
    const answer = await stop(here, chatId, runId)
    await Promise.all([follower.rest(), ended])
    // then
    expect(answer).toEqual({ status: 'stopped', messageId: replyId })
    const { graph, window } = await openPage(here, chatId)
    const last = window.messages.at(-1)
    expect(last?.metadata?.status).toBe('stopped')
    expect(graph.nodes.find(({ id }) => id === replyId)?.status).toBe('stopped')
    await expect(stopReply(there.ports, { ownerId: 'eve', chatId, runId })).rejects.toThrow(NotFoundError)
    expect(last?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: expect.stringMatching(/^Let me think\s*$/), state: 'done' },
    ])
  })

  it('given a reply at its eighth word, when it is stopped elsewhere and here, then the words that were shown are kept', async () => {
    const { chatId, follower, late, ended, runId, replyId } = await heldAt(8)
    // when two stop it at once, elsewhere and here, and one again
    const answers = await Promise.all([there, there, here].map((services) => stop(services, chatId, runId)))
    answers.push(await stop(here, chatId, runId))
    await Promise.all([follower.rest(), late.rest(), ended])
    // then all are told the same
    expect(answers).toEqual(answers.map(() => ({ status: 'stopped', messageId: replyId })))
    for (const services of [here, there]) {
      expect(await linesOf(services, chatId)).toEqual(['user: Count', `assistant: ${words(8)} [stopped]`])
    }
    for (const reader of [follower, late]) {
      expect(reader.text).toBe(words(8))
      // by the process that wrote it: no other had to take it over
      expect(reader.runs).toHaveLength(1)
      expect(reader.parts.slice(-2).map((part) => part.type)).toEqual(['data-graph', 'abort'])
    }
    // and the chat goes on from there
    world.answer = (request) =>
      `After ${request.messages.filter((m) => m.role !== 'system').length} messages.`
    await takeTurn(there, { chatId, text: 'Go on' })
    expect((await linesOf(here, chatId)).slice(2)).toEqual(['user: Go on', 'assistant: After 3 messages.'])
  })

  it('given a stop for a reply that is over, when a newer one is being written, then the newer one goes on', async () => {
    const chatId = newId()
    world.answer = () => 'The first.'
    const { runId, replyId } = (await takeTurn(here, { chatId, text: 'One' })).run
    const { follower, ended } = await heldAt(2, { text: words(5) }, chatId)
    // when
    for (const services of [here, there]) {
      expect(await stop(services, chatId, runId)).toEqual({ status: 'completed', messageId: replyId })
    }
    open.resolve()
    await Promise.all([follower.rest(), ended])
    // then
    expect((await linesOf(there, chatId)).at(-1)).toBe(`assistant: ${words(5)}`)
  })

  it('given a provider that dies at the eighth word, then every reader has eight, and they are marked as failed', async () => {
    const { chatId, follower, late } = await heldAt(8, { cutAfter: 8 })
    open.resolve()
    await Promise.all([follower.rest(), late.rest()])
    for (const reader of [follower, late]) {
      expect(reader.text).toBe(words(8))
      expect(reader.parts.slice(-2).map((part) => part.type)).toEqual(['data-graph', 'error'])
    }
    expect(await linesOf(there, chatId)).toEqual(['user: Count', `assistant: ${words(8)} [failed]`])
    const { messages } = (await openPage(there, chatId)).window
    expect(messages[1]?.metadata?.error?.message).toMatch(/\w/)
    // and the next message works
    world.answer = () => 'Works again.'
    expect((await takeTurn(there, { chatId, text: 'Go on' })).text).toBe('Works again.')
  })
})
