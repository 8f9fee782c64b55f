import { expect, test } from 'vitest'
import { type Change, planImport, type StoredTree, type TreeMessage } from '@/lib/context'
import { fold, newId, noChat } from '@/lib/events'
import { type GetStore, line } from './story'

const day = (n: number) => Date.UTC(2023, 4, n)

/** Messages as `id` or `parent>id`; ids that begin with `a` are replies. */
const treeOf = (...drawn: string[]): TreeMessage[] =>
  drawn.map((edge, index) => {
    const [above, below] = edge.split('>')
    const id = below ?? edge
    const reply = { model: 'gpt-4', usage: null, imported: true as const }
    return {
      message: line(id, { createdAt: day(index + 1), ...(id.startsWith('a') && { reply }) }),
      parentId: below === undefined ? null : (above ?? null),
    }
  })

/** Given an empty chat, or one that is there: what a conversation makes of it. */
async function bringIn(
  getStore: GetStore,
  messages: TreeMessage[],
  { currentId = messages.at(-1)?.message.id ?? null, chatId = newId(), branches = [] as Named[] } = {},
) {
  const store = getStore()
  const there = await store.getChat(chatId)
  const known = there && (await store.listBranches(chatId))
  const stored: StoredTree | undefined = known && {
    messageIds: new Set((await store.getMessages(chatId)).map(({ id }) => id)),
    heads: new Map(known.map(({ id, headMessageId }) => [headMessageId, id])),
    names: new Set(known.map(({ name }) => name)),
  }
  const mainId = `${chatId}-main`
  const branchIdOf = (first: string) => `${chatId}-${first}`
  const steps = planImport({ messages, currentId, branches, mainId, branchIdOf, ...(stored && { stored }) })
  const userId = there?.userId ?? newId()
  if (!there) await store.upsertChat({ id: newId(), userId })
  const change: Change = { chatId, at: day(20), steps }
  if (!there || steps.length > 0) {
    await store.commit(there ? change : { ...change, create: { userId, branchId: mainId, at: day(1) } })
  }
  const chains = Object.fromEntries(
    await Promise.all(
      (await store.listBranches(chatId)).map(async ({ name, headMessageId }) => [
        name,
        headMessageId && (await store.getMessageChain(chatId, headMessageId)).map(({ id }) => id).join(' '),
      ]),
    ),
  )
  return { store, chatId, userId, steps, chains }
}

type Named = { name: string; headId: string }

export function describeImporting(getStore: GetStore): void {
  const edited = treeOf('q1', 'q1>a1', 'q1>a1b', 'a1>q2', 'a1>q2b', 'q2>a2', 'q2b>a2b')

  test('given edits and other attempts, then every message without an answer is the head of a branch, and all have their dates, also from the log', async () => {
    const { store, chatId, chains } = await bringIn(getStore, edited)
    expect(chains).toEqual({
      main: 'q1 a1 q2b a2b',
      'main-v2': 'q1 a1b',
      'main-v3': 'q1 a1 q2 a2',
    })
    expect((await store.getActiveBranch(chatId))?.name).toBe('main')
    expect((await store.getMessages(chatId)).map(({ id }) => id).sort()).toEqual(
      edited.map(({ message }) => message.id).sort(),
    )
    const chat = await store.getChat(chatId)
    expect([chat?.createdAt, chat?.updatedAt]).toEqual([day(1), day(20)])
    expect((await store.getMessage(chatId, 'q2'))?.createdAt).toBe(day(4))
    const log = await store.getEvents(chatId)
    const state = fold(noChat(chatId), log)
    expect([state.createdAt, state.updatedAt]).toEqual([day(1), day(20)])
    // and it was not made here
    expect(log.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ ai_message_id: 'a1', model: 'gpt-4', imported: true }),
    )
  })

  test.each([
    ['whose first message was edited', 'q1 q1>a1 q1b q1b>a1b', 'q1b a1b'],
    ['that was read up to a message with answers', 'q1 q1>a1 a1>q2', 'q1 a1 q2'],
  ])(
    'given one %s, then main ends where it was read, and another branch has the rest',
    async (_, tree, rest) => {
      const { chains } = await bringIn(getStore, treeOf(...tree.split(' ')), { currentId: 'a1' })
      expect(chains).toEqual({ main: 'q1 a1', 'main-v2': rest })
    },
  )

  test('given names of branches, then they keep them, and a taken one is numbered', async () => {
    const named = [
      { name: 'by train', headId: 'a1b' },
      { name: 'main', headId: 'a2' },
    ]
    const { chains } = await bringIn(getStore, edited, { branches: named })
    expect(Object.keys(chains).sort()).toEqual(['by train', 'main', 'main-v2'])
  })

  test('given the same conversation again, then there is nothing to do', async () => {
    const { chatId } = await bringIn(getStore, edited)
    expect((await bringIn(getStore, edited, { chatId })).steps).toEqual([])
  })

  test('given that it has grown, and the chat here too, then the new messages go on where they belong', async () => {
    const { store, chatId } = await bringIn(getStore, edited)
    // said here, below the branch that was current there
    await store.commit({
      chatId,
      at: day(25),
      steps: [
        { kind: 'append', branchId: `${chatId}-main`, expectedHead: 'a2b', messages: [line('q-here')] },
      ],
    })
    const grown = treeOf('q1', 'q1>a1', 'q1>a1b', 'a1>q2', 'a1>q2b', 'q2>a2', 'q2b>a2b')
    const more = treeOf('a1b', 'a1b>q5', 'q5>a5', 'a2b', 'a2b>q6').filter(({ parentId }) => parentId)
    const { chains } = await bringIn(getStore, [...grown, ...more], { chatId })
    expect(chains).toEqual({
      main: 'q1 a1 q2b a2b q-here',
      'main-v2': 'q1 a1b q5 a5',
      'main-v3': 'q1 a1 q2 a2',
      'main-v4': 'q1 a1 q2b a2b q6',
    })
    expect((await store.getChat(chatId))?.updatedAt).toBe(day(25))
  })

  test('given a long conversation, then it is appended in parts, and is one chain', async () => {
    const ids = Array.from({ length: 601 }, (_, n) => `${n % 2 ? 'a' : 'q'}${n}`)
    const { chains, steps } = await bringIn(
      getStore,
      treeOf(...ids.map((id, n) => (n === 0 ? id : `${ids[n - 1]}>${id}`))),
    )
    expect(chains).toEqual({ main: ids.join(' ') })
    expect(steps).toHaveLength(3)
  })
}
