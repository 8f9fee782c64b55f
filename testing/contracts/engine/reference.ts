import { describe, expect, test } from 'vitest'
import {
  assistant,
  ContextEngine,
  hint,
  InMemoryContextStore,
  lastAssistantMessage,
  MarkdownRenderer,
  NotFoundError,
  role,
  user,
} from '@/lib/context'
import type { GetStore } from '../store/story'
import { reads, renderer, Talk, uiMessage } from './talk'

/** Every example of seeds/002 “Context Engine”. */
export function describeReference(getStore: GetStore): void {
  describe('creating an engine', () => {
    test('given nothing, when an engine is made, then it knows its chat and has read nothing', async () => {
      const { talk, context } = Talk.begin(getStore(), { metadata: { source: 'web' } })

      expect(context.chatId).toBe(talk.chatId)
      expect(context.branch).toBe('main')
      expect(context.headMessageId).toBeUndefined()
      expect(context.chat).toBeNull()
      expect(await talk.store.getChat(talk.chatId)).toBeUndefined()
    })

    test('given no chat id or no user id, when an engine is made, then it says which is missing', () => {
      const store = new InMemoryContextStore()

      expect(() => new ContextEngine({ store, chatId: '', userId: 'u' })).toThrow('chatId is required')
      expect(() => new ContextEngine({ store, chatId: 'c', userId: '' })).toThrow('userId is required')
      const without = JSON.parse('{"chatId":"c"}')
      expect(() => new ContextEngine({ ...without, store })).toThrow('userId is required')
    })

    test.each([
      ['resolve', (c: ContextEngine) => c.resolve({ renderer })],
      ['save', (c: ContextEngine) => c.save()],
    ])('given a new engine, when it first calls %s, then chat and branch main exist', async (_, call) => {
      const { talk, context } = Talk.begin(getStore(), { metadata: { source: 'web' } })

      await call(context)

      expect(await talk.heads()).toEqual({ 'main*': null })
      expect(context.chat).toEqual(await talk.store.getChat(talk.chatId))
      expect(context.chat).toMatchObject({
        id: talk.chatId,
        userId: talk.userId,
        metadata: { source: 'web' },
        createdAt: expect.any(Number),
        updatedAt: expect.any(Number),
      })
    })

    test('given a chat with metadata, when an engine brings some, then they are merged, once', async () => {
      const talk = new Talk(getStore())
      await talk.engine({ metadata: { source: 'web', kept: 1 } }).save()

      const context = talk.engine({ metadata: { source: 'api' } })
      await context.save()
      const events = await talk.store.getEvents(talk.chatId)
      await talk.engine({ metadata: { source: 'api' } }).resolve({ renderer })

      expect(context.chat?.metadata).toEqual({ source: 'api', kept: 1 })
      expect(await talk.store.getEvents(talk.chatId)).toEqual(events)
    })

    test('given a chat of someone else, when an engine opens it, then it is not found', async () => {
      const talk = new Talk(getStore())
      await talk.say(user('mine'))
      const before = await talk.everything()

      const stranger = talk.engine({ userId: 'stranger', metadata: { mine: true } }).set(user('now mine'))

      await expect(stranger.save()).rejects.toEqual(new NotFoundError('chat', talk.chatId))
      await expect(stranger.resolve({ renderer })).rejects.toBeInstanceOf(NotFoundError)
      expect(await talk.everything()).toEqual(before)
    })

    test('given a chat that became someone else’s, when an engine still holds it, then it cannot write', async () => {
      const { talk, context } = Talk.begin(getStore())
      await context.save()
      await talk.store.deleteChat(talk.chatId)
      await talk.engine({ userId: 'someone-else' }).save()
      const before = await talk.everything()
      const branch = await talk.store.getActiveBranch(talk.chatId)

      await expect(context.set(user('mine?')).save()).rejects.toEqual(new NotFoundError('chat', talk.chatId))
      await expect(context.switchBranch(branch?.id ?? '')).rejects.toBeInstanceOf(NotFoundError)

      expect(await talk.everything()).toEqual(before)
    })

    test('given the chat an engine shows, when a caller changes it, then the engine does not', async () => {
      const context = new Talk(getStore()).engine({ metadata: { tags: ['a'] } })
      await context.save()

      Object.assign(context.chat?.metadata ?? {}, { tags: [] })

      expect(context.chat?.metadata).toEqual({ tags: ['a'] })
    })
  })

  describe('set, resolve, save, render', () => {
    test('given fragments and messages, when resolved, then one is the prompt, the other the messages', async () => {
      const context = new Talk(getStore()).engine()
      expect(context.set(role('You are helpful.'), hint('Be concise.'))).toBe(context)

      const { systemPrompt, messages } = await context.set(user('Hello!', { id: 'q1' })).resolve({ renderer })

      expect(systemPrompt).toBe('<role>You are helpful.</role>\n<hint>Be concise.</hint>')
      expect(messages).toEqual([uiMessage('q1', 'user', 'Hello!')])
    })

    test('given nothing pending, when saved, then the head comes back and nothing is written', async () => {
      const { talk, context } = Talk.begin(getStore())
      expect(await context.save()).toEqual({ headMessageId: undefined })
      await context.set(user('Hello', { id: 'q1' })).save()
      const before = await talk.everything()

      expect(await context.save()).toEqual({ headMessageId: 'q1' })

      expect(await talk.everything()).toEqual(before)
    })

    test('given a message without codec, when it is set, then it is refused and nothing of the call is set', async () => {
      const context = new Talk(getStore()).engine()

      expect(() => context.set(hint('x'), { name: 'user', type: 'message', data: 'y' })).toThrow(TypeError)

      expect(await context.resolve({ renderer })).toEqual({ systemPrompt: '', messages: [] })
    })

    test('given a message of one’s own with persist false, when saved, then it is read but not stored', async () => {
      const { talk, context } = Talk.begin(getStore())
      context.set(user('kept'), { ...user('only now'), persist: false })

      expect(await reads(context)).toEqual(['kept', 'only now'])
      await context.save()

      expect(await talk.texts('main')).toEqual(['kept'])
      expect(await reads(context)).toEqual(['kept'])
    })

    test('given fragments, when rendered, then messages are left out', () => {
      const context = new Talk(getStore()).engine().set(role('You are helpful.'), user('Hello'))

      expect(context.render(renderer)).toBe('<role>You are helpful.</role>')
      expect(context.render(new MarkdownRenderer())).toContain('You are helpful.')
    })

    test('given a clock that goes back, when saved, then no message is older than the one above it', async () => {
      const { talk, context } = Talk.begin(getStore())
      await context.set(user('a')).save()
      const [first] = await talk.store.getMessages(talk.chatId)
      const later = (first?.createdAt ?? 0) + 60_000
      await talk.store.addMessage(talk.chatId, {
        id: 'later',
        parentId: first?.id ?? null,
        name: 'assistant',
        data: uiMessage('later', 'assistant', 'b'),
        createdAt: later,
      })

      const again = talk.engine().set(user('c'), assistant('d'))
      await again.save()

      const times = (await talk.store.getMessages(talk.chatId)).map(({ createdAt }) => createdAt)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(times.at(-1)).toBe(later)
    })
  })

  describe('chat metadata and inspect', () => {
    test('given a conversation, when inspected, then the snapshot is complete, plain and changes nothing', async () => {
      const { talk, context } = Talk.begin(getStore())
      context.set(role('You are helpful.'))
      await context.set(user('Hello', { id: 'q1' }), assistant('Hi', { id: 'a1' })).save()
      await context.checkpoint('greeted')
      context.set(user('More?', { id: 'q2' }), lastAssistantMessage('Hi!'))
      const before = await talk.everything()

      const snapshot = await context.inspect({ modelId: 'openai:gpt-4o', renderer })

      expect(snapshot).toMatchObject({
        estimate: { modelId: 'openai:gpt-4o', tokens: expect.any(Number), cost: expect.any(Number) },
        rendered: '<role>You are helpful.</role>',
        fragments: {
          context: [{ name: 'role', data: 'You are helpful.' }],
          pending: [{ id: 'q2', name: 'user' }, { name: 'assistant' }],
          persisted: [
            { id: 'q1', name: 'user', data: 'Hello' },
            { id: 'a1', name: 'assistant', data: 'Hi' },
          ],
        },
        graph: {
          nodes: [{ id: 'q1' }, { id: 'a1' }],
          branches: [{ name: 'main' }],
          checkpoints: [{ name: 'greeted' }],
        },
        meta: { chatId: talk.chatId, branch: 'main', timestamp: expect.any(Number) },
      })
      expect(snapshot.estimate.tokens).toBeGreaterThan(0)
      expect(snapshot.estimate.cost).toBeGreaterThan(0)
      expect(JSON.parse(JSON.stringify(snapshot, null, 2))).toMatchObject({ meta: { branch: 'main' } })
      expect(await talk.everything()).toEqual(before)
    })
  })
}
