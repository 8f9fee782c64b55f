import { beforeEach, expect, it } from 'vitest'
import { readGraph, readPrompt } from '@/lib/conversations'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { callsIn, callsThenSays, givenTools, textIn } from '@/testing/worlds/tool-world'

onOneDatabase('the tools that come with Ramify', ({ name }) => {
  const world = givenTools(name)
  const requests = () => world.world.provider.requests

  beforeEach(() => {
    requests().length = 0
  })

  it('given no tool that is switched on, then the model is told of none', async () => {
    const chatId = await world.begin({ calculator: 'never' })
    await world.say({ chatId, text: 'Go on' })
    expect(requests().at(-1)?.tools).toBeUndefined()
  })

  it('given two tools, when the model calls both at once, then it reads both answers, and the reply holds the calls', async () => {
    const chatId = await world.begin({ calculator: 'always', current_time: 'always' })
    world.world.answer = callsThenSays(
      { name: 'calculator', input: { expression: '2 * (3 + 4)' }, id: 'sum' },
      { name: 'current_time', input: { time_zone: 'Europe/Lisbon' }, id: 'time' },
    )
    const { seq } = await readGraph(world.services.ports, { ownerId: 'ada', chatId })
    const { last } = await world.say({ chatId, text: 'Work' })

    // the graph marks it, whole and as what has changed; nothing else is marked
    for (const since of [undefined, seq]) {
      const { nodes = [] } = await readGraph(world.services.ports, { ownerId: 'ada', chatId, since })
      const marked = nodes.flatMap(({ id, holds }) => (holds ? [{ id, holds }] : []))
      expect(marked).toEqual([{ id: last.id, holds: ['tool'] }])
    }
    expect(callsIn(last)).toMatchObject([
      { type: 'tool-calculator', state: 'output-available', output: { result: 14 } },
      { type: 'tool-current_time', state: 'output-available', output: { time_zone: 'Europe/Lisbon' } },
    ])
    expect(textIn(last)).toContain('I was told: {"result":14} / {"time":')
  })

  it('given a tool that fails, then its error is part of the reply, and the reply goes on', async () => {
    const chatId = await world.begin({ calculator: 'always' })
    world.world.answer = callsThenSays({ name: 'calculator', input: { expression: 'process.exit()' } })
    const { last } = await world.say({ chatId, text: 'Work' })
    expect(callsIn(last)).toMatchObject([
      { state: 'output-error', errorText: expect.stringContaining('This is not a calculation') },
    ])
    expect(textIn(last)).toContain('I was told:')
  })

  it('given a tool that is not switched on, when the model calls it all the same, then it does not run', async () => {
    const chatId = await world.begin({ calculator: 'always' })
    world.world.answer = callsThenSays({ name: 'remember', input: { key: 'a', text: 'b' } })
    const { last } = await world.say({ chatId, text: 'Work' })
    expect(callsIn(last)).toMatchObject([{ state: 'output-error' }])
    expect((await world.context(chatId)).memories).toEqual([])
  })

  it('given a model that calls tools for ever, then the reply ends after twelve requests', async () => {
    const chatId = await world.begin({ calculator: 'always' })
    world.world.answer = ({ messages }) => ({
      toolCalls: [{ name: 'calculator', input: { expression: '1+1' }, id: `call-${messages.length}` }],
    })
    const { last } = await world.say({ chatId, text: 'Work' })
    expect(requests().length).toBe(12)
    expect(callsIn(last)).toHaveLength(12)
  })

  it('given a search of one’s own chats, then the words of other chats are found', async () => {
    const other = await world.begin({})
    await world.say({ chatId: other, text: 'The sardines were <b>excellent</b>' })
    await world.services.chores['indexing for search']()
    const chatId = await world.begin({ search_chats: 'always' })
    world.world.answer = callsThenSays({ name: 'search_chats', input: { query: 'sardines' } })
    const { last } = await world.say({ chatId, text: 'What did I eat?' })
    expect(callsIn(last)).toMatchObject([
      { output: { found: [{ role: 'user', text: 'The sardines were <b>excellent</b>' }] } },
    ])
  })

  it('given “remember”, then the branch has the memory from its next turn on, and its reply says which one made it', async () => {
    const chatId = await world.begin({ remember: 'always', forget: 'always' })
    world.world.answer = callsThenSays({ name: 'remember', input: { key: 'diet', text: 'Vegetarian' } })
    const { last } = await world.say({ chatId, text: 'I eat no meat' })

    expect((await world.context(chatId)).memories).toEqual([
      { key: 'diet', text: 'Vegetarian', message_id: last.id },
    ])
    world.world.answer = () => 'Noted.'
    await world.say({ chatId, text: 'Go on' })
    expect(JSON.stringify(requests().at(-1)?.messages[0])).toContain('Vegetarian')

    world.world.answer = callsThenSays({ name: 'forget', input: { key: 'diet' } })
    await world.say({ chatId, text: 'Forget it' })
    expect((await world.context(chatId)).memories).toEqual([])
  })

  it('given two things remembered at once, then both are kept', async () => {
    const chatId = await world.begin({ remember: 'always' })
    world.world.answer = callsThenSays(
      { name: 'remember', input: { key: 'a', text: 'A' }, id: '1' },
      { name: 'remember', input: { key: 'b', text: 'B' }, id: '2' },
    )
    await world.say({ chatId, text: 'Two things' })
    expect((await world.context(chatId)).memories.map(({ key }) => key).sort()).toEqual(['a', 'b'])
  })

  it('given two branches, then each has its own memories, and a retry does without those of the reply it replaces', async () => {
    const chatId = await world.begin({ remember: 'always' })
    world.world.answer = callsThenSays({ name: 'remember', input: { key: 'city', text: 'Lisbon' } })
    const first = await world.say({ chatId, text: 'Where?' })
    world.world.answer = callsThenSays({ name: 'remember', input: { key: 'city', text: 'Porto' } })
    const again = await world.say({ chatId, trigger: 'regenerate-message', messageId: first.last.id })

    expect(again.branchId).not.toBe(first.branchId)
    const textsOf = async (branch: string) =>
      (await world.context(chatId, branch)).memories.map(({ text }) => text)
    expect(await textsOf(first.branchId)).toEqual(['Lisbon'])
    expect(await textsOf(again.branchId)).toEqual(['Porto'])
  })

  it('given tools, then the inspector shows exactly those that the provider was told of', async () => {
    const chatId = await world.begin({ remember: 'always', calculator: 'ask', current_time: 'always' })
    const next = await readPrompt(world.services.ports, { ownerId: 'ada', chatId })
    const { last } = await world.say({ chatId, text: 'Go on' })
    const asked = requests().at(-1)?.tools as { function: object }[] | undefined

    expect(next.tools.map(({ name }) => name)).toEqual(['calculator', 'current_time', 'remember'])
    const told = next.tools.map(({ name, description, input_schema }) => ({
      name,
      description,
      parameters: input_schema,
    }))
    expect(JSON.stringify(asked?.map((tool) => tool.function))).toBe(JSON.stringify(told))
    const of = await readPrompt(world.services.ports, { ownerId: 'ada', chatId, message: last.id })
    expect(of.tools).toEqual(next.tools)
    expect(of.tokens.tools).toBeGreaterThan(50)
  })

  const waits = async () => {
    const chatId = await world.begin({ calculator: 'ask', current_time: 'always' })
    world.world.answer = callsThenSays({ name: 'calculator', input: { expression: '6 * 7' }, id: 'sum' })
    const { last, branchId } = await world.say({ chatId, text: 'Six times seven' })
    const [call] = callsIn(last)
    // the reply ends with it, and nothing has run
    expect(call).toMatchObject({ state: 'approval-requested', input: { expression: '6 * 7' } })
    expect(textIn(last)).toBe('')
    const answered = { chatId, trigger: 'answer-tools' as const, messageId: last.id }
    const approvalId = call?.approval?.id ?? 'none'
    const allow = (
      approved = true,
      more: { reason?: string; expectedHead?: string; branch?: string } = {},
    ) => {
      const { reason, ...turn } = more
      const answers = [{ approvalId, approved, ...(reason && { reason }) }]
      return world.say({ ...answered, ...turn, model: undefined, answers })
    }
    return { chatId, branchId, waiting: last, allow }
  }

  it('given a tool that asks first, when it is allowed, then the reply goes on in a message below, with the result; the same answer again is the same reply', async () => {
    const { branchId, allow } = await waits()
    const on = await allow()
    expect(on.branchId).toBe(branchId)
    expect(on.messages.map(({ role }) => role).slice(-3)).toEqual(['user', 'assistant', 'assistant'])
    expect(callsIn(on.last)).toMatchObject([
      {
        toolCallId: 'sum',
        state: 'output-available',
        output: { result: 42 },
        approval: { approved: true },
      },
    ])
    expect(textIn(on.last)).toBe('I was told: {"result":42}')

    const asked = requests().length
    const again = await allow()
    expect(again.messages.map(({ id }) => id)).toEqual(on.messages.map(({ id }) => id))
    expect(requests().length).toBe(asked)
  })

  it('given a tool that asks first, when it is allowed, then later prompts have the call once, with its result, and the inspector shows what was asked', async () => {
    const { chatId, allow } = await waits()
    const on = await allow()
    const asked = requests().at(-1)?.messages ?? []
    world.world.answer = () => 'Noted.'
    await world.say({ chatId, text: 'Thanks' })
    const later = requests().at(-1)?.messages ?? []

    // the beginning of the prompt is the same words: providers keep it
    expect(later.slice(0, asked.length)).toEqual(asked)
    expect(later.filter(({ role }) => role === 'tool')).toHaveLength(1)
    const shown = await readPrompt(world.services.ports, { ownerId: 'ada', chatId, message: on.last.id })
    expect(shown.messages.map(({ role }) => role)).toEqual(asked.slice(1).map(({ role }) => role))
    expect(JSON.stringify(shown.messages)).not.toContain('approval')
  })

  it('given a tool that asks first, when it is not allowed, then it does not run, and the model reads why', async () => {
    const { allow } = await waits()
    const on = await allow(false, { reason: 'Do it in your head' })
    expect(callsIn(on.last)).toMatchObject([{ state: 'output-denied', approval: { approved: false } }])
    expect(textIn(on.last)).toContain('Do it in your head')
  })

  it('given a tool that was answered, when another answer follows, then it has a branch of its own; with the head of before it is refused', async () => {
    const { chatId, branchId, waiting, allow } = await waits()
    await allow(true, { branch: branchId })
    const late = allow(false, { branch: branchId, expectedHead: waiting.id })
    await expect(late).rejects.toThrow('has moved on')
    await allow(false, { branch: branchId })
    expect((await world.services.ports.reads.graph(chatId, 'ada'))?.branches).toHaveLength(2)
  })

  it('given a tool that asks first, when the next message comes instead of an answer, then the call is left out of the prompt, and both messages are one turn', async () => {
    const { chatId } = await waits()
    world.world.answer = () => 'Noted.'
    await world.say({ chatId, text: 'Never mind' })
    const { messages = [] } = requests().at(-1) ?? {}
    expect(JSON.stringify(messages)).not.toContain('6 * 7')
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: 'Six times seven\n\nNever mind' })
  })

  it('given two that wait, when one is answered, then it is refused, and nothing is written', async () => {
    const chatId = await world.begin({ calculator: 'ask', current_time: 'ask' })
    world.world.answer = callsThenSays(
      { name: 'calculator', input: { expression: '1+1' }, id: 'one' },
      { name: 'current_time', input: {}, id: 'two' },
    )
    const { last } = await world.say({ chatId, text: 'Both' })
    const ids = callsIn(last).map(({ approval }) => approval?.id ?? '')
    const answer = (approvalIds: string[]) =>
      world.say({
        chatId,
        trigger: 'answer-tools',
        messageId: last.id,
        answers: approvalIds.map((approvalId) => ({ approvalId, approved: true })),
      })
    await expect(answer(ids.slice(0, 1))).rejects.toThrow('Answer each of the 2 tools that wait, once.')
    await expect(answer([...ids, 'more'])).rejects.toThrow('Answer each of the 2 tools')
    await expect(answer([ids[0] ?? '', ids[0] ?? ''])).rejects.toThrow('Answer each of the 2 tools')
    const on = await answer(ids)
    expect(callsIn(on.last).map(({ state }) => state)).toEqual(['output-available', 'output-available'])
  })

  it('given a reply that went on, when it is done again, then it goes on anew from the same answers', async () => {
    const { chatId, allow } = await waits()
    const on = await allow()
    const again = await world.say({ chatId, trigger: 'regenerate-message', messageId: on.last.id })
    expect(again.branchId).not.toBe(on.branchId)
    expect(again.last.id).not.toBe(on.last.id)
    expect(textIn(again.last)).toBe('I was told: {"result":42}')
  })

  it('given a tool that was switched off meanwhile, when it is allowed, then it has failed, and the reply goes on', async () => {
    const { chatId, allow } = await waits()
    await world.change(chatId, { tools: {} })
    const on = await allow()
    expect(callsIn(on.last)).toMatchObject([{ state: 'output-error' }])
    expect(textIn(on.last)).toContain('not available now')
  })
})
