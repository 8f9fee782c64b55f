// Agents' calls become a graph: what is stored, what opens a branch, and what is the same again.

import type { ModelMessage } from 'ai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NotFoundError, planFork } from '@/lib/context'
import { beginCall, steerAgent } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { answeredChain } from '@/lib/gateway/steered-call'
import { moveBelongings } from '@/lib/store'
import {
  answering,
  assistant,
  calling,
  callOf,
  drawChat,
  drawn,
  replyOf,
  ScriptedAgent,
  user,
} from '@/testing/worlds/agent-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { addPerson, givenWorld, isSound, takeTurn } from '@/testing/worlds/turn-world'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

onOneDatabase('the calls of an agent', ({ name }) => {
  const { world, services } = givenWorld(name)
  const agent = (over = {}) => new ScriptedAgent(services.ports, { ownerId: 'ada', ...over })
  const draw = (chatId: string) => drawChat(services.ports, chatId)
  const isDrawn = (chatId: string) => async (drawing: string) =>
    expect(await draw(chatId)).toBe(drawn(drawing))
  /** Then the chat has no fork, and says this. */
  const isLine = async (chatId: string, ...said: string[]) =>
    expect(await draw(chatId)).toBe(said.map((words, depth) => '  '.repeat(depth) + words).join('\n'))
  const eventsOf = async (chatId: string, type: string) =>
    (await services.ports.store.getEvents(chatId)).filter((event) => event.type === type)
  const counted = async (chatId: string) => (await draw(chatId)).split('\n').length

  const turns = (count: number) =>
    Array.from({ length: count }, (_, n) => [user(`Turn ${n} of ${count}`), assistant(`Reply ${n}`)]).flat()

  beforeAll(() => addPerson(services, 'bob'))
  afterAll(() => isSound(services))

  it('open a branch at the beginning of a conversation, however many messages of the call are new', async () => {
    const ada = agent()
    const { chatId, messageId } = await ada.ask(user('The first of many'), 'Kept')
    const other = ada.fork()
    const place = await other.ask([...turns(30), user('And now?')], 'Far along')

    expect(place.chatId).toBe(chatId)
    const chain = await services.ports.store.getMessageChain(chatId, place.messageId)
    expect(chain).toHaveLength(64)
    expect(chain[1]?.id).toBe(messageId)
  })

  it('put system texts and tools into the context of the branch, and change it where they change', async () => {
    const description = 'Looks up a word'
    const tools = [{ name: 'look_up', description, inputSchema: { type: 'object' } }]
    const ada = agent({ call: { system: ['You are a dictionary.'], tools }, model: 'openai:gpt-5' })
    const { chatId, branchId } = await ada.ask(user('Contexts'), 'One')
    const contextOf = async (branch: string) =>
      (await services.ports.reads.branchState(chatId, 'ada', branch)).state?.context
    const first = await contextOf(branchId)
    await ada.ask(user('Same'), 'Two')
    const same = await contextOf(branchId)
    const other = agent({ call: { system: ['You are a thesaurus.'], tools }, model: 'openai:gpt-5' })
    other.messages = [...ada.messages]
    const changed = await other.ask(user('Changed'), 'Three')

    expect(first).toMatchObject({
      model: 'openai:gpt-5',
      fragments: [
        { $fragment: { name: 'role', data: 'You are a dictionary.' } },
        { $fragment: { name: 'tool', data: { name: 'look_up', description, schema: '{"type":"object"}' } } },
      ],
      setup: { off: ['tool-1'] },
    })
    expect(same?.id).toBe(first?.id)
    expect(changed.branchId).toBe(branchId)
    const fragments = [{ $fragment: { data: 'You are a thesaurus.' } }, {}]
    expect(await contextOf(branchId)).toMatchObject({ fragments })
    expect(await eventsOf(chatId, 'ContextChanged')).toHaveLength(1)
  })

  it('keep use, model and the state of a reply that broke off, and go on below it', async () => {
    const ada = agent({ model: 'openai:gpt-5' })
    ada.messages.push(user('Break off'))
    const brokenOff = 'The provider closed the connection.'
    const half = replyOf('Half a', { brokenOff, usage: { input: 7, cached: 2 } })
    const { chatId, messageId } = await (await ada.begin()).end(half)
    const usage = { inputTokens: 7, cachedTokens: 2 }
    const metadata = { model: 'openai:gpt-5', usage, error: { message: brokenOff } }
    const stored = await services.ports.store.getMessage(chatId, messageId)
    expect(stored).toMatchObject({
      status: 'failed',
      data: { parts: [{ type: 'text', text: 'Half a' }], metadata },
    })
    const again = await (await ada.begin()).end(replyOf('Half a loaf'))
    await isDrawn(chatId)(`
      user: Break off
        assistant: Half a [failed] *
        assistant: Half a loaf *
    `)
    expect(again.messageId).not.toBe(messageId)
  })

  it('leave the question open where the provider refuses, and where it says nothing', async () => {
    const ada = agent()
    ada.messages.push(user('Refused'))
    await (await ada.begin()).fail('The model is overloaded.')
    await (await ada.begin()).end(replyOf(''))
    const { chatId } = await (await ada.begin()).end(replyOf('Now'))

    await isLine(chatId, 'user: Refused', 'assistant: Now *')
    expect(await eventsOf(chatId, 'ReplyFailed')).toMatchObject([
      { payload: { reason: 'The model is overloaded.' } },
    ])
  })

  it('keep images as files, and find the message by them', async () => {
    const picture = `data:image/png;base64,${PIXEL}`
    const file = { type: 'file' as const, data: picture, mediaType: 'image/png' }
    const look: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Look' }, file] }
    const { chatId } = await agent().ask(look, 'A dot')
    await agent().ask(look, 'A point')
    const [message] = await services.ports.store.getMessages(chatId)

    expect(message?.data).toMatchObject({
      parts: [
        { type: 'text', text: 'Look' },
        { type: 'file', mediaType: 'image/png', url: expect.stringMatching(/^\/api\/files\//) },
      ],
    })
    expect(await counted(chatId)).toBe(3)
  })

  it('take what no database stores: NUL, half characters, arguments of a thousand levels', async () => {
    const deep = `${'['.repeat(1000)}${']'.repeat(1000)}`
    const tools = [{ name: 'deep', inputSchema: JSON.parse(deep) }]
    const ada = agent({ call: { system: ['NUL \0'], tools } })
    await ada.ask(user('NUL \0 and \ud800'), {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'deep', toolName: 'look_up', input: JSON.parse(deep) }],
    })
    const { chatId } = await ada.ask(answering('deep', 'found \0'), 'Done')
    expect(await counted(chatId)).toBe(4)
    await ada.ask(user('Again'), 'Done again')
    expect(await counted(chatId)).toBe(6)
  })

  it('of two people with the same words never meet', async () => {
    const one = await agent().ask(user('Mine'), 'Yours')
    const other = await agent({ ownerId: 'bob' }).ask(user('Mine'), 'Yours')

    expect(other.chatId).not.toBe(one.chatId)
    expect(await services.ports.reads.graph(other.chatId, 'ada')).toBeUndefined()
    const { chatId: chat, branchId: branch, messageId: message } = one
    for (const pin of [{ chat }, { branch }, { chat, message }]) {
      await expect(agent({ ownerId: 'bob', pin }).ask(user('Hi'), '')).rejects.toThrow(NotFoundError)
    }
  })

  it('pinned to a branch go on at its end, and the provider is sent what stands there', async () => {
    const ada = agent()
    const { chatId, branchId } = await ada.ask(user('Pinned'), 'Begin')
    const pinned = agent({ pin: { branch: branchId } })
    pinned.messages.push(user('Only what is new'))
    const begun = await pinned.begin()
    const end = await begun.end(replyOf('Understood'))

    expect(begun.place).toMatchObject({ chatId, branchId })
    expect(begun.steered).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'Pinned' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Begin' }] },
      { role: 'user', content: [{ type: 'text', text: 'Only what is new' }] },
    ])
    // the agent sends everything that it knows of
    pinned.messages.push(assistant('Understood'))
    const next = await pinned.ask(user('And more'), 'Yes')
    expect(next.branchId).toBe(end.branchId)
    const begin = ['user: Pinned', 'assistant: Begin', 'user: Only what is new', 'assistant: Understood']
    await isLine(chatId, ...begin, 'user: And more', 'assistant: Yes *')
  })

  it('pinned to a chat begin there anew, and pinned to a message begin below it', async () => {
    const ada = agent()
    const { chatId, messageId } = await ada.ask(user('Here I am'), 'Welcome')
    await ada.ask(user('On'), 'Off')
    const beside = agent({ pin: { chat: chatId } })
    await beside.ask(user('Another task'), 'Done')
    await beside.ask(user('And then'), 'Done too')
    await agent({ pin: { chat: chatId, message: messageId } }).ask(user('From here'), 'Gladly')

    await isDrawn(chatId)(`
      user: Another task
        assistant: Done
          user: And then
            assistant: Done too *
      user: Here I am
        assistant: Welcome
          user: From here
            assistant: Gladly *
          user: On
            assistant: Off *
    `)
  })

  /** A call that may follow an earlier one by the id of its response. */
  const respond = async (words: string, reply: string, responseId: string, previousResponseId?: string) => {
    const call = callOf([user(words)], {
      protocol: 'responses',
      ...(previousResponseId && { previousResponseId }),
    })
    const begun = await beginCall(services.ports, { ownerId: 'ada', call })
    return { steered: begun.steered, ...(await begun.end(replyOf(reply, { responseId }))) }
  }

  it('that follow a response by its id go on below it', async () => {
    const { chatId, branchId } = await respond('Keep it', 'Kept', 'resp_1')
    const second = await respond('And this', 'Too', 'resp_2', 'resp_1')
    const whole = agent({ call: { protocol: 'responses' } })
    whole.messages = [user('Keep it'), assistant('Kept'), user('And this'), assistant('Too')]
    const third = await whole.ask(user('All of it'), 'Yes')

    expect(second.steered).toBeUndefined()
    expect(third).toMatchObject({ chatId, branchId })
    expect(await counted(chatId)).toBe(6)
  })

  it('whose provider has one id for all responses are stored whole, and go on below the latest', async () => {
    for (const word of ['One', 'Two']) await respond(word, `${word} it is`, 'resp_always')
    const { chatId } = await respond('Which?', 'The second', 'resp_always', 'resp_always')

    const said = (await draw(chatId)).split('\n').map((line) => line.trim())
    expect(said.slice(-4)).toEqual([
      ...['user: Two', 'assistant: Two it is', 'user: Which?', 'assistant: The second *'],
    ])
  })

  it('that end with the beginning of a reply are found by the whole of it', async () => {
    const ada = agent()
    ada.messages = [user('Begin it'), assistant('Once')]
    const { chatId, branchId } = await (await ada.begin()).end(replyOf(' upon a time'))
    const next = agent()
    next.messages = [user('Begin it'), assistant('Once upon a time')]
    expect(await next.ask(user('And?'), 'The end')).toMatchObject({ chatId, branchId })
  })

  it('begin a chat that is called after the first words of a person', async () => {
    const { chatId } = await agent({ client: 'aider/1.0' }).ask(user('What is **new**?'), 'Much')
    expect(await services.store.getChat(chatId)).toMatchObject({
      title: 'What is new?',
      metadata: { agent: { protocol: 'chat-completions', client: 'aider/1.0' } },
    })
  })

  it('find nothing of a chat that was deleted', async () => {
    const ada = agent()
    const { chatId } = await ada.ask(user('Forget me'), 'Never')
    await services.ports.store.deleteChat(chatId)
    const again = await ada.ask(user('Who am I?'), 'Who knows')
    expect(again.chatId).not.toBe(chatId)
    expect(await counted(again.chatId)).toBe(4)
  })

  it('of a guest are found by the account that the guest signs in to', async () => {
    for (const id of ['guest', 'account']) await addPerson(services, id)
    const guest = agent({ ownerId: 'guest' })
    const { chatId, branchId } = await guest.ask(user('Before'), 'Reply')
    const both = agent({ ownerId: 'guest' })
    await both.ask(user('Both'), 'Of the guest')
    const own = await agent({ ownerId: 'account' }).ask(user('Both'), 'Of the account')
    await moveBelongings(services.database, 'guest', 'account')

    const account = agent({ ownerId: 'account' })
    account.messages = [...guest.messages]
    expect(await account.ask(user('After'), 'Reply')).toMatchObject({ chatId, branchId })
    expect(await agent({ ownerId: 'account' }).ask(user('Both'), 'Of the account')).toEqual(own)
  })

  it('go on in the browser with the answers of tools beside their calls', async () => {
    const ada = agent()
    await ada.ask(user('Find it'), calling('w1'))
    const { chatId, branchId } = await ada.ask(answering('w1', 'Found'), 'Here it is')
    await takeTurn(services, { chatId, branch: branchId, text: 'Thank you' })

    expect(world.provider.requests.at(-1)?.messages.slice(-5)).toMatchObject([
      { role: 'user', content: 'Find it' },
      { role: 'assistant', tool_calls: [{ id: 'w1' }] },
      { role: 'tool', tool_call_id: 'w1' },
      { role: 'assistant', content: 'Here it is' },
      { role: 'user', content: 'Thank you' },
    ])
  })

  const fork = async (chatId: string, messageId: string) => {
    const { steps, branchId } = planFork({ after: 'main', messageId, newId })
    await services.ports.store.commit({ chatId, at: Date.now(), steps })
    return branchId
  }

  const opensOn = async (chatId: string) => {
    const [chat] = await services.database.query<{ branch: string }>(
      'select active_branch_id as branch from chats where id = $1',
      [chatId],
    )
    return chat?.branch
  }

  it('have the chat open where the agent has written last, not on a reply that was cut off', async () => {
    const ada = agent()
    ada.messages.push(user('A reply that is cut'))
    const cut = await (await ada.begin()).end(replyOf('Half', { brokenOff: 'Cut.' }))
    const whole = await (await ada.begin()).end(replyOf('Whole', { others: [replyOf('Beside')] }))
    expect(whole.branchId).not.toBe(cut.branchId)
    expect(await opensOn(cut.chatId)).toBe(whole.branchId)

    // one that goes on with the reply that was cut after all
    const other = ada.fork()
    other.messages.push(assistant('Half'))
    await other.ask(user('Go on'), 'Gladly')
    expect(await opensOn(cut.chatId)).toBe(cut.branchId)
  })

  it('leave the chat where a person has moved it, or has written last', async () => {
    const moved = agent()
    const { chatId, messageId } = await moved.ask(user('Moved by a person'), 'Yes')
    const { steps, branchId } = planFork({ after: 'main', messageId, newId })
    await services.ports.store.commit({
      chatId,
      at: Date.now(),
      steps: [...steps, { kind: 'mark-move', move: 'branch' }],
    })
    const other = moved.fork()
    await Promise.all([moved.ask(user('One'), 'First'), other.ask(user('Two'), 'Second')])
    expect(await opensOn(chatId)).toBe(branchId)

    const spoken = agent()
    const place = await spoken.ask(user('Written by a person'), 'Yes')
    await takeTurn(services, { chatId: place.chatId, branch: place.branchId, text: 'And I say' })
    const again = await spoken.ask(user('Go on'), 'Gladly')
    expect(again.branchId).not.toBe(place.branchId)
    expect(await opensOn(place.chatId)).toBe(place.branchId)
  })

  it('go on where they stand on a branch that is open, not on one that was archived', async () => {
    const ada = agent()
    const { chatId, branchId, messageId } = await ada.ask(user('Archive this'), 'Yes')
    const to = await fork(chatId, messageId)
    const steps = [{ kind: 'archive-branch' as const, branchId }]
    await services.ports.store.commit({ chatId, at: Date.now(), steps })
    expect(await ada.ask(user('Go on'), 'Gladly')).toMatchObject({ chatId, branchId: to })
  })

  it('that a person steers to a call of a tool bring its answer with them', async () => {
    const ada = agent()
    await ada.ask(user('Look twice'), 'Yes')
    const { chatId, branchId, messageId } = await ada.ask(user('Now'), calling('t1', 't2'))
    await ada.ask([answering('t1', 'One'), answering('t2', 'Two')], 'Both')
    const to = await fork(chatId, messageId)
    await steerAgent(services.ports, { ownerId: 'ada', chatId, branch: branchId, to })
    // the agent says again what its tools have answered
    ada.messages.push(answering('t1', 'One, once more'))
    const begun = await ada.begin()
    await begun.end(replyOf('Better'))

    expect(answeredChain(begun.steered ?? []).slice(2)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 't1' }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 't1' }] },
      { role: 'user' },
    ])
    // and once more, when the process has died before the reply
    expect((await ada.begin()).steered).toEqual(begun.steered)
  })
})
