import { describe, expect, test } from 'vitest'
import { assistant, assistantText, hint, NotFoundError, role, user } from '@/lib/context'
import type { GetStore } from '../store/story'
import { reads, renderer, Talk, uiMessage } from './talk'

/** The graph operations of seeds/002 and every pattern of seeds/003 “Rewind”. */
export function describeMoves(getStore: GetStore): void {
  /** Given the answered question q1 → a1 on main. */
  const answered = async () => {
    const { talk, context } = Talk.begin(getStore())
    context.set(role('You are helpful.'))
    await context.set(user(uiMessage('q1', 'user', 'What is 2+2?')), assistantText('5', { id: 'a1' })).save()
    return { talk, context }
  }

  describe('rewind', () => {
    test('given a wrong answer, when rewound to the question, then a new branch continues there', async () => {
      const { talk, context } = await answered()

      const branch = await context.rewind('q1')

      expect(branch).toEqual({
        id: expect.any(String),
        name: 'main-v2',
        headMessageId: 'q1',
        isActive: true,
        messageCount: 1,
        createdAt: expect.any(Number),
      })
      expect([context.branch, context.headMessageId]).toEqual(['main-v2', 'q1'])
      context.set(hint('Double-check your arithmetic.'))
      expect(await context.resolve({ renderer })).toEqual({
        systemPrompt: '<role>You are helpful.</role>\n<hint>Double-check your arithmetic.</hint>',
        messages: [uiMessage('q1', 'user', 'What is 2+2?')],
      })
      await context.set(assistantText('4')).save()
      expect(await talk.texts('main')).toEqual(['What is 2+2?', '5'])
      expect(await talk.texts('main-v2')).toEqual(['What is 2+2?', '4'])
      expect(await reads(context)).toEqual(['What is 2+2?', '4'])
    })

    test('given rewinds from rewinds, when branches are named, then as documented', async () => {
      const { talk, context } = await answered()

      await context.rewind('q1')
      await context.switchBranch('main')
      await context.rewind('q1')
      await context.switchBranch('main-v2')
      await context.rewind('q1')

      expect(Object.keys(await talk.heads())).toEqual(['main', 'main-v2', 'main-v3', 'main-v2-v2*'])
    })

    test('given pending messages, when rewound, then they are gone; when it is refused, they stay', async () => {
      const { talk, context } = await answered()
      context.set(user('pending'))

      await expect(context.rewind('nope')).rejects.toThrow('Message "nope" not found')
      expect(await reads(context)).toEqual(['What is 2+2?', '5', 'pending'])
      await context.rewind('q1')

      expect(await reads(context)).toEqual(['What is 2+2?'])
      expect(await talk.ids('main')).toEqual(['q1', 'a1'])
    })

    test('given a message of another chat, when rewound to it, then the error says so', async () => {
      const { talk, context } = await answered()
      const other = new Talk(talk.store, talk.userId)
      await other.say(user('there', { id: 'there' }))
      const foreign = new Talk(talk.store)
      await foreign.say(user('hidden', { id: 'hidden' }))
      const before = await talk.everything()

      await expect(context.rewind('there')).rejects.toThrow('Message "there" belongs to a different chat')
      await expect(context.rewind('hidden')).rejects.toThrow('Message "hidden" not found')
      expect(await talk.everything()).toEqual(before)
    })

    test('given a question, when its reply is regenerated again and again, then all attempts are kept', async () => {
      const { talk, context } = await answered()

      for (const attempt of ['6', '7', '4']) {
        await context.rewind('q1')
        expect(await reads(context)).toEqual(['What is 2+2?'])
        await context.set(assistant(attempt)).save()
      }

      expect(await talk.texts('main')).toEqual(['What is 2+2?', '5'])
      expect(await talk.texts('main-v2')).toEqual(['What is 2+2?', '6'])
      expect(await talk.texts('main-v2-v2')).toEqual(['What is 2+2?', '7'])
      expect(await talk.texts('main-v2-v2-v2')).toEqual(['What is 2+2?', '4'])
    })

    test('given a later question, when it is edited the documented way, then it follows the same parent', async () => {
      const { talk, context } = await answered()
      await context.set(user('And 3+3?', { id: 'q2' }), assistant('6')).save()
      const graph = await talk.store.getGraph(talk.chatId)
      const original = graph.nodes.find(({ id }) => id === 'q2')

      await context.rewind(original?.parentId ?? 'q2')
      await context.set(user('And 4+4?')).save()

      expect(await talk.texts('main-v2')).toEqual(['What is 2+2?', '5', 'And 4+4?'])
      expect(await talk.texts('main')).toEqual(['What is 2+2?', '5', 'And 3+3?', '6'])
    })
  })

  describe('checkpoint and restore', () => {
    test('given a decision point, when restored, in another session too, then a new branch continues from it', async () => {
      const { talk, context } = await answered()
      const checkpoint = await context.checkpoint('before-choice')
      expect(checkpoint).toEqual({
        id: expect.any(String),
        name: 'before-choice',
        messageId: 'a1',
        createdAt: expect.any(Number),
      })
      await context.set(user('Python.')).save()

      expect(await context.restore('before-choice')).toMatchObject({ name: 'main-v2', headMessageId: 'a1' })
      await context.set(user('JavaScript.')).save()

      expect(await talk.texts('main')).toEqual(['What is 2+2?', '5', 'Python.'])
      expect(await talk.texts('main-v2')).toEqual(['What is 2+2?', '5', 'JavaScript.'])
      expect(await talk.store.listCheckpoints(talk.chatId)).toMatchObject([{ messageId: 'a1' }])
      expect(await talk.engine().restore('before-choice')).toMatchObject({
        ...{ headMessageId: 'a1', messageCount: 2 },
      })
    })

    test('given no messages, or no such name, then the errors are the documented ones', async () => {
      const { talk, context } = Talk.begin(getStore())
      context.set(user('only pending'))

      await expect(context.checkpoint('x')).rejects.toThrow(
        'Cannot create checkpoint: no messages in conversation',
      )
      await expect(context.restore('x')).rejects.toThrow('Checkpoint "x" not found')
      await expect(context.btw()).rejects.toThrow('Cannot create btw branch: no messages in conversation')
      expect(await talk.heads()).toEqual({ 'main*': null })
      expect(await reads(context)).toEqual(['only pending'])
      expect(await talk.store.listCheckpoints(talk.chatId)).toEqual([])
    })
  })

  describe('switchBranch', () => {
    test('given two branches, when switched, then the engine continues there and pending is dropped', async () => {
      const { talk, context } = await answered()
      await context.rewind('q1')
      await context.set(assistant('4', { id: 'a2' })).save()
      context.set(user('pending'))

      expect(await context.switchBranch('main')).toMatchObject({
        name: 'main',
        headMessageId: 'a1',
        isActive: true,
        messageCount: 2,
      })

      expect(await reads(context)).toEqual(['What is 2+2?', '5'])
      expect(await talk.heads()).toEqual({ 'main*': 'a1', 'main-v2': 'a2' })
    })
  })

  test.each(['nope', 'x\0', 'x\ud800'])(
    'given %j, which nothing is called, when a branch or checkpoint is asked for by it, then it is not found, and no chat is made',
    async (bad) => {
      const { talk, context } = await answered()
      context.set(user('pending'))
      const before = await talk.everything()

      await expect(context.restore(bad)).rejects.toThrow(new NotFoundError('checkpoint', bad))
      await expect(context.switchBranch(bad)).rejects.toThrow(new NotFoundError('branch', bad))
      await expect(talk.engine({ branch: bad }).resolve({ renderer })).rejects.toThrow(
        new NotFoundError('branch', bad),
      )
      expect(await talk.everything()).toEqual(before)
      expect(await reads(context)).toEqual(['What is 2+2?', '5', 'pending'])
      const { talk: other, context: lost } = Talk.begin(getStore(), { branch: bad })
      await expect(lost.save()).rejects.toThrow(new NotFoundError('branch', bad))
      expect(await other.store.getChat(other.chatId)).toBeUndefined()
    },
  )

  describe('btw', () => {
    test('given a question under way, when one asks by the way, then a parallel branch waits', async () => {
      const { talk, context } = await answered()
      context.set(user('pending'))

      const branch = await context.btw()

      expect(branch).toMatchObject({
        name: 'main-v2',
        headMessageId: 'a1',
        isActive: false,
        messageCount: 2,
      })
      expect(context.branch).toBe('main')
      expect(await reads(context)).toEqual(['What is 2+2?', '5', 'pending'])
      await context.save()
      await context.switchBranch(branch.name)
      await context.set(user('Also, what time is it?')).save()
      expect(await talk.texts('main')).toEqual(['What is 2+2?', '5', 'pending'])
      expect(await talk.texts('main-v2')).toEqual(['What is 2+2?', '5', 'Also, what time is it?'])
    })
  })
}
