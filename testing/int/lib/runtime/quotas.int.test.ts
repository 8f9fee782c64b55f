import { afterAll, beforeEach, expect, it } from 'vitest'
import { estimateTokens, NotFoundError, QuotaExceededError } from '@/lib/context'
import {
  createThread,
  deleteChat,
  fanOut,
  type Ports,
  plantSample,
  sendMessage,
  takeOverRuns,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime/services'
import { openAIErrors } from '@/testing/machines/openai-server'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import {
  type Ask,
  addPerson,
  ask,
  givenProcesses,
  isSound,
  openPage,
  takeTurn,
} from '@/testing/worlds/turn-world'

/** Far away, but counted. */
const LIMITS = {
  RAMIFY_QUOTA_CHATS: '1000',
  RAMIFY_QUOTA_BRANCHES: '8',
  RAMIFY_QUOTA_BYTES: '10000000',
  RAMIFY_QUOTA_MESSAGES: '20',
  RAMIFY_QUOTA_CALLS: '20',
  RAMIFY_QUOTA_TOKENS: '100000',
  RAMIFY_QUOTA_ADDRESS_MESSAGES: '1000',
  RAMIFY_QUOTA_SITE_CALLS: '10000',
}

onServedDatabase('what a person may do in a day', ({ name }) => {
  const { world, here, there } = givenProcesses(name, LIMITS)
  afterAll(() => isSound(here))
  beforeEach(() => {
    world.answer = () => 'Yes.'
  })

  const server = (i = 0): Services => (i % 2 ? there : here)
  const person = () => addPerson(server())
  /** A turn to its end, its words read. */
  const say = (ports: Ports, ownerId: string, turn: Ask) => takeTurn({ ports }, { ...turn, ownerId })
  const first = async <Row>(sql: string, param: string) =>
    (await server().database.query<Row>(sql, [param]))[0]
  const used = (ownerId: string) =>
    first<Record<'messages' | 'calls' | 'tokens' | 'chats', number>>(
      'select messages, calls, tokens::float8 as tokens, chats from quota_person where user_id = $1',
      ownerId,
    )
  const fromAddress = (address: string) =>
    first(
      `select sum(messages)::int as messages, sum(tokens)::float8 as tokens from quota_use where scope = 'address' and key = $1`,
      address,
    )
  /** What the log says that a chat's replies have cost. */
  const toldTokens = async (chatId: string) => {
    const row = await first<{ tokens: number }>(
      `select sum((payload -> 'usage' ->> 'inputTokens')::int + (payload -> 'usage' ->> 'outputTokens')::int)::float8 as tokens
      from events where chat_id = $1 and type = 'LLMResponseGenerated'`,
      chatId,
    )
    return row?.tokens ?? 0
  }
  const setUsed = (ownerId: string, what: 'messages' | 'calls' | 'tokens', count: number) =>
    server().database.query(`update quota_person set ${what} = $2 where user_id = $1`, [ownerId, count])
  const refused = async (write: Promise<unknown>) => {
    const error = await write.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(QuotaExceededError)
    return error as QuotaExceededError
  }

  it('given a send, an edit and another try, on one server each, then all are counted, with the tokens the provider told', async () => {
    const owner = await person()
    const chatId = newId()
    const address = newId()
    const id = newId()
    await say(server(0).portsFor(address), owner, { chatId, text: 'Hello', id })
    await say(server(1).portsFor(address), owner, { chatId, text: 'Hello there', messageId: id })
    await say(server(2).portsFor(address), owner, { chatId, trigger: 'regenerate-message', messageId: id })
    const tokens = await toldTokens(chatId)
    expect(tokens).toBeGreaterThan(0)
    expect(await used(owner)).toEqual({ messages: 2, calls: 3, tokens, chats: 1 })
    expect(await fromAddress(address)).toEqual({ messages: 2, tokens })
    // and the same message again takes nothing
    await say(server(1).portsFor(address), owner, { chatId, text: 'Hello', id })
    expect(await used(owner)).toMatchObject({ messages: 2, calls: 3 })
  })

  it('given two calls left, when a message is fanned out to three, then nothing of it is stored; to two, then both are counted', async () => {
    const owner = await person()
    const chatId = newId()
    const { ports, database } = server(1)
    await say(ports, owner, { chatId, text: 'Hello' })
    await setUsed(owner, 'calls', 18)
    const fan = (count: number) =>
      fanOut(ports, {
        ownerId: owner,
        chatId,
        message: ask({ chatId, text: 'Fan' }).message,
        targets: Array.from({ length: count }, () => ({})),
      })

    expect(await refused(fan(3))).toMatchObject({ limit: 'calls', allowed: 20, used: 18 })
    expect(await used(owner)).toMatchObject({ messages: 1, calls: 18 })
    await (await fan(2)).ended
    expect(await used(owner)).toMatchObject({ messages: 2, calls: 20 })
    // branches are counted for the chat
    await setUsed(owner, 'calls', 0)
    expect(await refused(fan(8))).toMatchObject({ limit: 'branches', allowed: 8, used: 2 })
    expect(await database.query('select 1 from branches where chat_id = $1', [chatId])).toHaveLength(2)
  })

  it('given a reply that breaks off before its usage is told, then its tokens are estimated; given one that is refused, then it has none', async () => {
    const owner = await person()
    world.answer = () => ({ text: 'Yes, of course.', cutAfter: 3 })
    await say(server().ports, owner, { chatId: newId(), text: 'a'.repeat(4000) })
    const estimated = (await used(owner))?.tokens ?? 0
    expect(estimated).toBeGreaterThanOrEqual(1000 + estimateTokens('Yes,'))
    expect(estimated).toBeLessThan(1200)
    world.answer = () => ({ error: openAIErrors.badKey() })
    await say(server().ports, owner, { chatId: newId(), text: 'a'.repeat(4000) })
    expect(await used(owner)).toMatchObject({ tokens: estimated, calls: 2 })
  })

  it('given a provider that tells of no tokens at all, then they are estimated', async () => {
    const owner = await person()
    world.answer = () => ({ text: 'Yes, of course.', usage: { prompt_tokens: 0, completion_tokens: 0 } })
    await say(server().ports, owner, { chatId: newId(), text: 'a'.repeat(4000) })
    expect((await used(owner))?.tokens).toBeGreaterThanOrEqual(1000)
  })

  it('given a provider that tells of more tokens than any model reads, then the reply is stored, and what counts is possible', async () => {
    const owner = await person()
    const chatId = newId()
    world.answer = () => ({ text: 'Yes.', usage: { prompt_tokens: 1e300, completion_tokens: 2.4 } })
    await say(server().ports, owner, { chatId, text: 'Hello' })
    expect(await used(owner)).toMatchObject({ tokens: 10_000_002 })
    expect(await toldTokens(chatId)).toBe(10_000_002)
  })

  it('given a day that is used up, when more is asked for in any way, then it is refused on every server, and nothing is written', async () => {
    const owner = await person()
    const chatId = newId()
    const id = newId()
    await say(server().ports, owner, { chatId, text: 'Hello', id })
    const thread = await createThread(server().ports, { ownerId: owner })
    // it is not Ada's
    await expect(openPage(server(), chatId)).rejects.toThrow(NotFoundError)
    const seq = () => first('select sum(last_seq)::int as seq from chats where user_id = $1', owner)
    const before = await seq()
    for (const what of ['messages', 'calls'] as const) {
      await setUsed(owner, 'messages', 0)
      await setUsed(owner, 'calls', 0)
      await setUsed(owner, what, 20)
      const ways: ((ports: Ports) => Promise<unknown>)[] = [
        (ports) => say(ports, owner, { chatId, text: 'And?' }),
        (ports) => say(ports, owner, { chatId, text: 'Hello there', messageId: id }),
        (ports) => say(ports, owner, { chatId: newId(), text: 'Hello' }),
        (ports) => sendMessage(ports, { ownerId: owner, threadId: thread.thread_id, content: 'Hello' }),
        (ports) =>
          what === 'messages'
            ? plantSample(ports, owner)
            : say(ports, owner, { chatId, trigger: 'regenerate-message', messageId: id }),
      ]
      for (const [i, way] of ways.entries()) {
        const refusal = await refused(way(server(i).ports))
        expect(refusal).toMatchObject({ limit: what, allowed: 20, used: 20, person: owner })
      }
    }
    expect(await seq()).toEqual(before)
  })

  it('given replies that a worker writes once the day is used up, then they are stored and counted, and a chat can be deleted', async () => {
    const owner = await person()
    world.answer = () => 'Late.'
    const { chat_id: chatId, thread_id } = await createThread(server().ports, { ownerId: owner })
    await sendMessage(server().portsFor(newId()), { ownerId: owner, threadId: thread_id, content: 'Hello' })
    await server().database.query(
      'update quota_person set messages = 20, calls = 20, tokens = 100000, bytes = bytes + 10000000 where user_id = $1',
      [owner],
    )
    await (await takeOverRuns(server(1).ports)).ended
    expect((await used(owner))?.tokens).toBeGreaterThan(100_000)
    const said = await server().ports.store.getMessages(chatId)
    expect(said.map((message) => message.name)).toEqual(['user', 'assistant'])
    const remove = () => deleteChat(server().ports, { ownerId: owner, chatId })
    await remove()
    expect(await used(owner)).toMatchObject({ chats: 0 })
    await expect(remove()).rejects.toThrow(NotFoundError)
    await first('update quota_person set bytes = null, chats = null where user_id = $1', owner)
  })
})
