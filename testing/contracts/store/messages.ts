import { expect, test } from 'vitest'
import { HeadConflictError, InvalidDataError } from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, line, Story } from './story'

export function describeMessages(getStore: GetStore): void {
  test('given an empty branch, when a line is appended, then each message stands below the one before, and the chat is newer', async () => {
    const story = await Story.begin(getStore())
    const before = await story.store.getChat(story.chatId)

    const done = await story.say(story.main, null, 'q1', 'a1', 'q2')

    const after = await story.store.getChat(story.chatId)
    expect(after?.createdAt).toBe(before?.createdAt)
    expect(after?.updatedAt).toBeGreaterThan(before?.updatedAt ?? Number.POSITIVE_INFINITY)
    expect(done.placed).toEqual([
      { branchId: story.main, lane: 0, depth: 0, count: 3, opened: true, parentLane: null },
    ])
    expect(done.branches).toMatchObject([{ id: story.main, headMessageId: 'q2', headLane: 0, headDepth: 2 }])
    const chain = await story.store.getMessageChain(story.chatId, 'q2')
    expect(chain.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['q1', null],
      ['a1', 'q1'],
      ['q2', 'a1'],
    ])
  })

  test('given a chain of 2,300 messages in two lanes, when it or an end of it is read, then each message comes once, in order', async () => {
    const story = await Story.begin(getStore())
    const ids = Array.from({ length: 2300 }, (_, n) => `q${n}`)
    await story.say(story.main, null, ...ids.slice(0, 1500), 'other')
    await story.say(await story.fork('q1499'), 'q1499', ...ids.slice(1500))

    expect(await story.chain('q2299')).toEqual(ids)
    for (const last of [1, 1000, 1001, 2000, 2300, 9000])
      expect(await story.chain('q2299', { last })).toEqual(ids.slice(-last))
    expect(await story.chain('q999')).toEqual(ids.slice(0, 1000))
    expect(await story.chain('q2299', { last: 0 })).toEqual([])
  })

  test('given a message, when it is read, then every field is as it was written', async () => {
    const story = await Story.saying(getStore(), 'q1', 'a1')
    const context = { id: newId(), fragments: [{ $fragment: { name: 'role', data: 'x' } }], model: null }
    const data = { id: 'a2', role: 'assistant', parts: [], deep: { list: [1, null, 'ü', true] } }
    const message = line('a2', {
      data,
      type: 'fragment',
      status: 'failed',
      mergeParentId: 'q1',
      copiedFromId: 'a1',
      contextId: context.id,
      createdAt: 1_703_123_456_789,
    })

    await story.commit([{ kind: 'append', branchId: story.main, expectedHead: 'a1', messages: [message] }], {
      contexts: [context],
    })

    const { preview: _preview, ...fields } = message
    expect(await story.store.getMessage(story.chatId, 'a2')).toEqual({
      ...fields,
      chatId: story.chatId,
      parentId: 'a1',
    })
    expect(await story.store.getMessage(story.chatId, 'unknown')).toBeUndefined()
  })

  test('given stored data, when a caller changes what it wrote or read, then history is unmoved', async () => {
    const story = await Story.begin(getStore())
    const data = { id: 'q1', role: 'user', parts: [{ type: 'text', text: 'as it was' }] }
    await story.append(story.main, null, line('q1', { data }))
    const read = await story.store.getMessage(story.chatId, 'q1')

    for (const held of [data, read?.data as typeof data]) {
      const [part] = held.parts
      if (part) part.text = 'changed'
    }

    expect((await story.store.getMessage(story.chatId, 'q1'))?.data).toEqual({
      ...data,
      parts: [{ type: 'text', text: 'as it was' }],
    })
  })

  test('given forks of forks, when chains are read, whole or their ends, then every ancestor is in them, in order', async () => {
    // q1 ─ a1 ─ q2 ─ a2
    //  │         └─ a3 ─ q3
    //  │                  └ a5        (a4 stays in the lane)
    //  └─ a6
    const story = await Story.saying(getStore(), 'q1', 'a1', 'q2', 'a2')
    const { store, chatId } = story
    await story.say(await story.fork('q2'), 'q2', 'a3', 'q3', 'a4')
    const deep = await story.say(await story.fork('q3'), 'q3', 'a5')
    await story.say(await story.fork('q1'), 'q1', 'a6')

    for (const [head, last, expected] of [
      ['a5', undefined, 'q1 a1 q2 a3 q3 a5'],
      ['a4', undefined, 'q1 a1 q2 a3 q3 a4'],
      ['a2', undefined, 'q1 a1 q2 a2'],
      ['a6', undefined, 'q1 a6'],
      ['a4', 1, 'a4'],
      ['a4', 3, 'a3 q3 a4'],
      ['a4', 4, 'q2 a3 q3 a4'],
      ['a4', 50, 'q1 a1 q2 a3 q3 a4'],
      ['a1', 1, 'a1'],
      ['unknown', undefined, ''],
    ] as const) {
      const chain = await story.chain(head, last === undefined ? {} : { last })
      expect(chain.join(' '), `the last ${last} of ${head}`).toBe(expected)
    }
    expect(deep.placed).toMatchObject([{ lane: 2, depth: 5, opened: true, parentLane: 1 }])
    expect(await store.countChain(chatId, 'a5')).toBe(6)
    const childless = async (id: string) => !(await store.hasChildren(chatId, id))
    expect(await Promise.all(['q1', 'q2', 'q3', 'a2', 'a5', 'unknown'].map(childless))).toEqual([
      ...[false, false, false, true, true, true],
    ])
    // all messages, in the order they were written
    await story.say(story.main, 'a2', 'q4')
    const all = (await store.getMessages(chatId)).map(({ id }) => id)
    expect(all).toEqual(['q1', 'a1', 'q2', 'a2', 'a3', 'q3', 'a4', 'a5', 'a6', 'q4'])
  })

  test('given branches, when one is read with its chain, then it comes with the bodies of just that chain', async () => {
    // q1 ─ a1 ─ q2     main
    //  └─ a2           second, the active one
    //                  third, empty
    const story = await Story.saying(getStore(), 'q1', 'a1', 'q2')
    const { store, chatId } = story
    const second = await story.fork('q1', { name: 'second', activate: true })
    await story.say(second, 'q1', 'a2')
    const third = await story.fork(null, { name: 'third' })
    const bodies = (...ids: string[]) => ids.map((id) => line(id).data)
    const read = async (nameOrId?: string) => {
      const found = await store.getBranchChain(chatId, nameOrId)
      return found && { ...found, chain: found.chain.map(({ data }) => data) }
    }
    const branch = (name: string) => store.getBranch(chatId, name)

    expect(await read('main')).toEqual({ branch: await branch('main'), chain: bodies('q1', 'a1', 'q2') })
    expect(await read(story.main)).toEqual(await read('main'))
    expect(await read()).toEqual({ branch: await branch('second'), chain: bodies('q1', 'a2') })
    expect(await read(third)).toEqual({ branch: await branch('third'), chain: [] })
    expect(await read('unknown')).toBeUndefined()
    expect(await store.getBranchChain(newId())).toBeUndefined()
  })

  test('given a refused step, when earlier steps were fine, then none of them is kept', async () => {
    const story = await Story.saying(getStore(), 'q1')
    const branchId = newId()

    await story.refuses(
      () =>
        story.commit([
          { kind: 'update-chat', title: 'Half', metadata: { half: true } },
          { kind: 'append', branchId: story.main, expectedHead: 'q1', messages: [line('a1')] },
          { kind: 'save-checkpoint', checkpointId: newId(), name: 'half', messageId: 'a1' },
          { kind: 'open-branch', branchId, after: 'main', at: 'q1', activate: true },
          { kind: 'append', branchId, expectedHead: null, messages: [line('a2')] },
        ]),
      HeadConflictError,
    )
    // the places and numbers are free again
    const done = await story.say(story.main, 'q1', 'a1')
    expect(done).toMatchObject({ placed: [{ lane: 0, depth: 1 }] })
  })

  test('given a message id, when it is used again, then it is refused, once per chat', async () => {
    const story = await Story.begin(getStore())
    const other = await Story.begin(getStore(), story.userId)
    const stranger = await Story.begin(getStore())
    await story.say(story.main, null, 'q1', 'a1')

    await other.say(other.main, null, 'q1')
    await stranger.say(stranger.main, null, 'x1')

    expect(await other.chain('q1')).toEqual(['q1'])
    expect(await story.chain('a1')).toEqual(['q1', 'a1'])
    expect(await other.store.isMessageElsewhere(other.chatId, 'a1')).toBe(true)
    expect(await other.store.isMessageElsewhere(other.chatId, 'x1')).toBe(false)
    expect(await stranger.store.isMessageElsewhere(stranger.chatId, 'x1')).toBe(false)
  })

  test.each([
    ['an empty id', line('')],
    ['an id of 129 characters', line('q'.repeat(129))],
    ['an id with NUL', line('q\0')],
    ['a name of 129 characters', line('q', { name: 'n'.repeat(129) })],
    ['a name with a lone surrogate', line('q', { name: '\ud800' })],
    ['text with NUL', line('q', { data: { text: 'a\0b' } })],
    ['a key with NUL', line('q', { data: { 'a\0': 1 } })],
    ['a lone surrogate', line('q', { data: ['\udc00'] })],
    ['65 levels', line('q', { data: JSON.parse('['.repeat(65) + ']'.repeat(65)) })],
    ['no data', line('q', { data: null })],
    ['a bigint', line('q', { data: { n: 1n } })],
  ])('given %s, when it is appended, then it is refused and nothing is written', async (_, message) => {
    const story = await Story.begin(getStore())

    await story.refuses(() => story.append(story.main, null, line('q1'), message), InvalidDataError)
  })

  test('given values at their limits, when they are appended, then they are kept', async () => {
    const story = await Story.begin(getStore())
    const id = '𝒙'.repeat(128)
    const data = JSON.parse('['.repeat(64) + ']'.repeat(64))

    await story.append(story.main, null, line(id, { data }))

    expect((await story.store.getMessage(story.chatId, id))?.data).toEqual(data)
    await story.refuses(() => story.append(story.main, id), InvalidDataError)
  })
}
