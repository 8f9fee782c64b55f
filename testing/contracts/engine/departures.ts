import { describe, expect, test } from 'vitest'
import {
  assistant,
  assistantText,
  type ContextFragment,
  InvalidDataError,
  LAZY_ID,
  lastAssistantMessage,
  messageText,
  user,
} from '@/lib/context'
import type { GetStore } from '../store/story'
import { reads, renderer, Talk } from './talk'

/** The departures of DESIGN.md §5, each with the documented case and the one that broke; and lazy fragments. */
export function describeDepartures(getStore: GetStore): void {
  /** Given q1 → a1 → q2 → a2 on main. */
  const twoTurns = async () => {
    const { talk, context } = Talk.begin(getStore())
    const line = ['q1', 'a1', 'q2', 'a2'].map((id) =>
      id.startsWith('q') ? user(`old ${id}`, { id }) : assistant(`old ${id}`, { id }),
    )
    await context.set(...line).save()
    return { talk, context }
  }

  describe('editing', () => {
    const old = ['old q1', 'old a1', 'old q2', 'old a2']
    const [firstAgain, replyAgain] = [user('old q1', { id: 'q1' }), assistant('old a1', { id: 'a1' })]
    /** What is set, what main has beyond its two turns then, and what a branch has that opens. */
    const edits: Record<string, { set: ContextFragment[]; more?: string[]; opened?: string[] }> = {
      'a stored message with other text': {
        set: [assistant('Updated answer', { id: 'a1' })],
        opened: ['old q1', 'Updated answer'],
      },
      'the first message with other text': { set: [user('new q1', { id: 'q1' })], opened: ['new q1'] },
      'a new message and several edits': {
        set: [user('before'), user('new q1', { id: 'q1' }), assistant('new a1', { id: 'a1' }), user('next')],
        more: ['before'],
        opened: ['new q1', 'new a1', 'next'],
      },
      'an edit and a message as it was, which is copied': {
        set: [user('new q1', { id: 'q1' }), replyAgain, user('then', { id: 'q9' })],
        opened: ['new q1', 'old a1', 'then'],
      },
      'what is there and one new message': { set: [firstAgain, replyAgain, user('q3')], more: ['q3'] },
      'two messages of one id, of which the later wins': {
        set: [user('first', { id: 'q3' }), assistant('reply', { id: 'a3' }), user('later', { id: 'q3' })],
        more: ['later', 'reply'],
      },
      'the last reply, which is stored': {
        set: [lastAssistantMessage('corrected')],
        opened: ['old q1', 'old a1', 'old q2', 'corrected'],
      },
      'the last reply, which is pending, twice': {
        set: [
          user('q3'),
          assistantText('draft'),
          lastAssistantMessage('second'),
          lastAssistantMessage('final'),
        ],
        more: ['q3', 'final'],
      },
    }

    test.each(Object.entries(edits))(
      'given two turns, when there is set %s, then the model reads what the save leaves, and main only grows',
      async (_, { set, more = [], opened = [] }) => {
        const { talk, context } = await twoTurns()
        const pending = await reads(context.set(...set))

        const { headMessageId } = await context.save()

        expect(await talk.texts('main')).toEqual([...old, ...more])
        expect(await talk.texts('main-v2')).toEqual(opened)
        const branch = opened.length > 0 ? 'main-v2' : 'main'
        expect([context.branch, (await talk.heads())[`${branch}*`]]).toEqual([branch, headMessageId])
        expect(pending).toEqual(await talk.texts(branch))
        expect(await reads(context)).toEqual(pending)
        // row and body have one id, and only what was said before is a copy
        for (const { id, data, copiedFromId } of (await talk.store.getMessages(talk.chatId)).slice(4)) {
          expect(data).toMatchObject({ id })
          expect(copiedFromId).toBe(/^old (.+)/.exec(messageText(data))?.[1])
        }
      },
    )

    test('given a fragment whose body has another id, when saved, then the fragment’s id is in both', async () => {
      const talk = new Talk(getStore())

      await talk.say({ ...user('x', { id: 'inside' }), id: 'outside' })

      expect(await talk.store.getMessage(talk.chatId, 'outside')).toMatchObject({ data: { id: 'outside' } })
    })

    test('given a message with equal data, when set again, then nothing happens', async () => {
      const { talk, context } = await twoTurns()
      const before = await talk.everything()
      const reordered: ContextFragment = {
        ...user('old q1', { id: 'q1' }),
        codec: {
          encode: () => ({ role: 'user', parts: [{ text: 'old q1', type: 'text' }], x: undefined, id: 'q1' }),
          decode: () => null,
        },
      }

      expect(await context.set(assistant('old a1', { id: 'a1' }), reordered).save()).toEqual({
        headMessageId: 'a2',
      })

      expect(await talk.everything()).toEqual(before)
    })
  })

  describe('races', () => {
    test('given a save that is refused, when the cause is gone, then everything pending is saved in order', async () => {
      const { talk, context } = await twoTurns()
      context.set(user('good'), user('bad \0', { id: 'bad' }), lastAssistantMessage('fixed'))
      const before = await talk.everything()

      await expect(context.save()).rejects.toBeInstanceOf(InvalidDataError)
      expect(await talk.everything()).toEqual(before)
      context.set(user('not bad', { id: 'bad' }))
      await context.save()

      expect((await talk.texts('main')).slice(4)).toEqual(['good', 'not bad'])
      expect((await talk.texts('main-v2')).slice(3)).toEqual(['fixed'])
    })

    test('given an id that cannot be stored, when saved or rewound to, then it is invalid, not a failure', async () => {
      const { context } = await twoTurns()

      await expect(context.rewind('q\0')).rejects.toBeInstanceOf(InvalidDataError)
      await expect(context.set(user('x', { id: 'q\0' })).save()).rejects.toBeInstanceOf(InvalidDataError)
    })

    test('given one engine, when it is called many times at once, then the calls take turns', async () => {
      const { talk, context } = Talk.begin(getStore())
      context.set(user('one', { id: 'm1' }))

      const saves = [context.save(), context.save()]
      context.set(user('two', { id: 'm2' }))
      await Promise.all([...saves, context.save()])

      expect(await talk.ids('main')).toEqual(['m1', 'm2'])
    })
  })

  describe('lazy fragments', () => {
    test('given a reply far above the head, when it is corrected, then it is found', async () => {
      const { talk, context } = Talk.begin(getStore())
      context.set(user('q', { id: 'q' }), assistant('a', { id: 'a' }))
      await context.set(...Array.from({ length: 40 }, (_, i) => user(`u${i}`))).save()

      await context.set(lastAssistantMessage('better')).save()

      expect(await talk.texts('main-v2')).toEqual(['q', 'better'])
    })

    test('given an unknown lazy type, when saved or resolved, then the error names it', async () => {
      const lazy = { name: 'assistant', type: 'message', data: '', [LAZY_ID]: { type: 'other', content: '' } }
      const context = new Talk(getStore()).engine().set(lazy as ContextFragment)

      await expect(context.save()).rejects.toThrow('Unknown lazy fragment type: other')
      await expect(context.resolve({ renderer })).rejects.toThrow('Unknown lazy fragment type: other')
    })
  })
}
