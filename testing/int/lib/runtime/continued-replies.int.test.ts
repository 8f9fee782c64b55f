import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { goOn } from '@/lib/ai/prompt/go-on'
import {
  exportChat,
  inCalledChat,
  readChat,
  readChatFile,
  readPrompt,
  restoreChat,
  stopReply,
  takeOverRuns,
} from '@/lib/conversations'
import { startTurn } from '@/lib/conversations/turns/start-turn'
import { newId } from '@/lib/events'
import { createServices, type Services } from '@/lib/runtime'
import { messagesStream } from '@/testing/fixtures/provider-replies'
import { type ChatRequest, type ScriptedReply, textOf } from '@/testing/machines/openai-server'
import { type ProviderAnswer, startProvider } from '@/testing/machines/provider-server'
import { databaseEnv, onOneDatabase } from '@/testing/worlds/open-stores'
import { callsIn, givenTools, textIn } from '@/testing/worlds/tool-world'
import {
  addPerson,
  ask,
  beginTurn,
  followChat,
  givenWorld,
  isSound,
  linesOf,
  modelsFile,
  openPage,
  takeTurn,
} from '@/testing/worlds/turn-world'

onOneDatabase('a cut reply that is continued', ({ name }) => {
  const { world, services } = givenWorld(name)
  const answers: ScriptedReply[] = []
  beforeAll(() => {
    world.answer = () => answers.shift() ?? 'Noted.'
  })
  beforeEach(() => {
    answers.length = 0
    world.provider.requests.length = 0
  })
  afterAll(() => isSound(services))

  const open = async (chatId: string, branch?: string) =>
    (await openPage(services, chatId, branch)).window.messages
  const lastOf = async (chatId: string, branch?: string) => {
    const last = (await open(chatId, branch)).at(-1)
    if (!last) throw new Error('The branch is empty')
    return last
  }
  /** Begins a turn, reads some words of its reply, and stops it there. */
  const stopAfter = async (words: number, turn: Parameters<typeof beginTurn>[1]) => {
    const { follower, ended } = await beginTurn(services, turn)
    await follower.untilWords(words)
    await stopReply(services.ports, { ownerId: 'ada', chatId: turn.chatId, runId: follower.run.runId })
    await Promise.all([follower.rest(), ended])
    return lastOf(turn.chatId)
  }
  const goOnWith = (chatId: string, messageId: string) =>
    takeTurn(services, { chatId, trigger: 'regenerate-message', messageId, continue: true })
  const said = ({ messages }: ChatRequest) =>
    messages.slice(1).map((message) => [message.role, textOf(message)])
  const sentFor = async (chatId: string, message: string) => {
    const { messages } = await readPrompt(services.ports, { ownerId: 'ada', chatId, message })
    return messages.map(({ role, content }) => [
      role,
      (content as { text: string }[]).map(({ text }) => text).join(''),
    ])
  }

  it.each<[how: string, reply: ScriptedReply, begins: string, goesOn: string, whole: string]>([
    [
      'broke off',
      { text: ['Three days', ' in Lis'], cutAfter: 2 },
      'Three days in Lis',
      'bon',
      'Three days in Lisbon',
    ],
    [
      'met its limit',
      { text: ['Three days', ' in '], finishReason: 'length' },
      'Three days in',
      ' Lisbon',
      'Three days in Lisbon',
    ],
    ['met it without a space', { text: ['In '], finishReason: 'length' }, 'In', 'Lisbon', 'In Lisbon'],
  ])(
    'given a reply that %s, then the next version begins with it, and it stays',
    async (_, reply, begins, rest, whole) => {
      const chatId = newId()
      answers.push(reply, { text: [rest] })
      await takeTurn(services, { chatId, text: 'Where to?' })
      const cut = await lastOf(chatId)

      const reader = await goOnWith(chatId, cut.id)

      const next = await lastOf(chatId)
      expect(reader.text).toBe(whole)
      expect(textIn(next)).toBe(whole)
      expect(next.metadata).toMatchObject({ seams: [{ messageId: cut.id, at: begins.length }] })
      expect(next.metadata?.status).toBeUndefined()
      expect(await open(chatId, 'main')).toMatchObject([{ role: 'user' }, { id: cut.id, parts: cut.parts }])
      const [, request] = world.provider.requests
      expect(request && said(request)).toEqual([
        ['user', 'Where to?'],
        ['assistant', begins],
        ['user', goOn],
      ])
      expect(await sentFor(chatId, next.id)).toEqual(request && said(request))
      // the request is no message, and the next prompt has one reply
      await takeTurn(services, { chatId, text: 'And then?' })
      expect(said(world.provider.requests[2] as ChatRequest)).toEqual([
        ['user', 'Where to?'],
        ['assistant', whole],
        ['user', 'And then?'],
      ])
    },
  )

  it('given a reply that is stopped again and again, then each version begins with the one before', async () => {
    const chatId = newId()
    answers.push(
      { text: ['one', ' two', ' three'], hangAfter: 2 },
      { text: [' three', ' four'], hangAfter: 1 },
      { text: [' four'] },
    )
    const first = await stopAfter(2, { chatId, text: 'Count' })
    const again = { chatId, trigger: 'regenerate-message', continue: true } as const
    const second = await stopAfter(3, { ...again, messageId: first.id })
    await takeTurn(services, again)

    const last = await lastOf(chatId)
    expect([first, second, last].map(textIn)).toEqual(['one two', 'one two three', 'one two three four'])
    expect(last.metadata?.seams).toEqual([
      { messageId: first.id, part: 0, at: 7 },
      { messageId: second.id, part: 0, at: 13 },
    ])
    expect(await sentFor(chatId, second.id)).toEqual([
      ['user', 'Count'],
      ['assistant', 'one two'],
      ['user', goOn],
    ])
    expect(await linesOf(services, chatId, 'main')).toEqual(['user: Count', 'assistant: one two [stopped]'])

    // a file of the chat has all of it
    const [other, exported] = [
      await addPerson(services),
      await exportChat(services.ports, { ownerId: 'ada', chatId, format: 'json' }),
    ]
    let text = ''
    for await (const piece of exported.content) text += piece
    const file = await readChatFile([Buffer.from(text)])
    await restoreChat(services.ports, { ownerId: other, file })
    const restored = await inCalledChat(services.ports, { ownerId: other, chatId }, (chat) =>
      readChat(services.ports, chat),
    )
    expect(restored.window.messages.at(-1)).toMatchObject({
      parts: last.parts,
      metadata: { seams: last.metadata?.seams },
    })
  })

  it('given a reader who comes in the middle, then both parts are there', async () => {
    const chatId = newId()
    answers.push({ text: ['one', ' two'], cutAfter: 1 }, { text: [' two', ' three'], hangAfter: 1 })
    await takeTurn(services, { chatId, text: 'Count' })
    const { id } = await lastOf(chatId)
    const turn = { chatId, trigger: 'regenerate-message', messageId: id, continue: true } as const
    const { follower, ended } = await beginTurn(services, turn)
    await follower.untilWords(2)

    const late = await followChat(services, chatId)
    await late.untilWords(2)
    expect(late.text).toBe('one two')

    await stopReply(services.ports, { ownerId: 'ada', chatId, runId: follower.run.runId })
    await Promise.all([follower.rest(), late.rest(), ended])
    expect(textIn(await lastOf(chatId))).toBe('one two')
  })

  it('given a continued reply that waits, when another process takes it, then it begins with the cut one too', async () => {
    const chatId = newId()
    answers.push({ text: ['one', ' two'], cutAfter: 1 }, { text: [' two'] })
    await takeTurn(services, { chatId, text: 'Count' })
    const turn = ask({ chatId, trigger: 'regenerate-message', continue: true })
    await startTurn(services.ports, turn, { queued: true })
    await (await takeOverRuns(services.ports)).ended
    expect(await linesOf(services, chatId)).toEqual(['user: Count', 'assistant: one two'])
  })

  it('given a provider that fails at once, then what there was is kept, and can be continued', async () => {
    const chatId = newId()
    answers.push(
      { text: ['one', ' two'], cutAfter: 1 },
      { error: { status: 400, message: 'Out of memory' } },
      { text: [' two'] },
    )
    await takeTurn(services, { chatId, text: 'Count' })
    const reader = await goOnWith(chatId, (await lastOf(chatId)).id)
    expect(reader.text).toBe('one')
    expect(await linesOf(services, chatId)).toEqual(['user: Count', 'assistant: one [failed]'])

    await goOnWith(chatId, (await lastOf(chatId)).id)
    expect(await linesOf(services, chatId)).toEqual(['user: Count', 'assistant: one two'])
  })

  it.each<[what: string, reply: ScriptedReply]>([
    ['a whole reply', 'Noted.'],
    ['a reply without a word', { reasoning: 'Hm', text: [], endAfter: 0 }],
  ])('given %s, then it is not continued, and nothing is written', async (_, reply) => {
    const chatId = newId()
    answers.push(reply)
    await takeTurn(services, { chatId, text: 'Hello' })
    const before = await openPage(services, chatId)
    await expect(goOnWith(chatId, (await lastOf(chatId)).id)).rejects.toMatchObject({
      code: 'nothing_to_continue',
    })
    expect(await openPage(services, chatId)).toEqual(before)
  })
})

