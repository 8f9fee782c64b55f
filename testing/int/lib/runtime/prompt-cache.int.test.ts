import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { fanOut, parseUserMessage, readChatUsage, readPrompt } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { createServices, type Services } from '@/lib/runtime'
import { type CacheUse, startAnthropicServer } from '@/testing/machines/anthropic-server'
import { databaseEnv, onOneDatabase } from '@/testing/worlds/open-stores'
import { addPerson, followLog, openPage, takeTurn } from '@/testing/worlds/turn-world'

const MODEL = 'anthropic:claude-sonnet-5-5'
const longText = (about: string) => `${about}. ${'A sentence that says something of it. '.repeat(60)}`

onOneDatabase('prompts that the provider keeps', ({ name }) => {
  let services: Services
  let server: Awaited<ReturnType<typeof startAnthropicServer>>
  let answer: () => string | undefined
  let database: Awaited<ReturnType<typeof databaseEnv>>

  beforeAll(async () => {
    database = await databaseEnv(name)
    server = await startAnthropicServer(() => answer())
    services = await createServices({
      ...database.env,
      ANTHROPIC_API_KEY: 'sk-ant-test',
      ANTHROPIC_BASE_URL: server.url,
      RAMIFY_TITLES: 'words',
    })
    await addPerson(services, 'ada')
  })
  beforeEach(() => {
    answer = () => longText('An answer')
  })
  afterAll(async () => {
    await services.database.close()
    await database.remove()
    await server.close()
  })

  const say = (chatId: string, more: object) => takeTurn(services, { chatId, model: MODEL, ...more })
  const last = () => server.uses.at(-1) ?? { read: 0, written: 0, rest: 0, marks: 0 }
  /** A chat of some turns: its messages, the newest last. */
  const chatOf = async (turns: number) => {
    const chatId = newId()
    for (let turn = 0; turn < turns; turn++)
      await say(chatId, { text: longText(`Question ${turn} of ${chatId}`) })
    const { window, branchId } = await openPage(services, chatId)
    return { chatId, branchId, messages: window.messages }
  }

  it('given a chat that goes on, then each turn pays only what is new, with four marks at most', async () => {
    const { chatId } = await chatOf(4)
    await say(chatId, { text: 'And now?' })
    const { read, written, rest, marks } = last()
    expect({ rest, isMostlyRead: read > 3 * written, marks: marks <= 4 }).toEqual({
      rest: 0,
      isMostlyRead: true,
      marks: true,
    })
  })

  it('given any message of a chat, then the second branch there reads its prefix from the cache', async () => {
    const { chatId, messages } = await chatOf(6)
    for (const at of [2, 6, 10]) {
      // both replace the question below the message
      await say(chatId, { messageId: messages[at]?.id, text: 'A first branch' })
      await say(chatId, { messageId: messages[at]?.id, text: 'A second branch' })
      expect(readShare(last())).toBeGreaterThan(0.9)
    }
  })

  it('given two long branches that nobody has asked for a while, then one reads what the other has in common with it', async () => {
    const { chatId, branchId, messages } = await chatOf(4)
    await say(chatId, { messageId: messages[6]?.id, text: 'Another way' })
    const other = (await openPage(services, chatId)).branchId
    for (let turn = 0; turn < 11; turn++) {
      await say(chatId, { branch: branchId, text: 'Shorter' })
      await say(chatId, { branch: other, text: 'Shorter' })
    }
    server.forget()
    await say(chatId, { branch: branchId, text: 'After a break' })
    await say(chatId, { branch: other, text: 'After a break' })
    const shared = messages.slice(0, 6).reduce((sum, { parts }) => sum + JSON.stringify(parts).length, 0)
    expect(last().read).toBeGreaterThan(shared / 2)
  })

  it('given eight replies to one message, then one pays for the prompt', async () => {
    const { chatId } = await chatOf(3)
    const before = server.uses.length
    const message = parseUserMessage({ id: newId(), role: 'user', parts: [{ type: 'text', text: 'Eight?' }] })
    const targets = Array.from({ length: 8 }, () => ({ model: MODEL }))
    const { ended } = await fanOut(services.ports, { ownerId: 'ada', chatId, message, targets })
    await ended
    const uses = server.uses.slice(before)
    expect(uses).toHaveLength(8)
    expect(uses.filter((use) => use.written > 0)).toHaveLength(1)
    expect(uses.filter((use) => readShare(use) === 1)).toHaveLength(7)
  })

  it('given the first of several replies fails, then the others are asked all the same', async () => {
    const { chatId } = await chatOf(1)
    answer = () => undefined
    const message = parseUserMessage({ id: newId(), role: 'user', parts: [{ type: 'text', text: 'Two?' }] })
    const before = server.uses.length
    const { ended } = await fanOut(services.ports, {
      ownerId: 'ada',
      chatId,
      message,
      targets: [{ model: MODEL }, { model: MODEL }],
    })
    await ended
    expect(server.uses.length - before).toBeGreaterThanOrEqual(2)
  })

  it('given a reply and a chat that goes on, then the inspector tells what was read, and what a branch here reads', async () => {
    const { chatId, messages } = await chatOf(3)
    const { read, written } = last()
    const reply = await readPrompt(services.ports, {
      ownerId: 'ada',
      chatId,
      message: messages.at(-1)?.id ?? '',
    })
    expect(reply.cache).toMatchObject({ read, written })
    expect(reply.cost.actual_usd).toBeCloseTo((read * 0.2 + written * 2.5 + 7 * 10) / 1_000_000, 9)
    const next = await readPrompt(services.ports, { ownerId: 'ada', chatId })
    // all but the last reply, which nobody was asked with yet
    expect(next.cache?.read).toBe(next.tokens.total - (next.tokens.messages.at(-1)?.tokens ?? 0))
    expect(next.cost.estimate_usd).toBeLessThan((next.tokens.total * 2) / 1_000_000)
    // and where a branch begins, what stands above is read
    const first = await readPrompt(services.ports, { ownerId: 'ada', chatId, message: messages[1]?.id ?? '' })
    expect(first.cache?.branch.read).toBe(first.tokens.total + (next.tokens.messages[1]?.tokens ?? 0))
  })

  it('given usage with a cache, then the chat and the days count what was read and written at their prices', async () => {
    const { chatId } = await chatOf(2)
    await followLog(services)
    const uses = server.uses.slice(-2)
    const sum = (of: 'read' | 'written') => uses.reduce((total, use) => total + use[of], 0)
    const { total } = await readChatUsage(services.ports, { ownerId: 'ada', chatId })
    expect(total).toEqual([
      {
        model: MODEL,
        replies: 2,
        input_tokens: sum('read') + sum('written'),
        cached_tokens: sum('read'),
        cache_write_tokens: sum('written'),
        output_tokens: 14,
        cost_usd: expect.closeTo((sum('read') * 0.2 + sum('written') * 2.5 + 140) / 1_000_000, 9),
      },
    ])
  })
})

const readShare = ({ read, written, rest }: CacheUse): number => read / (read + written + rest)
