import { type JSONSchema7, jsonSchema, type ModelMessage, streamText, tool, type UIMessage } from 'ai'
import { expect, it } from 'vitest'
import { goOn } from '@/lib/ai/prompt/go-on'
import { parseUserMessage, readPrompt, rewind } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { type ContextChange, fileUrl } from '@/lib/protocol'
import type { ChatRequest, ScriptedReply } from '@/testing/machines/openai-server'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { pngImage } from '@/testing/worlds/sample-files'
import { type Ask, ask, givenWorld, isHidden, MODEL, putContext, sayTo } from '@/testing/worlds/turn-world'

const TURNS = process.env.RAMIFY_TEST_LONG ? 50 : 25

/** The words of a message of a prompt. */
const wordsOf = (content: unknown): string =>
  (content as { text?: string }[]).map(({ text }) => text ?? '').join('')

/** The same message with a stored file. */
const withFile = ({ id, parts }: UIMessage, file: string) =>
  parseUserMessage({
    id,
    role: 'user',
    parts: [...parts, { type: 'file', filename: 'map.png', url: fileUrl(file) }],
  })

onOneDatabase('the prompt of a reply', ({ name }) => {
  const { world, services } = givenWorld(name)

  /** Takes a turn to its end; answers the branch it is on, its messages, and the request that the provider got. */
  const say = async ({ file, ...turn }: Ask & { file?: string }) => {
    const { message } = ask(turn)
    const asked = file && message ? { ...turn, message: withFile(message, file) } : turn
    const { request, ...said } = await sayTo(world, services, asked)
    if (!request) throw new Error('The provider was not asked')
    return { request, ...said }
  }
  const prompt = (chatId: string, which: { message?: string; branch?: string } = {}) =>
    readPrompt(services.ports, { ownerId: 'ada', chatId, ...which })

  const owned = (chatId: string) => ({ ownerId: 'ada', chatId })
  const hint = (data: string, enabled = true) => ({ id: data, name: 'hint', data, enabled })
  const changes: Omit<ContextChange, 'expected_context_id'>[] = [
    { fragments: [hint('Be <brief> & kind'), hint('Not this', false)], settings: { temperature: 0.3 } },
    { renderer: 'markdown', tools: { remember: 'always', calculator: 'always' } },
    { memories: [{ key: 'diet', text: 'Vegetarian', message_id: null }], settings: { seed: 7, top_p: 0.5 } },
    { renderer: 'toon', tools: { calculator: 'always' } },
    { renderer: 'toml', settings: {} },
    { renderer: 'xml', tools: { current_time: 'always', remember: 'always', calculator: 'always' } },
  ]

  /** The request that the provider gets when a prompt is sent again as it is shown: over JSON, and nothing else. */
  const sentAgain = async (shown: Awaited<ReturnType<typeof prompt>>): Promise<ChatRequest> => {
    const { system, messages, tools, settings } = JSON.parse(JSON.stringify(shown)) as typeof shown
    const answer = world.answer
    world.answer = () => 'Noted.'
    const before = world.provider.requests.length
    const sent = streamText({
      model: (await services.models.of('ada')).get(MODEL),
      instructions: system ?? undefined,
      messages: messages as unknown as ModelMessage[],
      ...(tools.length > 0 && {
        tools: Object.fromEntries(
          tools.map(({ name: called, description, input_schema }) => [
            called,
            tool({ description: String(description), inputSchema: jsonSchema(input_schema as JSONSchema7) }),
          ]),
        ),
      }),
      temperature: settings.temperature,
      topP: settings.top_p,
      seed: settings.seed,
    })
    await sent.consumeStream()
    world.answer = answer
    const [request] = world.provider.requests.splice(before)
    if (!request) throw new Error('The provider was not asked')
    return request
  }

  it('given many turns over edits, other tries, rewinds, changed contexts, memories, files and tools, then of each the same bytes', async () => {
    const chatId = newId()
    world.answer = (request) => {
      const isAsked = String(request.messages.at(-1)?.content).includes('remember')
      if (request.tools === undefined || !isAsked) return 'Noted.'
      const note = { key: `k${request.messages.length}`, text: 'It <rains> & pours' }
      return {
        toolCalls: [
          { name: 'remember', input: note, id: 'a' },
          { name: 'calculator', input: { expression: '6*7' }, id: 'b' },
        ],
      }
    }
    const file = await services.files.store('ada', {
      name: 'map.png',
      bytes: pngImage('map'),
      mediaType: 'image/png',
    })
    const asked: { id: string; request: ChatRequest }[] = []
    let last = await say({ chatId, text: 'Where is the station?' })
    const note = () => {
      const reply = last.messages.at(-1)
      if (reply) asked.push({ id: reply.id, request: last.request })
    }
    note()
    for (let turn = 1; turn < TURNS; turn++) {
      const question = last.messages.findLast(({ role }) => role === 'user')
      let branch = last.branchId
      const reply = last.messages[1]?.id
      // every fifth is an edit, every seventh another try, every ninth follows a rewind: all go on elsewhere
      if (turn % 9 === 0 && reply) {
        const back = await rewind(services.ports, { ...owned(chatId), branchId: branch, messageId: reply })
        branch = back.branchId
      }
      if (turn % 3 === 0)
        await putContext(services, chatId, changes[(turn / 3) % changes.length] ?? {}, branch)
      const next = await prompt(chatId, { branch })
      if (turn % 5 === 0)
        last = await say({ chatId, branch, messageId: question?.id, text: `Edited ${turn}` })
      else if (turn % 7 === 0) last = await say({ chatId, branch, trigger: 'regenerate-message' })
      else {
        const text = turn % 3 === 0 ? `Please remember ${turn}` : `And then, ${turn}? <b>&`
        last = await say({ chatId, branch, text, ...(turn % 6 === 1 && file && { file: file.id }) })
        // what was shown before the turn is what was sent, up to the new message
        const { messages, tools } = await sentAgain(next)
        expect(last.request.messages.slice(0, messages.length)).toEqual(messages)
        expect(last.request.tools).toEqual(tools)
      }
      note()
    }

    expect(asked).toHaveLength(TURNS)
    // of every kind there were some
    const sent = asked.map(({ request }) => JSON.stringify(request))
    for (const words of ['"tools":', 'data:image/png', 'rains', 'Vegetarian', '"temperature":0.3', '## '])
      expect(sent.filter((request) => request.includes(words)).length, words).toBeGreaterThan(2)
    for (const { id, request } of asked) {
      const shown = await prompt(chatId, { message: id })
      expect(JSON.stringify(await sentAgain(shown)), id).toBe(JSON.stringify(request))
    }
  }, 60_000)

  it('given replies that failed, thoughts and blank words, then turns alternate, and what is shown is what was sent', async () => {
    const chatId = newId()
    const answers: ScriptedReply[] = [
      { error: { status: 400, message: 'Out of memory' } },
      { reasoning: 'They are kind.', text: 'All is well.' },
      '<think>Again.</think> \n',
      { text: 'It goes', cutAfter: 1 },
      'Noted.',
    ]
    world.answer = () => answers.shift() ?? 'Noted.'
    const texts = ['one', 'two', 'three', 'four', 'five']
    let last: Awaited<ReturnType<typeof say>> | undefined
    for (const text of texts) last = await say({ chatId, branch: last?.branchId, text })
    if (!last) throw new Error('Nothing was said')

    const shown = await prompt(chatId, { message: last.messages.at(-1)?.id })
    const [, ...sent] = last.request.messages.map(({ role, content }) => [role, content])
    expect(sent).toEqual([
      ['user', 'one\n\ntwo'],
      ['assistant', 'All is well.'],
      ['user', 'three\n\nfour'],
      ['assistant', 'It'],
      ['user', 'five'],
    ])
    expect(shown.messages.map(({ role, content }) => [role, wordsOf(content)])).toEqual(sent)
    expect(JSON.stringify(await sentAgain(shown))).toBe(JSON.stringify(last.request))
    // joined messages count where they stand
    expect(shown.tokens.messages.map(({ sent }) => sent)).toEqual([1, 0, 1, 1, 0, 0, 1, 1])
  })

  it('given cut replies that were continued, then of each the same bytes, with the request to go on', async () => {
    const chatId = newId()
    await say({ chatId, text: 'Hello' })
    await putContext(services, chatId, changes[1] ?? {})
    const answers: ScriptedReply[] = [
      { toolCalls: [{ name: 'calculator', input: { expression: '6*7' }, id: 'b' }] },
      { reasoning: 'They <b>count</b>.', text: ['It', ' is \n'], finishReason: 'length' },
      { reasoning: 'Hm.', text: ['42', ' and'], finishReason: 'length' },
      { toolCalls: [{ name: 'calculator', input: { expression: '43-1' }, id: 'c' }] },
      { text: ['so it', ' stays'], endAfter: 2 },
      { text: ['.'] },
    ]
    world.answer = () => answers.shift() ?? 'Noted.'
    await say({ chatId, text: 'Work it out' })
    for (const text of ['It is \n42 and', 'It is \n42 andso it stays', 'It is \n42 andso it stays.']) {
      const { request, messages } = await say({ chatId, trigger: 'regenerate-message', continue: true })
      const last = messages.at(-1)
      expect(wordsOf(last?.parts.filter(({ type }) => type === 'text'))).toBe(text)
      const shown = await prompt(chatId, { message: last?.id ?? '' })
      expect(JSON.stringify(await sentAgain(shown))).toBe(JSON.stringify(request))
      expect(request.messages.at(-1)).toMatchObject({ role: 'user', content: goOn })
    }
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
    await isHidden(services, chatId, (chat) => readPrompt(services.ports, chat))
  })
})
