import { describe, expect, test } from 'vitest'
import { assistantText, hint, NotFoundError, role, user } from '@/lib/context'
import type { GetStore } from '../store/story'
import { reads, renderer, Talk, uiMessage } from './talk'

/** The graph operations of seeds/002, one by one. In any order: properties/engine/move-commands.ts. */
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
        headMessageId: 'a1',
        messageCount: 2,
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
}
