import { expect, it } from 'vitest'
import {
  changeSelection,
  isSelected,
  type SelectionAction,
  selectedCount,
} from '@/components/chats/selection'

const order = ['a', 'b', 'c', 'd', 'e']
const after = (...actions: SelectionAction[]) =>
  actions.reduce<ReturnType<typeof changeSelection>>(changeSelection, null)
const selected = (...actions: SelectionAction[]) =>
  order.filter((id) => isSelected(after(...actions), id)).join('')
const begin = (id: string): SelectionAction => ({ type: 'begin', id })
const toggle = (id: string): SelectionAction => ({ type: 'toggle', id })
const stretch = (to: string): SelectionAction => ({ type: 'stretch', to, order })
const keep = (...order: string[]): SelectionAction => ({ type: 'keep', order })

it.each<[string, SelectionAction[], string]>([
  ['a stretch from nothing is the one chat', [stretch('c')], 'c'],
  ['the next stretch goes on from there', [stretch('c'), stretch('a')], 'abc'],
  ['chats are toggled one by one', [begin('e'), toggle('b')], 'be'],
  ['a stretch begins at the chat that was toggled last', [begin('e'), toggle('b'), stretch('d')], 'bcde'],
  ['a chat is taken out again', [begin('e'), toggle('b'), toggle('e')], 'b'],
  ['of all, one is taken out', [{ type: 'all' }, toggle('b')], 'acde'],
  ['a stretch puts it back', [{ type: 'all' }, toggle('b'), stretch('c')], 'abcde'],
])('%s', (_, actions, expected) => {
  expect(selected(...actions)).toBe(expected)
})

it('given all of a list, when one is taken out, then those that are not loaded stay too', () => {
  const rest = after({ type: 'all' }, toggle('b'))
  expect(rest && selectedCount(rest, 10_000)).toBe(9999)
})

it('given selected chats, when some leave the list, then they are not selected any more', () => {
  const few = after(begin('a'), toggle('b'), keep('b', 'c'))
  expect([...(few?.ids ?? [])]).toEqual(['b'])
  // the same object while nothing leaves: no row is drawn anew
  expect(changeSelection(few, keep(...order))).toBe(few)
  expect(changeSelection(few, keep('a', 'c'))).toBeNull()
  expect(changeSelection(after({ type: 'all' }), keep())).toBeNull()
  expect(changeSelection(few, { type: 'leave' })).toBeNull()
})
