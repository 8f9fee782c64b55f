import { expect, test } from 'vitest'
import { InvalidDataError, type MessageData, MessageExistsError, NotFoundError } from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, line, Story } from './story'

export function describeAddMessage(getStore: GetStore): void {
  const message = (story: Story, id: string, parentId: string | null): MessageData => {
    const { preview: _preview, ...fields } = line(id)
    return { ...fields, chatId: story.chatId, parentId }
  }
  const heads = async (story: Story) =>
    Object.fromEntries(
      (await story.store.listBranches(story.chatId)).map(({ name, headMessageId }) => [name, headMessageId]),
    )

  test('given an empty chat, when messages are added one by one, then main leads to the last', async () => {
    const story = await Story.begin(getStore())

    await story.store.addMessage(message(story, 'q1', null))
    await story.store.addMessage(story.chatId, {
      ...message(story, 'a1', 'q1'),
      chatId: 'ignored',
    } as never)

    expect(await heads(story)).toEqual({ main: 'a1' })
    expect(await story.chain('a1')).toEqual(['q1', 'a1'])
    expect((await story.store.getGraph(story.chatId)).nodes[0]?.content).toBe('text of q1')
  })

  test('given a message with a reply, when another is added below it, or another root, then a branch leads to each', async () => {
    const story = await Story.saying(getStore(), 'q1', 'a1')

    await story.store.addMessage(message(story, 'a2', 'q1'))
    await story.store.addMessage(message(story, 'r2', null))

    expect(await heads(story)).toEqual({ main: 'a1', 'main-v2': 'a2', 'main-v3': 'r2' })
    expect(await story.chain('r2')).toEqual(['r2'])
    expect(await story.store.getActiveBranch(story.chatId)).toMatchObject({ name: 'main' })
  })

  test('given two branches at the parent, when a message is added, then the active one advances', async () => {
    const story = await Story.saying(getStore(), 'q1')
    await story.fork('q1', { activate: true })

    await story.store.addMessage(message(story, 'a1', 'q1'))

    expect(await heads(story)).toEqual({ main: 'q1', 'main-v2': 'a1' })
  })

  test('given an archived branch at the parent, when a message is added, then a visible one leads to it', async () => {
    const story = await Story.saying(getStore(), 'q1', 'a1')
    const branchId = await story.fork('q1')
    await story.commit([{ kind: 'archive-branch', branchId }])

    await story.store.addMessage(message(story, 'a2', 'q1'))

    expect(await heads(story)).toEqual({ main: 'a1', 'main-v2': 'q1', 'main-v3': 'a2' })
  })

  test('given twenty writers, when all add to one parent or as roots, then every message is reachable', async () => {
    const story = await Story.begin(getStore())
    const roots = Array.from({ length: 10 }, (_, i) => message(story, `r${i}`, null))
    await Promise.all(roots.map((root) => story.store.addMessage(root)))
    const replies = Array.from({ length: 10 }, (_, i) => message(story, `a${i}`, 'r0'))
    await Promise.all(replies.map((reply) => story.store.addMessage(reply)))

    const found = new Set<string>()
    for (const head of Object.values(await heads(story))) {
      if (head !== null) for (const id of await story.chain(head)) found.add(id)
    }
    expect(found.size).toBe(20)
  })

  test('given what cannot be stored, when it is added, then it is refused and nothing is written', async () => {
    const story = await Story.saying(getStore(), 'q1')
    const add = (id: string, parentId: string | null) => () =>
      story.store.addMessage(message(story, id, parentId))

    await story.refuses(add('m', 'm'), InvalidDataError)
    await expect(add('m', 'm')()).rejects.toThrow('Message m cannot be its own parent')
    await story.refuses(add('a1', 'unknown'), NotFoundError)
    await story.refuses(add('q1', null), MessageExistsError)
    await expect(
      story.store.addMessage({ ...message(story, 'q2', null), chatId: newId() }),
    ).rejects.toBeInstanceOf(NotFoundError)
  })
}
