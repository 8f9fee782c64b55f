import { expect, it } from 'vitest'
import { planCheckpoint, planRename, planRewind, planSwitch, planUndo } from '@/lib/context'
import { newId } from '@/lib/events'
import type { MoveEntry, MovePage } from '@/lib/protocol'
import { listMoves, readHistory } from '@/lib/server/api/chats'
import type { Operation } from '@/lib/server/api/operation'
import { redo, undo } from '@/lib/server/api/verbs/undo'
import { line } from '@/testing/contracts/store/story'
import { type Person, useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'

onOneDatabase('undo over HTTP', ({ name }) => {
  const api = useApi(name)
  const { person } = api

  /** A chat with a question and a reply on main; its owner calls it `called`. */
  const chatOf = async ({ id: ownerId, ask }: Person, called: string = newId(), key = called) => {
    const chat = await storedChat(api.services.store, ownerId, { chatId: key, called })
    const [q1 = '', a1 = ''] = await chat.say(chat.main, null, ['A question', 'A reply'])
    const branches = async () =>
      (await api.services.store.listBranches(key))
        .filter(({ archivedAt }) => archivedAt === null)
        .map((branch) => branch.name)
    const act = (operation: Operation, more: object = {}, once?: string) =>
      ask(operation, {
        body: { chat_id: called, ...more },
        ...(once !== undefined && { headers: { 'idempotency-key': once } }),
      })
    /** copies the question to the end of main, so many times; returns the last copy */
    const pick = async (count: number) => {
      const copies = Array.from({ length: count }, () => line(`c-${newId()}`, { copiedFromId: q1 }))
      await chat.commit([
        { kind: 'append', branchId: chat.main, expectedHead: a1, messages: copies },
        { kind: 'mark-move', move: 'pick' },
      ])
      return copies.at(-1)?.id
    }
    return { ...chat, key, q1, a1, branches, act, pick }
  }
  const inChat = (chat_id: string, more: object = {}) => ({ body: { chat_id, ...more } })
  const movesOf = async (who: Person, id: string, query = '') =>
    (await who.ask(listMoves, { id, query })).body as MovePage
  /** The lines as short as a test needs them. */
  const told = (moves: readonly MoveEntry[]) =>
    moves.map(({ kind, move, name: called, questions, replies }) =>
      [kind, move, called, questions && `${questions}+${replies}`].filter(Boolean).join(' '),
    )

  it('given moves, when they are undone and made again by command, then each answer says what was, and a repeated key does nothing more', async () => {
    const ada = await person()
    const chat = await chatOf(ada)
    const { steps, branchId } = planRewind({ after: 'main', messageId: chat.q1, newId })
    await chat.commit(steps)
    await chat.commit(planRename(branchId, 'porto'))

    const first = await chat.act(undo, {}, 'once')
    const renamed = { move: 'rename', moves: 1, says: 'renamed main-v2 to porto' }
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ chat_id: chat.called, thread_id: branchId, ...renamed })
    expect((await chat.act(undo, {}, 'once')).body).toEqual(first.body)
    expect(await chat.branches()).toEqual(['main', 'main-v2'])
    expect((await chat.act(undo, { to: 1 }, 'once')).body.code).toBe('idempotency_mismatch')

    expect((await chat.act(undo)).body).toMatchObject({ thread_id: chat.main, move: 'branch' })
    expect(await chat.branches()).toEqual(['main'])
    expect(await chat.act(undo)).toMatchObject({ status: 409, body: { code: 'nothing_to_undo' } })
    for (const move of ['branch', 'rename']) {
      expect((await chat.act(redo)).body).toMatchObject({ move, thread_id: branchId })
    }
    expect(await chat.branches()).toEqual(['main', 'porto'])
    expect((await chat.act(redo)).body.code).toBe('nothing_to_redo')
    expect(told((await movesOf(ada, chat.called)).moves)).toEqual([
      ...['redone rename porto', 'redone branch main-v2', 'undone branch main-v2', 'undone rename porto'],
      ...['move rename porto', 'move branch main-v2', 'turns 1+1', 'move branch main'],
    ])
  })

  it('given several moves, when Undo goes back to a line of the history, then all after it are undone, or with one that was built upon none', async () => {
    const ada = await person()
    const chat = await chatOf(ada)
    await chat.commit(planCheckpoint({ name: 'good', messageId: chat.a1, newId }))
    const { seq: to } = await movesOf(ada, chat.called)
    const { steps, branchId } = planRewind({ after: 'main', messageId: chat.q1, newId })
    await chat.commit(steps)
    await chat.commit(planRename(chat.main, 'lisbon'))
    await chat.commit(planCheckpoint({ name: 'good', messageId: chat.q1, newId }))

    expect(await chat.act(undo, { to })).toMatchObject({
      status: 200,
      body: { move: 'branch', moves: 3, says: '3 moves', thread_id: chat.main },
    })
    expect(await chat.branches()).toEqual(['main'])
    const { store } = api.services.ports
    expect((await store.getCheckpoint(chat.key, 'good'))?.messageId).toBe(chat.a1)

    for (let left = 3; left > 0; left -= 1) await chat.act(redo)
    await chat.say(branchId, chat.q1, ['More'])
    const before = await movesOf(ada, chat.called)
    const built = { code: 'built_upon', detail: 'Nothing was undone: the branch has moved on since.' }
    expect(await chat.act(undo, { to: 0 })).toMatchObject({ status: 409, body: built })
    expect(await movesOf(ada, chat.called)).toEqual(before)
    for (const wrong of [-1, 1.5, 'a']) {
      expect((await chat.act(undo, { to: wrong })).status).toBe(400)
    }
  })

  it('given a chat of someone else, then Undo, Redo and the moves answer as of one that is missing, and two people who call theirs alike undo their own', async () => {
    const [ada, bob] = [await person(), await person()]
    const mine = await chatOf(ada, `trip-${newId()}`)
    await mine.commit(planRename(mine.main, 'lisbon'))
    const missing = newId()
    const withoutId = (text: string, id: string) => text.replaceAll(id, 'ID')
    for (const [operation, ask] of [
      [undo, (id: string) => inChat(id)],
      [undo, (id: string) => inChat(id, { to: 0 })],
      [redo, (id: string) => inChat(id)],
      [listMoves, (id: string) => ({ id })],
    ] as const) {
      const foreign = await bob.ask(operation, ask(mine.called))
      const none = await bob.ask(operation, ask(missing))
      expect(foreign.status).toBe(404)
      expect(withoutId(foreign.text, mine.called)).toBe(withoutId(none.text, missing))
    }

    const theirs = await chatOf(bob, mine.called, newId())
    await theirs.commit(planRename(theirs.main, 'porto'))
    const undone = await bob.ask(undo, inChat(mine.called))
    expect(undone.body).toMatchObject({ chat_id: mine.called, thread_id: theirs.main })
    expect(undone.text + (await bob.ask(listMoves, { id: mine.called })).text).not.toContain(theirs.key)
    expect([await mine.branches(), await theirs.branches()]).toEqual([['lisbon'], ['main']])
  })

  it('given a log that is longer than a page, when its pages are read, then every line is there once, and no move is cut', async () => {
    const ada = await person()
    const chat = await chatOf(ada)
    const head = await chat.pick(20)
    const side = planRewind({ after: 'main', messageId: chat.q1, newId })
    await chat.commit(side.steps)
    const { moveSeq: joins } = await chat.commit(planSwitch(chat.main).steps)
    const joined = planRewind({ after: 'main', messageId: chat.a1, joins: joins ?? undefined, newId })
    await chat.commit(joined.steps)
    const { store } = api.services.ports
    for (let left = 2; left > 0; left -= 1) {
      const move = await store.getMove(chat.key, { which: 'undo' })
      if (move) await chat.commit(planUndo(move, newId).steps)
    }

    const whole = await movesOf(ada, chat.called)
    expect(told(whole.moves)).toEqual([
      ...['undone branch main-v2', 'undone branch main-v3', 'move branch main-v3', 'move branch main-v2'],
      ...['move pick', 'turns 1+1', 'move branch main'],
    ])
    expect(whole.moves[4]).toMatchObject({ count: 20, branchId: chat.main, messageId: head })
    for (const limit of [1, 2, 3, 7]) {
      const pages: MoveEntry[] = []
      for (let next: number | null = whole.seq + 1; next !== null; ) {
        const page: MovePage = await movesOf(ada, chat.called, `?before=${next}&limit=${limit}`)
        pages.push(...page.moves.filter(({ kind }) => kind !== 'turns'))
        next = page.next
      }
      expect(pages, `${limit} at once`).toEqual(whole.moves.filter(({ kind }) => kind !== 'turns'))
    }
  })

  it('given a pick that was undone, when the history is read, then the head of its branch goes back', async () => {
    const ada = await person()
    const chat = await chatOf(ada)
    await chat.pick(1)
    await chat.act(undo)
    const { kinds } = (await ada.ask(readHistory, { id: chat.called })).body as { kinds: string }
    // began, a question, a reply, the copy; back, and the branch that keeps the copy, archived
    expect(kinds).toBe('emmmhoa')
  })
})