onOneDatabase('a cut reply with tools that is continued', ({ name }) => {
  const tools = givenTools(name)

  it('given a finished call and words after it, then the call is not made again, and stands before them', async () => {
    const chatId = await tools.begin({ calculator: 'always' })
    const answers: ScriptedReply[] = [
      { toolCalls: [{ id: 'sum', name: 'calculator', input: { expression: '6*7' } }] },
      { text: ['It is', ' 42'], cutAfter: 1 },
      { text: [' 42'] },
    ]
    tools.world.answer = () => answers.shift() ?? 'Noted.'
    const { last: cut } = await tools.say({ chatId, text: 'Work it out' })
    const { last, branchId } = await tools.say({ chatId, trigger: 'regenerate-message', continue: true })

    expect(textIn(last)).toBe('It is 42')
    expect(callsIn(last)).toEqual(callsIn(cut))
    const request = tools.world.provider.requests.at(-1)
    expect(request?.messages.slice(-4).map(({ role }) => role)).toEqual([
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    expect((await openPage(tools.services, chatId, branchId)).window.messages.at(-1)?.id).toBe(last.id)
  })

  it('given a reply that went on after a person’s answer, then it is continued, and can be done anew from the same answer', async () => {
    const chatId = await tools.begin({ calculator: 'ask' })
    const answers: ScriptedReply[] = [
      { toolCalls: [{ id: 'sum', name: 'calculator', input: { expression: '6*7' } }] },
      { text: ['It is', ' 42'], cutAfter: 1 },
      { text: [' 42'] },
      'Forty-two',
    ]
    tools.world.answer = () => answers.shift() ?? 'Noted.'
    const { last: waiting } = await tools.say({ chatId, text: 'Work it out' })
    const approvalId = callsIn(waiting)[0]?.approval?.id ?? ''
    const allowed = { messageId: waiting.id, answers: [{ approvalId, approved: true }] }
    await tools.say({ chatId, trigger: 'answer-tools', ...allowed })
    const again = { chatId, trigger: 'regenerate-message' } as const
    const { last: continued, messages } = await tools.say({ ...again, continue: true })

    expect(textIn(continued)).toBe('It is 42')
    expect(callsIn(continued)).toMatchObject([{ state: 'output-available', approval: { approved: true } }])
    expect(messages.at(-2)?.id).toBe(waiting.id)
    const asked = tools.world.provider.requests.at(-1)?.messages ?? []
    expect(asked.slice(-4).map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant', 'user'])
    const shown = await readPrompt(tools.services.ports, { ownerId: 'ada', chatId, message: continued.id })
    expect(shown.messages.slice(-4).map(({ role }) => role)).toEqual(asked.slice(-4).map(({ role }) => role))

    const { last: anew } = await tools.say(again)
    expect(textIn(anew)).toBe('Forty-two')
  })
})

describe('a cut reply that ends the prompt', () => {
  const model = 'anthropic:claude-haiku-4-5'
  let services: Services
  let provider: Awaited<ReturnType<typeof startProvider>>
  let database: Awaited<ReturnType<typeof databaseEnv>>
  let answer: (request: { body: Body }) => ProviderAnswer

  interface Body {
    messages: { role: string; content: { text: string }[] }[]
  }

  beforeAll(async () => {
    database = await databaseEnv('pglite')
    provider = await startProvider((request) => answer(request))
    services = await createServices({
      ...database.env,
      ANTHROPIC_API_KEY: 'sk-ant-test',
      ANTHROPIC_BASE_URL: provider.url,
      RAMIFY_MODELS_FILE: modelsFile({ name: 'Haiku' }, model),
      RAMIFY_TITLES: 'words',
    })
    await addPerson(services, 'ada')
  })
  afterAll(async () => {
    await services.database.close()
    await database.remove()
    await provider.close()
  })

  const cutThen = (rest: string): typeof answer => {
    let isCut = false
    return () => {
      const pieces = messagesStream({ text: isCut ? rest : 'Three days in Lis' })
      if (isCut) return { pieces }
      isCut = true
      return { pieces: pieces.slice(0, -3), cut: true }
    }
  }
  const asked = (from: number) =>
    provider.requests
      .slice(from)
      .map(({ body }) =>
        (body as Body).messages.map(({ role, content }) => [role, content.map(({ text }) => text).join('')]),
      )
  const continued = async () => {
    const chatId = newId()
    await takeTurn(services, { chatId, text: 'Where to?', model })
    const from = provider.requests.length
    await takeTurn(services, { chatId, trigger: 'regenerate-message', continue: true, model })
    const last = (await openPage(services, chatId)).window.messages.at(-1)
    const shown = await readPrompt(services.ports, { ownerId: 'ada', chatId, message: last?.id ?? '' })
    return { text: textIn(last), requests: asked(from), shown: shown.messages }
  }
  const prefill = [
    ['user', 'Where to?'],
    ['assistant', 'Three days in Lis'],
  ]

  it('given a model that takes it, then nothing follows it', async () => {
    answer = cutThen('bon')
    const { text, requests, shown } = await continued()
    expect({ text, requests }).toEqual({ text: 'Three days in Lisbon', requests: [prefill] })
    expect(shown).toHaveLength(2)
  })

  it('given a server that refuses it, then it is asked with a request, and from then on', async () => {
    const refusing = (): typeof answer => {
      const answering = cutThen('bon')
      const message =
        'This model does not support assistant message prefill. The conversation must end with a user message.'
      return (request) =>
        request.body.messages.at(-1)?.role === 'assistant'
          ? {
              status: 400,
              pieces: [JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })],
            }
          : answering(request)
    }
    const withRequest = [...prefill, ['user', goOn]]
    answer = refusing()
    expect(await continued()).toMatchObject({
      text: 'Three days in Lisbon',
      requests: [prefill, withRequest],
      shown: [{}, {}, { role: 'user', content: [{ text: goOn }] }],
    })
    answer = refusing()
    expect(await continued()).toMatchObject({ text: 'Three days in Lisbon', requests: [withRequest] })
  })
})
