// Turns from the request to the stored reply, against a real server that speaks the provider's protocol.

import { beforeEach, expect, it } from 'vitest'
import { chooseModel, rewind } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { applyDelta } from '@/lib/protocol'
import { openAIErrors, textOf } from '@/testing/machines/openai-server'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { type Ask, givenWorld, linesOf, openPage, takeTurn } from '@/testing/worlds/turn-world'

onOneDatabase('a turn', ({ name }) => {
  const { world, services } = givenWorld(name, { RAMIFY_DEMO_DELAY_MS: '0' })

  beforeEach(() => {
    world.answer = () => 'Noted.'
  })

  const take = (turn: Ask) => takeTurn(services, turn)
  const view = (chatId: string, branch?: string) => openPage(services, chatId, branch)
  /** What the provider was sent last, besides the system prompt. */
  const prompt = () =>
    world.provider.requests.at(-1)?.messages.flatMap((said) => (said.role === 'system' ? [] : [textOf(said)]))

  it('is stored before the model is called, and the reply is stored when it ends', async () => {
    // given a model that reads the stored chat when it is called, before its first word
    const chatId = newId()
    let found: ReturnType<typeof view> | undefined
    world.answer = () => {
      found = view(chatId)
      return { text: 'Hello there.', pace: () => found }
    }
    const { parts } = await take({ chatId, text: 'Hello' })
    // then the person's message is there already, and at the end both are
    expect((await found)?.window.messages.map(({ role }) => role)).toEqual(['user'])
    expect(await linesOf(services, chatId)).toEqual(['user: Hello', 'assistant: Hello there.'])
    expect((await view(chatId)).graph.title).toBe('Hello')
    // and the stream begins with the run and ends with one delta of the whole turn before the closing part
    const types = parts.map(({ type }) => type)
    expect(types[0]).toBe('data-run')
    expect(types.filter((type) => type === 'data-graph')).toHaveLength(1)
    expect(types.slice(-2)).toEqual(['data-graph', 'finish'])
    expect(parts.at(-2)).toMatchObject({ data: { nodes: [{ role: 'user' }, { role: 'assistant' }] } })
  })

  it('sends the model exactly the chain of its branch, three forks deep', async () => {
    const chatId = newId()
    world.answer = ({ messages }) => `Reply ${messages.filter(({ role }) => role === 'user').length}`
    const expected: string[] = []
    let branch = 'main'
    for (let turn = 1; turn <= 9; turn++) {
      if (turn % 3 === 0) {
        // when the last but one reply becomes the fork point
        const { window, branchId } = await view(chatId, branch)
        const messageId = window.messages.at(-3)?.id ?? ''
        const moved = await rewind(services.ports, { ownerId: 'ada', chatId, branchId, messageId })
        branch = moved.branchId
        expected.splice(-2)
      }
      const text = `Question ${turn}`
      expected.push(text)
      const reply = await take({ chatId, text, branch })
      // then the provider received this chain, root first, and nothing else
      expect(prompt()).toEqual(expected)
      expected.push(reply.text)
    }
    const { graph, window } = await view(chatId, branch)
    expect(window.messages.map(({ parts }) => parts.find(({ type }) => type === 'text'))).toMatchObject(
      expected.map((text) => ({ text })),
    )
    expect(graph.branches.map(({ name: called }) => called)).toEqual([
      ...['main', 'main-v2', 'main-v2-v2', 'main-v2-v2-v2'],
    ])
  })

  it('editing the first message makes a new root that the old one is no part of, once however often it is sent', async () => {
    const chatId = newId()
    const { run } = await take({ chatId, text: 'The first words' })
    const edit = { chatId, text: 'Other first words', messageId: run.userMessageId }
    const edited = await take(edit)
    expect(prompt()).toEqual(['Other first words'])
    await take(edit)
    const { graph } = await view(chatId)
    expect(graph.lanes.filter(({ parentLane }) => parentLane === null)).toHaveLength(2)
    expect(graph.branches.map(({ name: called }) => called)).toEqual(['main', 'main-v2'])
    expect(graph.nodes).toHaveLength(4)
    expect(graph.nodes.map(({ id }) => id)).toContain(edited.run.userMessageId)
  })

  it('says why nothing came, and tries again on the same branch', async () => {
    const chatId = newId()
    world.answer = () => ({ error: openAIErrors.contextLength() })
    const { run } = await take({ chatId, text: 'Too long for you' })
    const failed = await view(chatId)
    expect(failed.window.messages).toHaveLength(1)
    expect(failed.graph.branches[0]?.failure?.kind).toBe('context_length')
    world.answer = () => 'Now it fits.'
    await take({ chatId, trigger: 'regenerate-message', messageId: run.userMessageId })
    expect(await linesOf(services, chatId)).toEqual(['user: Too long for you', 'assistant: Now it fits.'])
    expect((await view(chatId)).graph.branches).toMatchObject([{ failure: null }])
  })

  it('keeps the reason of a failed reply on an open page when another model is chosen', async () => {
    const chatId = newId()
    world.answer = () => ({ error: openAIErrors.contextLength() })
    await take({ chatId, text: 'Too long for you' })
    const { graph, branchId } = await view(chatId)
    const chosen = { ownerId: 'ada', chatId, branch: branchId, model: 'demo:demo' }
    const shown = applyDelta(graph, await chooseModel(services.ports, chosen))
    expect(shown.branches[0]).toMatchObject({ model: 'demo:demo', failure: { kind: 'context_length' } })
    expect(shown.branches).toEqual((await view(chatId)).graph.branches)
  })

  it('goes on with the model that answered, after another one could not', async () => {
    const chatId = newId()
    world.answer = () => ({ error: openAIErrors.badKey() })
    const { run: failed } = await take({ chatId, text: 'My name is Ada' })
    const again = { trigger: 'regenerate-message', messageId: failed.userMessageId } as const
    expect((await take({ chatId, ...again, model: 'demo:demo' })).text).toContain('Ada')
    // the run, the branch and the log tell of one context, and so does a fork
    const { branchId } = await view(chatId)
    const [run] = await services.database.query<{ id: string; model: string }>(
      `select r.context_id as id, c.model from runs r join contexts c on c.chat_id = r.chat_id and c.id = r.context_id
        where r.chat_id = $1 and r.status = 'completed'`,
      [chatId],
    )
    expect(run?.model).toBe('demo:demo')
    expect((await services.ports.store.getBranch(chatId, branchId))?.contextId).toBe(run?.id)
    const events = await services.ports.store.getEvents(chatId)
    const told = events.map(({ type, payload }) => [type, 'context_id' in payload && payload.context_id])
    expect(told.slice(-3)).toEqual([
      ['ContextChanged', run?.id],
      ['LLMResponseGenerated', false],
      ['CheckpointCreated', run?.id],
    ])
  })
})
