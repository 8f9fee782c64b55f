import { expect, it } from 'vitest'
import {
  changeList,
  type ListAction,
  type ListState,
  listPath,
  openList,
  plainQuery,
  shownChats,
} from '@/components/chats/list-state'
import { listedChat } from './listed-chat'

const at = (id: string, updatedAt: number, over = {}) =>
  listedChat(id, { updatedAt, createdAt: updatedAt, ...over })
const page = (chats: ReturnType<typeof at>[], next: string | null = null) => ({ chats, next })
const idsOf = (state: ListState) => shownChats(state).map(({ id }) => id)
const after = (state: ListState, ...actions: ListAction[]) => actions.reduce(changeList, state)

const three = page([at('kept', 1, { pinnedAt: 9 }), at('c', 30), at('b', 20)], 'more')

it('given a page, when a chat is written to or a new one begins, then it comes first below the pinned ones', () => {
  const list = after(
    openList(three),
    { type: 'note', chat: { id: 'b', updatedAt: 40 } },
    { type: 'note', chat: { id: 'new', title: 'New', updatedAt: 50 } },
  )
  expect(idsOf(list)).toEqual(['kept', 'new', 'b', 'c'])
  expect(shownChats(list)[1]).toMatchObject({ title: 'New', tags: [], pinnedAt: null })
})

it('given a chat below the pages so far, when something of it is known, then it is shown with its page', () => {
  const known = after(openList(three), { type: 'note', chat: at('a', 10) })
  expect(idsOf(known)).toEqual(['kept', 'c', 'b'])
  const more: ListAction = { type: 'more', asked: 0, since: 9, page: page([at('b2', 15), at('a', 10)]) }
  expect(idsOf(after(known, more))).toEqual(['kept', 'c', 'b', 'b2', 'a'])
  // a page that comes twice adds nothing
  expect(idsOf(after(known, more, more))).toEqual(['kept', 'c', 'b', 'b2', 'a'])
})

it('given chats, when they are archived, tagged or renamed, then the list shows those that its filter has', () => {
  const archived = after(openList(three), { type: 'note', chat: { id: 'c', archivedAt: 5 } })
  expect(idsOf(archived)).toEqual(['kept', 'b'])
  expect(idsOf(after(archived, { type: 'note', chat: { id: 'c', archivedAt: null } }))).toEqual([
    'kept',
    'c',
    'b',
  ])
  const asked = after(openList(three), { type: 'query', query: { tag: 'WORK' } })
  expect([asked.phase, idsOf(asked)]).toEqual(['loading', []])
  const tagged = after(asked, {
    type: 'first',
    since: 9,
    asked: asked.asked,
    page: page([at('c', 30, { tags: ['Work'] })]),
  })
  expect(idsOf(tagged)).toEqual(['c'])
  expect(idsOf(after(tagged, { type: 'note', chat: { id: 'c', tags: [] } }))).toEqual([])
})

it('given a list that was asked for, when the answer to an earlier one comes, then it counts no more', () => {
  const asked = after(openList(three), { type: 'query', query: { archived: true } })
  for (const late of [
    { type: 'first', asked: 0, since: 9, page: page([at('x', 1)]) },
    { type: 'more', asked: 0, since: 9, page: page([at('x', 1)]) },
    { type: 'failed', asked: 0 },
  ] satisfies ListAction[])
    expect(changeList(asked, late)).toBe(asked)
})

it('given two pages, when the first is read again, then what has left it is gone, and the second stays', () => {
  const both = after(openList(three), {
    type: 'more',
    since: 9,
    asked: 0,
    page: page([at('a', 10), at('z', 5)], 'yet more'),
  })
  // elsewhere c was deleted and a written to
  const again = after(both, {
    type: 'first',
    since: 9,
    page: page([at('kept', 1, { pinnedAt: 9 }), at('a', 60), at('b', 20)], 'n'),
  })
  expect(idsOf(again)).toEqual(['kept', 'a', 'b', 'z'])
  expect(again.next).toBe('yet more')
  expect(idsOf(after(both, { type: 'first', since: 9, page: page([at('a', 60)]) }))).toEqual(['a'])
})

it('given a list by title, when chats change, then each stays where the server’s alphabet has it', () => {
  const asked = after(openList(three), { type: 'query', query: { sort: 'title' } })
  const list = after(
    asked,
    { type: 'first', asked: asked.asked, since: 9, page: page([at('Ä', 1), at('b', 9), at('z', 3)]) },
    { type: 'note', chat: { id: 'z', updatedAt: 99 } },
  )
  expect(idsOf(list)).toEqual(expect.arrayContaining(['Ä', 'b', 'z']))
  expect(idsOf(list).indexOf('Ä')).toBeLessThan(idsOf(list).indexOf('z'))
})

it('given a chat that is deleted, then neither a page nor a note of something else brings it back', () => {
  const list = after(
    openList(three),
    { type: 'forget', ids: ['c'] },
    { type: 'note', chat: { id: 'b', title: 'B' } },
  )
  expect(idsOf(list)).toEqual(['kept', 'b'])
})

it('given a page that was read before chats were changed or deleted here, when it comes, then the changes stay', () => {
  const list = after(
    openList(page([at('a', 3), at('b', 2), at('c', 1)])),
    { type: 'note', chat: { id: 'a', tags: ['New'] } },
    { type: 'forget', ids: ['b'] },
  )
  const late = page([at('a', 3), at('b', 2), at('c', 1, { title: 'C' })])
  const old = after(list, { type: 'first', page: late, since: 0 })
  expect(shownChats(old).map(({ id, title, tags }) => [id, title, tags])).toEqual([
    ['a', 'a', ['New']],
    ['c', 'C', []],
  ])
  expect(idsOf(after(list, { type: 'first', page: late, since: 2 }))).toEqual(['a', 'b', 'c'])
})

it('given all chats of a list that were archived at once, when it is read again, then it shows none of them', () => {
  const asked = after(openList(three), { type: 'query', query: {} })
  expect(idsOf(asked)).toEqual([])
  expect(idsOf(after(asked, { type: 'first', asked: asked.asked, since: 0, page: page([]) }))).toEqual([])
})

it('asks for a list by what it shows', () => {
  expect(listPath(plainQuery)).toBe('/api/chats')
  expect(listPath({ archived: true, tag: 'a&b', q: ' x ', sort: 'title' }, 'c')).toBe(
    '/api/chats?archived=true&tag=a%26b&q=x&sort=title&cursor=c',
  )
})
