import { beforeAll, expect, it } from 'vitest'
import { fanOut, parseUserMessage, renameBranch, renameChat } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { branchTitle, indexGraph } from '@/lib/graph'
import { checkDatabase } from '@/lib/store'
import { type ChatRequest, openAIErrors, type ScriptedReply, textOf } from '@/testing/machines/openai-server'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { type Ask, givenWorld, linesOf, openPage, takeTurn } from '@/testing/worlds/turn-world'

/** A request for a title says what it names. */
const isForTitle = ({ messages: [first] }: ChatRequest): boolean =>
  first !== undefined && textOf(first).startsWith('You name')

onOneDatabase('titles from the model in use', ({ name }) => {
  const { world, services } = givenWorld(name, {
    RAMIFY_TITLES: 'model',
    OPENAI_COMPATIBLE_MODELS: 'scripted, beta',
    RAMIFY_DEMO_DELAY_MS: '0',
  })
  let titleFor: (request: ChatRequest) => ScriptedReply | Promise<ScriptedReply>

  beforeAll(() => {
    world.answer = (request) => (isForTitle(request) ? titleFor(request) : 'Noted.')
  })

  /** Takes a turn to its end, and waits for the titles it makes possible. */
  const say = async (turn: Ask): Promise<void> => {
    await takeTurn(services, turn)
    await services.ports.titles.settled()
  }
  const titlesIn = async (chatId: string) => {
    const { graph } = await openPage(services, chatId)
    const index = indexGraph(graph)
    return { chat: graph.title, branches: graph.branches.map(({ id }) => branchTitle(index, id)) }
  }
  const asked = (chat: string) =>
    world.provider.requests.filter((request) => isForTitle(request) && JSON.stringify(request).includes(chat))

  /** Given a chat with a question, a reply, and an edited question on a branch of its own. */
  const edited = async (words: string, title: typeof titleFor) => {
    const [chatId, q1] = [newId(), newId()]
    titleFor = title
    await say({ chatId, id: q1, text: `${words} in three days` })
    await say({ chatId, messageId: q1, text: `${words} without meat` })
    return chatId
  }

  it('given a first reply, when it is stored, then chat and branch get short titles, each asked for once', async () => {
    const chatId = await edited('Lisbon', (request) =>
      textOf(request.messages[0] ?? { role: '' }).includes('branches')
        ? '"Vegetarian food."'
        : 'Title: A trip to **Lisbon**',
    )

    const titles = { chat: 'A trip to Lisbon', branches: ['Main line', 'Vegetarian food'] }
    expect(await titlesIn(chatId)).toEqual(titles)
    await say({ chatId, branch: 'main-v2', text: 'More, please' })
    expect(asked('Lisbon')).toHaveLength(2)
    expect(asked('Lisbon').every(({ stream, max_tokens }) => !stream && Number(max_tokens) <= 300)).toBe(true)
    expect(await checkDatabase(services.database, { chatId })).toEqual([])
  })

  it('given a title that is not answered yet, then the reply has ended without it', async () => {
    const open = Promise.withResolvers<void>()
    const chatId = newId()
    titleFor = async () => {
      await open.promise
      return 'Porto by train'
    }
    await takeTurn(services, { chatId, text: 'Porto' })
    expect((await titlesIn(chatId)).chat).toBe('Porto')

    open.resolve()
    await services.ports.titles.settled()
    expect((await titlesIn(chatId)).chat).toBe('Porto by train')
  })

  it.each<[string, () => ScriptedReply]>([
    ['an error', () => ({ error: openAIErrors.serverError() })],
    ['no words', () => ({ text: '' })],
    ['a speech', () => 'I am sorry, but as a model I am not able to name any conversation for you today.'],
  ])(
    'given %s in place of a title, then nothing changes, and it is not asked again',
    async (what, answer) => {
      const words = `Faro, ${what},`
      const chatId = await edited(words, answer)

      expect(await titlesIn(chatId)).toEqual({
        chat: `${words} in three days`,
        branches: ['Main line', expect.stringContaining('without meat')],
      })
      const said = [`user: ${words} without meat`, 'assistant: Noted.']
      expect(await linesOf(services, chatId, 'main-v2')).toEqual(said)
      await say({ chatId, branch: 'main-v2', text: 'More, please' })
      await say({ chatId, branch: 'main', text: 'More, please' })
      expect(asked(words)).toHaveLength(2)
    },
  )

  it('given a name that a person chose while the title was on its way, then it stays', async () => {
    const [chatId, q1] = [newId(), newId()]
    titleFor = async () => {
      await renameChat(services.ports, { ownerId: 'ada', chatId, title: 'My chat' })
      return 'Theirs'
    }
    await say({ chatId, id: q1, text: 'Coimbra' })
    titleFor = async () => {
      const branch = (await openPage(services, chatId)).graph.branches[1]
      await renameBranch(services.ports, { ownerId: 'ada', chatId, branchId: branch?.id ?? '', name: 'mine' })
      return 'Theirs'
    }
    await say({ chatId, messageId: q1, text: 'Coimbra by bus' })

    expect(await titlesIn(chatId)).toEqual({ chat: 'My chat', branches: ['Main line', 'mine'] })
  })

  it('given another answer by another model, then it is called after that one, and none is asked', async () => {
    const [chatId, q1] = [newId(), newId()]
    titleFor = () => 'Braga'
    await say({ chatId, id: q1, text: 'Where is Braga?' })
    await say({ chatId, trigger: 'regenerate-message', messageId: q1, model: 'openai-compatible:beta' })

    expect((await titlesIn(chatId)).branches).toEqual(['Main line', 'beta’s answer'])
    expect(asked('Braga')).toHaveLength(1)
  })

  it('given a message to two models at once, when the later one answers first, then its branch is called after it', async () => {
    const held = Promise.withResolvers<void>()
    const answer = world.answer
    world.answer = async (request) => {
      if (!isForTitle(request) && request.model !== 'beta') await held.promise
      return answer(request)
    }
    titleFor = () => 'Sagres'
    const chatId = newId()
    const message = parseUserMessage({
      id: newId(),
      role: 'user',
      parts: [{ type: 'text', text: 'Where is Sagres?' }],
    })
    const targets = ['scripted', 'beta'].map((model) => ({ model: `openai-compatible:${model}` }))
    const { ended } = await fanOut(services.ports, { ownerId: 'ada', chatId, message, targets })

    await expect.poll(async () => (await titlesIn(chatId)).branches).toEqual(['Main line', 'beta’s answer'])
    held.resolve()
    await ended
    await services.ports.titles.settled()
    world.answer = answer
    expect((await titlesIn(chatId)).branches).toEqual(['Main line', 'beta’s answer'])
  })

  it('given the demo model, then no title is asked for', async () => {
    const chatId = newId()
    titleFor = () => 'Never'
    await say({ chatId, text: 'Evora', model: 'demo:demo' })

    expect((await titlesIn(chatId)).chat).toBe('Evora')
    expect(asked('Evora')).toHaveLength(0)
  })
})
