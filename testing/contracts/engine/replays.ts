import { expect, test } from 'vitest'
import { assistantText, NotFoundError, user } from '@/lib/context'
import type { GetStore } from '../store/story'
import { Talk, uiMessage } from './talk'

/** Messages of a branch that are asked again. */
export function describeReplays(getStore: GetStore): void {
  /** Given three questions and their replies on main. */
  const talked = async () => {
    const { talk, context } = Talk.begin(getStore())
    for (const n of [1, 2, 3]) {
      const question = user(uiMessage(`q${n}`, 'user', `question ${n}`))
      await context.set(question, assistantText(`first answer ${n}`, { id: `a${n}` })).save()
    }
    return { talk, context }
  }

  test('given a point in the middle, when it is replayed, then each question from there on is asked once more', async () => {
    const { talk, context } = await talked()
    let asked = 0
    for await (const question of context.replay({ from: 'q2', model: 'other:model' })) {
      asked += 1
      expect(question.id).toBe(`q${asked + 1}`)
      await context.set(assistantText(`other answer ${asked + 1}`)).save()
    }
    expect(await talk.texts('main-v2')).toEqual([
      ...['question 1', 'first answer 1', 'question 2', 'other answer 2', 'question 3', 'other answer 3'],
    ])
    expect(await talk.texts('main')).toHaveLength(6)
    expect(context.branch).toBe('main-v2')
    const events = await talk.store.getEvents(talk.chatId)
    const started = events.find(({ type }) => type === 'ReplayStarted')
    expect(started?.payload).toMatchObject({ from_message_id: 'q2', model: 'other:model' })
    const copies = events.flatMap((event) =>
      event.type === 'MessageCopied' ? [event.payload.copied_from_id] : [],
    )
    expect(copies).toEqual(['q2', 'q3'])
    for (const { id, data } of await talk.store.getMessages(talk.chatId)) expect(data).toMatchObject({ id })
  })

  test('given a loop that is left, then what was asked stays and nothing more is asked', async () => {
    const { talk, context } = await talked()
    for await (const question of context.replay()) {
      await context.set(assistantText('Enough.')).save()
      if (question.id === 'q1') break
    }
    expect(await talk.texts('main-v2')).toEqual(['question 1', 'Enough.'])
  })

  test('given a message that is not on the branch, then it is refused', async () => {
    const { context } = await talked()
    await expect(context.replay({ from: 'nowhere' }).next()).rejects.toThrow(NotFoundError)
  })
}
