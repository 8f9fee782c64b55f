import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inCalledChat, readPrompt, runTurn } from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime'
import type { ChatRequest } from '@/testing/machines/openai-server'
import { Follower } from '@/testing/worlds/follower'
import { onEachDatabase } from '@/testing/worlds/open-stores'
import { type Ask, ask, MODEL, openPage, openTurnWorld, type TurnWorld } from '@/testing/worlds/turn-world'

onEachDatabase('the prompt of a reply', ({ name }) => {
  let world: TurnWorld
  let services: Services

  beforeAll(async () => {
    world = await openTurnWorld(name)
    services = await world.process()
  })
  afterAll(() => world?.close())

  /** Takes a turn to its end; answers the branch it is on, its messages, and the request that the provider got. */
  const say = async (turn: Ask) => {
    const before = world.provider.requests.length
    const { stream, ended } = await runTurn(services.ports, ask({ model: MODEL, ...turn }))
    await new Follower(stream).rest()
    await ended
    const [request] = world.provider.requests.slice(before)
    if (!request) throw new Error('The provider was not asked')
    // a turn makes its branch the active one
    const { branchId, window } = await openPage(services, turn.chatId)
    return { request, branchId, messages: window.messages }
  }
  const prompt = (chatId: string, which: { message?: string; branch?: string } = {}) =>
    readPrompt(services.ports, { ownerId: 'ada', chatId, ...which })

  /** What a prompt is in the words of OpenAI’s protocol, of messages that are text. */
  const asRequested = ({ system, messages }: Awaited<ReturnType<typeof prompt>>): ChatRequest['messages'] => [
    ...(system === null ? [] : [{ role: 'system', content: system }]),
    ...messages.map(({ role, content }) => ({
      role,
      content: (content as { text: string }[]).map(({ text }) => text).join(''),
    })),
  ]

  describe('is what the provider received', () => {
    it('given 50 turns over edits and other tries, then of each reply the same system prompt and messages', async () => {
      const chatId = newId()
      const asked: { id: string; request: ChatRequest }[] = []
      let last = await say({ chatId, text: 'Where is the station?' })
      const note = () => {
        const reply = last.messages.at(-1)
        if (reply) asked.push({ id: reply.id, request: last.request })
      }
      note()
      for (let turn = 1; turn < 50; turn++) {
        const question = last.messages.findLast(({ role }) => role === 'user')
        const branch = last.branchId
        // every fifth is an edit, every seventh another try: both go on elsewhere
        if (turn % 5 === 0)
          last = await say({ chatId, branch, messageId: question?.id, text: `Edited ${turn}` })
        else if (turn % 7 === 0) last = await say({ chatId, branch, trigger: 'regenerate-message' })
        else last = await say({ chatId, branch, text: `And then, ${turn}? <b>&` })
        note()
      }

      for (const { id, request } of asked) {
        expect(asRequested(await prompt(chatId, { message: id })), id).toEqual(request.messages)
      }
    })

    it('given a branch, then its next request is that prompt and the new message', async () => {
      const chatId = newId()
      await say({ chatId, text: 'One' })
      const next = await prompt(chatId)
      const { request } = await say({ chatId, text: 'Two' })

      expect(request.messages).toEqual([...asRequested(next), { role: 'user', content: 'Two' }])
    })
  })

  it('given a question, then the prompt of a reply to it, with tokens of each message and their sum', async () => {
    const chatId = newId()
    const { messages } = await say({ chatId, text: 'Hello there' })
    const [question] = messages
    const shown = await prompt(chatId, { message: question?.id })

    expect(shown.messages).toHaveLength(1)
    expect(shown.tokens.messages).toEqual([{ message_id: question?.id, tokens: 3, sent: 1 }])
    expect(shown.tokens.total).toBe(shown.tokens.system + 3)
    // nothing is known of a model that only its address names
    expect(shown.tokens.window).toBeNull()
    expect(shown.cost).toEqual({ estimate_usd: null, actual_usd: null })
  })

  it('given a chat, branch or message that is missing or someone else’s, then it is not found', async () => {
    const chatId = newId()
    await say({ chatId, text: 'Hello' })
    await expect(prompt(chatId, { message: 'none' })).rejects.toThrow('Message "none" not found')
    await expect(prompt(chatId, { branch: 'none' })).rejects.toThrow('Branch "none" not found')
    const asBob = (id: string) =>
      inCalledChat(services.ports, { ownerId: 'bob', chatId: id }, (chat) => readPrompt(services.ports, chat))
    const refusals = await Promise.allSettled([asBob(chatId), asBob('missing')])
    const words = refusals.map((each) => each.status === 'rejected' && String(each.reason))
    expect(words[0]).toBe(String(words[1]).replace('missing', chatId))
  })
})
