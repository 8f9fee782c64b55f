// Clients that send the end of a conversation without its beginning.

import type { AssistantModelMessage, ModelMessage } from 'ai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginCall } from '@/lib/conversations'
import type { AgentCall } from '@/lib/gateway/agent-call'
import type { AgentSession } from '@/lib/gateway/session'
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
import { onEachDatabase } from '@/testing/worlds/open-stores'
import { addPerson, givenWorld, isSound } from '@/testing/worlds/turn-world'

onEachDatabase('the end of a conversation', ({ name }) => {
  const { services } = givenWorld(name)
  let keys = 0
  beforeAll(() => addPerson(services, 'bob'))
  afterAll(() => isSound(services))

  /** A client with a key of its own, and what it asks with messages of its choice. */
  const client = (over: { ownerId?: string; keyId?: string; session?: AgentSession } = {}) => {
    keys += 1
    const options = { ownerId: 'ada', keyId: `key ${name} ${keys}`, ...over }
    const send = async (messages: ModelMessage[], reply: string, system = 'Be brief.') => {
      const begun = await beginCall(services.ports, {
        ...options,
        call: callOf(messages, { system: [system] }),
      })
      return begun.end(replyOf(reply))
    }
    return { ...options, agent: new ScriptedAgent(services.ports, options), send }
  }
  /** Given a conversation about three rooms, with a tool that is called in the second turn. */
  const painting = async (told = client()) => {
    const { chatId } = await told.agent.ask(user(`Paint the hall with ${told.keyId}`), 'Hall is red')
    await told.agent.ask(user('And the kitchen?'), calling('c1'))
    await told.agent.ask(answering('c1', 'blue is left'), 'Kitchen is blue')
    await told.agent.ask(user('And the bath?'), 'Bath is green')
    return { ...told, chatId, said: [...told.agent.messages] }
  }
  const wholeOf = (key: string) => `
    user: Paint the hall with ${key}
      assistant: Hall is red
        user: And the kitchen?
          assistant: c1?
            tool: c1=blue is left
              assistant: Kitchen is blue
                user: And the bath?
                  assistant: Bath is green`
  const isDrawn = async (chatId: string, drawing: string) =>
    expect(await drawChat(services.ports, chatId)).toBe(drawn(drawing))

  it.each([
    { begins: 'a reply', left: 1 },
    { begins: 'a reply that calls a tool', left: 3 },
    { begins: 'the answer of a tool', left: 4 },
    { begins: 'what a person says', left: 2 },
  ])(
    'given one that begins with $begins, when the client goes on, then it goes on below what it left out',
    async ({ left }) => {
      const { chatId, keyId, said, send } = await painting()
      const place = await send([...said.slice(left), user('Thanks')], 'Welcome')
      expect(place.chatId).toBe(chatId)
      await isDrawn(
        chatId,
        `${wholeOf(keyId)}
                    user: Thanks
                      assistant: Welcome *`,
      )
    },
  )

  it('given a client that always sends its last four messages, then its conversation is one line', async () => {
    const { chatId, said, send } = await painting()
    const all = [...said]
    for (const word of ['one', 'two', 'three']) {
      all.push(user(`Count ${word}`))
      const place = await send(all.slice(-4), `Heard ${word}`)
      expect(place.chatId).toBe(chatId)
      all.push(assistant(`Heard ${word}`))
    }
    const chain = await services.ports.store.getMessages(chatId)
    expect(chain).toHaveLength(all.length)
    expect(await services.ports.store.listBranches(chatId)).toHaveLength(1)
  })

  it('given a sub-agent with other instructions, when it goes on from the end, then it has a branch of its own, and the client goes on where it was', async () => {
    const { chatId, keyId, said, send, agent } = await painting()
    const memory = [...said.slice(3), user('Note what matters')]
    const noting = 'You keep the memory.'
    const first = await send(memory, 'Noted the bath', noting)
    const again = await send([...memory, assistant('Noted the bath'), user('More?')], 'No more', noting)
    const main = await agent.ask(user('And the attic?'), 'Attic is grey')

    expect([first.chatId, again.chatId, main.chatId]).toEqual([chatId, chatId, chatId])
    expect(again.branchId).toBe(first.branchId)
    expect(main.branchId).not.toBe(first.branchId)
    await isDrawn(
      chatId,
      `${wholeOf(keyId)}
                    user: And the attic?
                      assistant: Attic is grey *
                    user: Note what matters
                      assistant: Noted the bath
                        user: More?
                          assistant: No more *`,
    )
    expect((await services.ports.store.getActiveBranch(chatId))?.id).toBe(main.branchId)
  })

  it('given the same words of another key, another person or another session, then they are a chat of their own', async () => {
    const named = (id: string): AgentSession => ({ thread: [id], isShared: true, asksTitle: false })
    const { chatId, keyId, said } = await painting(client({ session: named('rooms') }))
    const tail = [...said.slice(1), user('Thanks')]
    for (const other of [
      client(),
      client({ ownerId: 'bob', keyId }),
      client({ keyId, session: named('other rooms') }),
    ]) {
      const place = await other.send(tail, 'Welcome')
      expect(place.chatId).not.toBe(chatId)
    }
    await isDrawn(chatId, `${wholeOf(keyId)} *`)
  })

  it.each([
    { what: 'one short reply that may be from anywhere', tail: [assistant('Bath is green'), user('Thanks')] },
    {
      what: 'a person’s words and their reply',
      tail: [user('And the bath?'), assistant('Bath is green'), user('Ta')],
    },
    {
      what: 'messages in another order',
      tail: [assistant('Kitchen is blue'), assistant('Hall is red'), user('So?')],
    },
  ])('given $what, then it is the beginning of a chat', async ({ tail }) => {
    const { chatId, keyId, send } = await painting()
    expect((await send(tail, 'Welcome')).chatId).not.toBe(chatId)
    await isDrawn(chatId, `${wholeOf(keyId)} *`)
  })

  /** What a person asks, within what the client says of the day. */
  const onDay = (day: string, words: string) =>
    user(`<system-reminder>\nToday is ${day}.\n</system-reminder>\n\n${words}`)
  /** Given a conversation of Monday that calls a tool. */
  const monday = async () => {
    const told = client()
    const { chatId } = await told.agent.ask(onDay('Monday', `Paint with ${told.keyId}`), calling('m1'))
    await told.agent.ask(answering('m1', 'blue is left'), 'Hall is blue')
    return { ...told, chatId, rest: told.agent.messages.slice(1) }
  }

  it('given a client that goes on with another day around what was asked first, then its conversation goes on where it ended', async () => {
    const { chatId, keyId, rest, send } = await monday()
    const asked = onDay('Tuesday', `Paint with ${keyId}`)
    const place = await send([asked, ...rest, user('And the bath?')], 'Bath is green')
    const next = [assistant('Bath is green'), user('Thanks')]
    const after = await send([asked, ...rest, user('And the bath?'), ...next], 'Welcome')
    expect([place.chatId, after.chatId]).toEqual([chatId, chatId])
    expect(await services.ports.store.listBranches(chatId)).toHaveLength(1)
    expect((await services.ports.store.getMessages(chatId)).length).toBe(8)
  })

  it.each([
    { what: 'other words of the person', asked: (key: string) => onDay('Tuesday', `Build with ${key}`) },
    { what: 'no day around them', asked: (key: string) => user(`Paint it with ${key}`) },
  ])('given $what at the beginning, then it is a chat of its own', async ({ asked }) => {
    const { chatId, keyId, rest, send } = await monday()
    const place = await send([asked(keyId), ...rest, user('And the bath?')], 'Bath is green')
    expect(place.chatId).not.toBe(chatId)
  })

  /** Given an agent of no session that has called another one with a task. */
  const delegating = async () => {
    const told = client()
    const task = `Look for callers with ${told.keyId}`
    const called: AssistantModelMessage = {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 's1', toolName: 'agent', input: { prompt: task } }],
    }
    const { chatId } = await told.agent.ask(user(`Mend ${told.keyId}`), called)
    const tools = [{ name: 'read', inputSchema: {} }]
    const { ownerId, keyId } = told
    const begin = (over: Partial<AgentCall> = {}) =>
      new ScriptedAgent(services.ports, { ownerId, keyId, call: { system: ['You look.'], tools, ...over } })
    return { ...told, chatId, task, begin }
  }

  it('given an agent without a session that calls others, then each is a branch at the call, and the agent goes on', async () => {
    const { chatId, keyId, task, begin, agent } = await delegating()
    const [one, other] = [begin(), begin({ system: ['You look twice.'] })]
    await one.ask(onDay('Monday', task), calling('r1'))
    await one.ask(answering('r1', 'none'), 'No callers')
    const again = await other.ask(user(task), 'Really none')
    await agent.ask(answering('s1', 'none'), 'Mended')
    expect(again.chatId).toBe(chatId)
    const drawing = await drawChat(services.ports, chatId)
    expect(drawing.match(/^ {4}\S.*$/gm)).toHaveLength(3)
    expect(drawing).toContain('assistant: Mended *')
    expect(drawing).toMatch(new RegExp(`^user: Mend ${keyId}`))
  })

  it('given a task that is answered, other words or no tools, then it is a chat of its own', async () => {
    const answered = await delegating()
    await answered.agent.ask(answering('s1', 'none'), 'Mended')
    expect((await answered.begin().ask(user(answered.task), 'Yes?')).chatId).not.toBe(answered.chatId)
    const open = await delegating()
    const [words, idle] = [open.begin(), open.begin({ tools: [] })]
    expect((await words.ask(user(`${open.task} too`), 'Yes?')).chatId).not.toBe(open.chatId)
    expect((await idle.ask(user(open.task), 'Yes?')).chatId).not.toBe(open.chatId)
  })
})
