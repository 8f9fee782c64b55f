import { beforeAll, expect, it } from 'vitest'
import { deleteChat, readChatUsage, readUsage } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import {
  type Ask,
  followLog,
  givenWorld,
  isHidden,
  MODEL,
  modelsFile,
  openPage,
  takeTurn,
} from '@/testing/worlds/turn-world'

onOneDatabase('tokens and cost', ({ name }) => {
  const { world, services } = givenWorld(name, {
    RAMIFY_MODELS_FILE: modelsFile({ price: { input: 2, output: 10, cached: 0.5 } }),
  })

  beforeAll(() => {
    const cached = { prompt_tokens_details: { cached_tokens: 600 } }
    const usage = { prompt_tokens: 1000, completion_tokens: 100, ...cached }
    world.answer = () => ({ text: 'Noted.', usage })
  })

  const say = async (turn: Ask) => {
    await takeTurn(services, turn)
    return openPage(services, turn.chatId)
  }
  const usage = (ownerId = 'ada') => readUsage(services.ports, { ownerId, days: 30 })
  // 400 at the full price, 600 from the cache, 100 written
  const one = (400 * 2 + 600 * 0.5 + 100 * 10) / 1_000_000

  it('given replies on a fork, then each counts once, by day, model and chat, cached tokens at their price', async () => {
    const chatId = newId()
    await say({ chatId, text: 'One' })
    const { branchId: main } = await say({ chatId, text: 'Two' })
    await say({ chatId, branch: main, trigger: 'regenerate-message' })
    await say({ chatId, text: 'What is 2+2?', model: 'demo:demo' })
    await followLog(services)

    const { days, chats, from } = await usage()
    const today = new Date().toISOString().slice(0, 10)
    expect(from < today).toBe(true)
    expect(days).toEqual([
      expect.objectContaining({ day: today, model: 'demo:demo', replies: 1 }),
      {
        day: today,
        model: MODEL,
        replies: 3,
        input_tokens: 3000,
        cached_tokens: 1800,
        cache_write_tokens: 0,
        output_tokens: 300,
        cost_usd: expect.closeTo(3 * one, 9),
      },
    ])
    expect(chats).toMatchObject([{ chat_id: chatId, models: [{ model: 'demo:demo' }, { model: MODEL }] }])
    // and the chat counts each once, its branches with what they inherit
    const { total, branches } = await readChatUsage(services.ports, { ownerId: 'ada', chatId })
    expect(total.find(({ model }) => model === MODEL)).toMatchObject({ replies: 3, input_tokens: 3000 })
    const ofMain = branches.find(({ id }) => id === main)?.models
    expect(ofMain?.find(({ model }) => model === MODEL)).toMatchObject({ replies: 2 })
  })

  it('given a model without a price, then its cost is unknown and not 0; given a deleted chat, then it is counted no more', async () => {
    await services.store.commit({
      chatId: newId(),
      at: Date.now(),
      create: { userId: 'ada', branchId: newId(), title: 'Old' },
      steps: [],
    })
    const chatId = newId()
    await say({ chatId, text: 'Anyone there?' })
    await followLog(services)
    const before = await usage()
    await deleteChat(services.ports, { ownerId: 'ada', chatId })
    const after = await usage()
    const replies = ({ days }: typeof before) => days.reduce((sum, line) => sum + line.replies, 0)
    expect(replies(after)).toBe(replies(before) - 1)
  })

  it('given another person, then nothing of Ada’s is seen', async () => {
    expect(await usage('bob')).toMatchObject({ days: [], chats: [] })
    const chatId = newId()
    await say({ chatId, text: 'One' })
    await isHidden(services, chatId, (chat) => readChatUsage(services.ports, chat))
  })
})
