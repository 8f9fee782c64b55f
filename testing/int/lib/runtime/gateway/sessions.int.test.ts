// Calls of clients that name their sessions: chats, sub-agents, compactions and titles.

import type { ModelMessage } from 'ai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginTitle } from '@/lib/conversations'
import type { AgentSession } from '@/lib/gateway/session'
import {
  answering,
  assistant,
  callOf,
  drawChat,
  drawn,
  replyOf,
  ScriptedAgent,
  user,
} from '@/testing/worlds/agent-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { addPerson, givenWorld, isSound } from '@/testing/worlds/turn-world'

const session = (thread: string | string[], over: Partial<AgentSession> = {}): AgentSession => ({
  thread: [thread].flat(),
  isShared: true,
  asksTitle: false,
  ...over,
})

const starting = (id: string, task: string): ModelMessage & { role: 'assistant' } => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'Agent', input: { prompt: task } }],
})

const SUMMARY =
  'This session is being continued from a previous conversation that ran out of context.\n\nThe bug was found.'

onOneDatabase('the sessions of a client', ({ name }) => {
  const { services } = givenWorld(name)
  const agent = (of: AgentSession | undefined, over = {}) =>
    new ScriptedAgent(services.ports, { ownerId: 'ada', session: of, ...over })
  const isDrawn = async (chatId: string, drawing: string) =>
    expect(await drawChat(services.ports, chatId)).toBe(drawn(drawing))
  const titleOf = async (chatId: string) => (await services.ports.store.getChat(chatId))?.title
  const askTitle = async (of: AgentSession, title: string, ownerId = 'ada') => {
    const call = callOf([user('Generate a title for this conversation:')])
    const asked = await beginTitle(
      services.ports,
      { ownerId, session: { ...of, asksTitle: true }, call },
      false,
    )
    await asked?.end(replyOf(title))
  }

  beforeAll(() => addPerson(services, 'bob'))
  afterAll(() => isSound(services))

  it('are chats: the same words in another session are another chat, and in the same one the same', async () => {
    const one = await agent(session('s1')).ask(user('Fix the bug'), 'Done')
    const other = await agent(session('s2')).ask(user('Fix the bug'), 'Done')
    const again = await agent(session('s1')).ask(user('Fix the bug'), 'Done')
    const unnamed = await agent(undefined).ask(user('Fix the bug'), 'Done')

    expect(new Set([one, other, unnamed].map(({ chatId }) => chatId)).size).toBe(3)
    expect(again).toEqual(one)
    await isDrawn(one.chatId, 'user: Fix the bug\n  assistant: Done *')
  })

  it('belong to their owner: the session of another person is unknown', async () => {
    const ada = await agent(session('shared name')).ask(user('Whose?'), 'Mine')
    const bob = await agent(session('shared name'), { ownerId: 'bob' }).ask(user('Whose?'), 'Mine')
    const sub = session(['shared name', 'a1'], { parent: ['shared name'] })
    const below = await agent(sub, { ownerId: 'bob' }).ask(user('Look around'), 'Seen')

    expect(bob.chatId).not.toBe(ada.chatId)
    expect(below.chatId).toBe(bob.chatId)
    await isDrawn(ada.chatId, 'user: Whose?\n  assistant: Mine *')
  })

  it('hold what else a client asks in them, from the beginning, also where two are interleaved', async () => {
    const one = agent(session('interleaved'))
    const other = agent(session('interleaved'))
    const { chatId } = await one.ask(user('Paint the door'), 'Red')
    const places = [
      await other.ask(user('Bake a cake'), 'Sweet'),
      await one.ask(user('And now?'), 'Dry'),
      await other.ask(user('And now?'), 'Baked'),
    ]

    expect(places.map((place) => place.chatId)).toEqual([chatId, chatId, chatId])
    await isDrawn(
      chatId,
      `
      user: Bake a cake
        assistant: Sweet
          user: And now?
            assistant: Baked *
      user: Paint the door
        assistant: Red
          user: And now?
            assistant: Dry *
    `,
    )
  })

  it('are kept apart by the key of a cache, which joins nothing', async () => {
    const key = session('of an app', { isShared: false })
    const one = await agent(key).ask(user('Paint the fence'), 'Red')
    const other = await agent(key).ask(user('Bake a bread'), 'Warm')
    const elsewhere = await agent(session('of another app', { isShared: false })).ask(
      user('Bake a bread'),
      'Warm',
    )

    expect(new Set([one, other, elsewhere].map(({ chatId }) => chatId)).size).toBe(3)
  })

  it('have sub-agents as branches at the tool calls that began them, however far their parent is', async () => {
    const main = agent(session('with agents'))
    const { chatId, branchId } = await main.ask(user('Fix it'), starting('t1', 'Read "a.md"'))
    await main.ask(answering('t1', 'It runs in the background'), starting('t2', 'Read b.md'))
    const reminded = '<system-reminder>The date</system-reminder>Read "a.md"'
    const first = agent(session(['with agents', 'x'], { parent: ['with agents'] }))
    const one = await first.ask(user(reminded), starting('u1', 'Deeper'))
    const second = agent(session(['with agents', 'y'], { parent: ['with agents'] }))
    const other = await second.ask(user('Read b.md'), 'B')
    const third = agent(session(['with agents', 'z'], { parent: ['with agents', 'x'] }))
    await third.ask(user('Deeper'), 'Deep')
    const goneOn = await first.ask(answering('u1', 'Deep'), 'A')
    const ofChat = 'select active_branch_id as id from chats where id = $1'
    expect(await services.database.query(ofChat, [chatId])).toEqual([{ id: branchId }])
    const done = await main.ask(answering('t2', 'B'), 'Fixed')

    expect(done.branchId).toBe(branchId)
    expect(goneOn.branchId).toBe(one.branchId)
    expect(new Set([one.branchId, other.branchId, branchId]).size).toBe(3)
    await isDrawn(
      chatId,
      `
      user: Fix it
        assistant: t1?
          tool: t1=It runs in the background
            assistant: t2?
              tool: t2=B
                assistant: Fixed *
              user: Read b.md
                assistant: B *
          user: <system-reminder>The date</system-reminder>Read "a.md"
            assistant: u1?
              tool: u1=Deep
                assistant: A *
              user: Deeper
                assistant: Deep *
    `,
    )
  })

  it('let a sub-agent that inherits what was said go on from there, and store it once', async () => {
    const main = agent(session('forking'))
    const { chatId } = await main.ask(user('Set the table'), starting('t1', 'Find plates'))
    const sub = agent(session(['forking', 'x'], { parent: ['forking'] }))
    sub.messages = [...main.messages, answering('t1', 'forked')]
    await sub.ask(user('Find plates'), 'Six')
    await sub.ask(user('More'), 'None')
    await main.ask(answering('t1', 'Six'), 'Set')

    await isDrawn(
      chatId,
      `
      user: Set the table
        assistant: t1?
          tool: t1=Six
            assistant: Set *
          tool: t1=forked
            user: Find plates
              assistant: Six
                user: More
                  assistant: None *
    `,
    )
  })

  it('wait for the reply that begins a sub-agent, which may ask before it is stored', async () => {
    const main = agent(session('in a hurry'))
    main.messages.push(user('Hurry'))
    const begun = await main.begin()
    const stored = () => begun.end(replyOf(starting('t1', 'Run')))
    const sub = agent(session(['in a hurry', 'x'], { parent: ['in a hurry'] }), { stored })
    const { chatId } = await sub.ask(user('Run'), 'Ran')

    await isDrawn(chatId, 'user: Hurry\n  assistant: t1? *\n    user: Run\n      assistant: Ran *')
  })

  it('give a sub-agent whose parent was never seen a chat of its own', async () => {
    const sub = agent(session(['never seen', 'x'], { parent: ['never seen', 'y'] }))
    const { chatId } = await sub.ask(user('Alone'), 'Quite')
    const place = await sub.ask(user('Still?'), 'Still')

    expect(place.chatId).toBe(chatId)
  })

  it('go on below the summary that a client replaces them with, which says what it stands for', async () => {
    const main = agent(session('compacted'))
    const { chatId } = await main.ask(user('Find the bug'), 'Found')
    await main.ask(user('Write a detailed summary of this conversation.'), 'The bug was found.')
    main.messages = [user(SUMMARY)]
    const { branchId, messageId } = await main.ask(user('Now a test'), 'Tested')
    await main.ask(user('Write another summary, please.'), 'The bug was tested.')
    main.messages = [user(`${SUMMARY} It was tested.`)]
    const again = await main.ask(user('Ship it'), 'Shipped')

    expect(again.chatId).toBe(chatId)
    const chain = await services.ports.store.getMessageChain(chatId, messageId)
    const found = (await services.ports.store.getMessages(chatId)).filter(({ name }) => name === 'assistant')
    const compact = { untilId: found[0]?.id, count: 2 }
    expect(chain[0]?.data).toMatchObject({ metadata: { compact } })
    const events = await services.ports.store.getEvents(chatId)
    const compactions = events.filter(({ type }) => type === 'ThreadCompacted')
    expect(compactions).toHaveLength(2)
    expect(compactions[1]?.payload).toMatchObject({ source_thread_id: branchId })
    expect((await services.ports.store.listBranches(chatId)).length).toBe(3)
  })

  it('begin anew at each compaction, also where the first words stay', async () => {
    const main = agent(session('kept words'))
    const { chatId } = await main.ask(user('Sort them'), 'Sorted')
    const summary = (n: number) =>
      user(`Another language model started to solve this problem and produced a summary: ${n}`)
    main.messages = [user('Sort them'), summary(1)]
    await main.ask([], 'Going on')
    main.messages = [user('Sort them'), summary(2)]
    await main.ask([], 'Going further')

    const branches = await services.ports.store.listBranches(chatId)
    expect(branches).toHaveLength(3)
    const chains = await Promise.all(
      branches.map(({ headMessageId }) => services.ports.store.getMessageChain(chatId, headMessageId ?? '')),
    )
    expect(
      chains.map((chain) => chain.map(({ data }) => 'compact' in (data as { metadata: object }).metadata)),
    ).toEqual(
      expect.arrayContaining([
        [false, false],
        [false, true, false],
        [false, true, false],
      ]),
    )
  })

  it('are called what their client calls them, asked before or after the first words', async () => {
    await askTitle(session('title first'), 'A garden in spring')
    const first = await agent(session('title first')).ask(user('Plan my garden'), 'Beds')
    const later = await agent(session('title later')).ask(user('Plan my kitchen'), 'Shelves')
    await askTitle(session('title later'), '{"title": "Shelves for a kitchen"}')

    expect(await titleOf(first.chatId)).toBe('A garden in spring')
    expect(await titleOf(later.chatId)).toBe('Shelves for a kitchen')
    await isDrawn(later.chatId, 'user: Plan my kitchen\n  assistant: Shelves *')
  })

  it('are asked for no title that quotas could not count', async () => {
    const call = callOf([user('Generate a title for this conversation:')])
    const asking = session('counted', { asksTitle: true })
    const asked = () => beginTitle(services.ports, { ownerId: 'ada', session: asking, call }, true)
    const before = await asked()
    const { chatId } = await agent(session('counted')).ask(user('Plan my attic'), 'Boxes')
    await (await asked())?.end(replyOf('Boxes in the attic'))

    expect(before).toBeUndefined()
    expect(await titleOf(chatId)).toBe('Boxes in the attic')
  })

  it('keep the name that a person gave, and know no title of another person', async () => {
    const { chatId } = await agent(session('named')).ask(user('Plan my cellar'), 'Racks')
    await askTitle(session('named'), 'Of another', 'bob')
    expect(await titleOf(chatId)).toBe('Plan my cellar')
    const steps = [{ kind: 'update-chat' as const, title: 'Mine' }]
    await services.ports.store.commit({ chatId, ownerId: 'ada', at: services.ports.clock(), steps })
    await askTitle(session('named'), 'Of the client')

    expect(await titleOf(chatId)).toBe('Mine')
  })

  it('are called by what the person said, and not by what the client has put before it', async () => {
    const context = user('<environment_context>\n  <cwd>/home</cwd>\n</environment_context>')
    const { chatId, messageId } = await agent(session('injected')).ask(
      [context, user('Fix add.mjs')],
      'Fixed',
    )
    const setup = 'This is the Qwen Code. We are setting up the context for our chat.\nToday is Friday.'
    const said = [user(setup), assistant('Got it. Thanks for the context!'), user('Fix sub.mjs')]
    const qwen = await agent(undefined).ask(said, 'Fixed')

    expect(await titleOf(chatId)).toBe('Fix add.mjs')
    expect(await titleOf(qwen.chatId)).toBe('Fix sub.mjs')
    const chain = await services.ports.store.getMessageChain(chatId, messageId)
    expect(chain).toHaveLength(3)
  })
})
