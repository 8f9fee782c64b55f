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
import type { ChatSummary } from '@/lib/protocol'
import { listedChat } from './listed-chat'

const at = (id: string, updatedAt: number, over = {}) =>
  listedChat(id, { updatedAt, createdAt: updatedAt, ...over })
const page = (chats: ChatSummary[], next: string | null = null) => ({ chats, next })
const idsOf = (state: ListState) => shownChats(state).map(({ id }) => id)
const after = (state: ListState, ...actions: ListAction[]) => actions.reduce(changeList, state)

const note = (chat: { id: string } & Partial<ChatSummary>): ListAction => ({ type: 'note', chat })
const ask = (query: Extract<ListAction, { type: 'query' }>['query']): ListAction => ({ type: 'query', query })
const first = (
  chats: ChatSummary[],
  { next = null, ...over }: { next?: string | null; asked?: number; since?: number } = {},
): ListAction => ({ type: 'first', page: page(chats, next), since: 9, ...over })
const more = (chats: ChatSummary[], next: string | null = null): ListAction => ({
  type: 'more',
  page: page(chats, next),
  since: 9,
  asked: 0,
})

const kept = at('kept', 1, { pinnedAt: 9 })
const three = openList(page([kept, at('c', 30), at('b', 20)], 'more'))

it('given a page, when a chat is written to or a new one begins, then it comes first below the pinned ones', () => {
  const list = after(
    three,
    note({ id: 'b', updatedAt: 40 }),
    note({ id: 'new', title: 'New', updatedAt: 50 }),
  )
  expect(idsOf(list)).toEqual(['kept', 'new', 'b', 'c'])
  expect(shownChats(list)[1]).toMatchObject({ title: 'New', tags: [], pinnedAt: null })
})

it('given a chat below the pages so far, when something of it is known, then it is shown with its page', () => {
  const known = after(three, note(at('a', 10)))
  expect(idsOf(known)).toEqual(['kept', 'c', 'b'])
  const next = more([at('b2', 15), at('a', 10)])
  expect(idsOf(after(known, next))).toEqual(['kept', 'c', 'b', 'b2', 'a'])
  // a page that comes twice adds nothing
  expect(idsOf(after(known, next, next))).toEqual(['kept', 'c', 'b', 'b2', 'a'])
})

it('given chats, when they are archived or tagged, then the list shows those that its filter has', () => {
  const archived = after(three, note({ id: 'c', archivedAt: 5 }))
  expect(idsOf(archived)).toEqual(['kept', 'b'])
  expect(idsOf(after(archived, note({ id: 'c', archivedAt: null })))).toEqual(['kept', 'c', 'b'])
  const asked = after(three, ask({ tag: 'WORK' }))
  expect([asked.phase, idsOf(asked)]).toEqual(['loading', []])
  const tagged = after(asked, first([at('c', 30, { tags: ['Work'] })], { asked: asked.asked }))
  expect(idsOf(tagged)).toEqual(['c'])
  expect(idsOf(after(tagged, note({ id: 'c', tags: [] })))).toEqual([])
})

it('given a list that was asked for, when the answer to an earlier one comes, then it counts no more', () => {
  const asked = after(three, ask({ archived: true }))
  const x = [at('x', 1)]
  for (const late of [first(x, { asked: 0 }), more(x), { type: 'failed', asked: 0 } as const])
    expect(changeList(asked, late)).toBe(asked)
})

it('given two pages, when the first is read again, then what has left it is gone, and the second stays', () => {
  const both = after(three, more([at('a', 10), at('z', 5)], 'yet more'))
  // elsewhere c was deleted and a written to
  const again = after(both, first([kept, at('a', 60), at('b', 20)], { next: 'n' }))
  expect(idsOf(again)).toEqual(['kept', 'a', 'b', 'z'])
  expect(again.next).toBe('yet more')
  expect(idsOf(after(both, first([at('a', 60)])))).toEqual(['a'])
})

it('given a list by title, when chats change, then each stays where the server’s alphabet has it', () => {
  const asked = after(three, ask({ sort: 'title' }))
  const titled = [at('Ä', 1), at('b', 9), at('z', 3)]
  const list = idsOf(after(asked, first(titled, { asked: asked.asked }), note({ id: 'z', updatedAt: 99 })))
  expect(list).toEqual(expect.arrayContaining(['Ä', 'b', 'z']))
  expect(list.indexOf('Ä')).toBeLessThan(list.indexOf('z'))
})

it('given a chat that is deleted, then neither a page nor a note of something else brings it back', () => {
  const list = after(three, { type: 'forget', ids: ['c'] }, note({ id: 'b', title: 'B' }))
  expect(idsOf(list)).toEqual(['kept', 'b'])
})

it('given a page that was read before chats were changed or deleted here, when it comes, then the changes stay', () => {
  const list = after(openList(page([at('a', 3), at('b', 2), at('c', 1)])), note({ id: 'a', tags: ['New'] }), {
    type: 'forget',
    ids: ['b'],
  })
  const late = [at('a', 3), at('b', 2), at('c', 1, { title: 'C' })]
  const old = after(list, first(late, { since: 0 }))
  expect(shownChats(old).map(({ id, title, tags }) => [id, title, tags])).toEqual([
    ['a', 'a', ['New']],
    ['c', 'C', []],
  ])
  expect(idsOf(after(list, first(late, { since: 2 })))).toEqual(['a', 'b', 'c'])
})

it('given all chats of a list that were archived at once, when it is read again, then it shows none of them', () => {
  const asked = after(three, ask({}))
  expect(idsOf(asked)).toEqual([])
  expect(idsOf(after(asked, first([], { asked: asked.asked, since: 0 })))).toEqual([])
})

it('asks for a list by what it shows', () => {
  expect(listPath(plainQuery)).toBe('/api/chats')
  expect(listPath({ archived: true, tag: 'a&b', q: ' x ', sort: 'title' }, 'c')).toBe(
    '/api/chats?archived=true&tag=a%26b&q=x&sort=title&cursor=c',
  )
})
