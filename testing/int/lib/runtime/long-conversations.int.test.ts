import { beforeAll, expect, it } from 'vitest'
import { readPrompt } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { checkDatabase } from '@/lib/store'
import { type ChatRequest, openAIErrors } from '@/testing/machines/openai-server'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { type Ask, givenWorld, modelsFile, openPage, takeTurn } from '@/testing/worlds/turn-world'

const isForSummary = ({ messages }: ChatRequest) => String(messages[0]?.content).startsWith('Sum up')

/** About 450 tokens. */
const long = (word: string) => Array.from({ length: 300 }, () => word).join(' ')

onOneDatabase('a conversation that outgrows its model’s window', ({ name }) => {
  const { world, services } = givenWorld(name, { RAMIFY_MODELS_FILE: modelsFile({ window: 3200 }) })
  let summaries = 0

  beforeAll(() => {
    world.answer = (request) => {
      if (!isForSummary(request)) return 'Noted.'
      summaries += 1
      return `Summary ${summaries} of ${request.messages.at(-1)?.content?.slice(0, 40)}`
    }
  })

  const say = async (turn: Ask) => {
    await takeTurn(services, turn)
    const { branchId, window } = await openPage(services, turn.chatId)
    const request = world.provider.requests.findLast((each) => !isForSummary(each))
    return { branchId, messages: window.messages, sent: request?.messages ?? [] }
  }
  const prompt = (chatId: string, which: { message?: string; branch?: string } = {}) =>
    readPrompt(services.ports, { ownerId: 'ada', chatId, ...which })
  const texts = (sent: ChatRequest['messages']) =>
    sent.filter(({ role }) => role === 'user').map(({ content }) => String(content).split(' ')[0])

  it('given a chain longer than the window, then the oldest part is sent as a summary, the chain stays whole, and the summary is used again', async () => {
    const chatId = newId()
    const asked: string[] = []
    let last = await say({ chatId, text: long('turn0') })
    for (let turn = 1; turn < 6; turn++) {
      asked.push(last.messages.at(-1)?.id ?? '')
      last = await say({ chatId, text: long(`turn${turn}`) })
    }
    // then the first turns are no messages of the request any more, the last ones are
    expect(summaries).toBe(1)
    expect(texts(last.sent)).not.toContain('turn0')
    expect(texts(last.sent)).toContain('turn5')
    expect(String(last.sent[0]?.content)).toContain('<summary_of_earlier_messages>Summary 1 of User: turn0')
    expect(last.messages).toHaveLength(12)
    // and the inspector shows the cut, with the very request
    const reply = last.messages.at(-1)
    const shown = await prompt(chatId, { message: reply?.id })
    expect(shown.compacted).toMatchObject({ summary: expect.stringMatching(/^Summary 1/) })
    expect([shown.system, ...shown.messages.map(({ content }) => content)]).toEqual([
      last.sent[0]?.content,
      ...last.sent.slice(1).map(({ content }) => [{ type: 'text', text: content }]),
    ])
    expect(reply?.metadata?.compacted).toBe(shown.compacted?.until_message_id)
    // of an earlier reply nothing was summed up
    expect((await prompt(chatId, { message: asked[0] })).compacted).toBeNull()
    // another branch from below the cut uses the same summary
    await say({ chatId, branch: last.branchId, trigger: 'regenerate-message' })
    expect(summaries).toBe(1)
    expect(await checkDatabase(services.database)).toEqual([])
  })

  it('given a summary that is itself outgrown, then the next one goes on from it', async () => {
    const chatId = newId()
    const before = summaries
    let last = await say({ chatId, text: long('first') })
    for (let turn = 1; turn < 12; turn++) last = await say({ chatId, text: long(`more${turn}`) })
    expect(summaries).toBeGreaterThan(before + 1)
    const requests = world.provider.requests.filter(isForSummary)
    expect(String(requests.at(-1)?.messages.at(-1)?.content)).toContain(
      `Summary of what came before:\nSummary ${summaries - 1}`,
    )
    expect(texts(last.sent)).toContain('more11')
  })

  it('given the next reply of a full chain, then the inspector says where the cut will be', async () => {
    const chatId = newId()
    for (let turn = 0; turn < 4; turn++) await say({ chatId, text: long(`turn${turn}`) })
    const answer = world.answer
    world.answer = () => long('reply')
    await say({ chatId, text: long('turn4') })
    world.answer = answer
    const taken = summaries
    const next = await prompt(chatId)
    // nothing is written by looking
    expect(summaries).toBe(taken)
    expect(next.compacted).toEqual({ until_message_id: expect.any(String), summary: '' })
    expect(next.tokens.total).toBeLessThan(2560)
    // then the next reply is cut there
    const { messages } = await say({ chatId, text: 'And now?' })
    expect(messages.at(-1)?.metadata?.compacted).toBe(next.compacted?.until_message_id)
  })

  it('given a model that cannot write a summary, then the whole chain is sent', async () => {
    const chatId = newId()
    world.answer = (request) => (isForSummary(request) ? { error: openAIErrors.contextLength() } : 'Noted.')
    let last = await say({ chatId, text: long('turn0') })
    for (let turn = 1; turn < 7; turn++) last = await say({ chatId, text: long(`turn${turn}`) })
    expect(texts(last.sent)).toContain('turn0')
    expect(last.messages.at(-1)?.metadata?.compacted).toBeUndefined()
  })
})
