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
const selected = (...actions: SelectionAction[]) => order.filter((id) => isSelected(after(...actions), id))

it('given nothing selected, when a stretch is asked for, then it is the one chat, and the next stretch goes on from there', () => {
  expect(selected({ type: 'stretch', to: 'c', order })).toEqual(['c'])
  expect(selected({ type: 'stretch', to: 'c', order }, { type: 'stretch', to: 'a', order })).toEqual([
    'a',
    'b',
    'c',
  ])
})

it('given a chat that was toggled, when a stretch follows, then it begins at that chat, upwards or downwards', () => {
  const toggled: SelectionAction[] = [
    { type: 'begin', id: 'e' },
    { type: 'toggle', id: 'b' },
  ]
  expect(selected(...toggled)).toEqual(['b', 'e'])
  expect(selected(...toggled, { type: 'stretch', to: 'd', order })).toEqual(['b', 'c', 'd', 'e'])
  expect(selected(...toggled, { type: 'toggle', id: 'e' })).toEqual(['b'])
})

it('given all of a list, when one is taken out, then the others stay, those that are not loaded too', () => {
  const rest = after({ type: 'all' }, { type: 'toggle', id: 'b' })
  expect(order.filter((id) => isSelected(rest, id))).toEqual(['a', 'c', 'd', 'e'])
  expect(rest && selectedCount(rest, 10_000)).toBe(9999)
  // a stretch puts it back
  expect(selected({ type: 'all' }, { type: 'toggle', id: 'b' }, { type: 'stretch', to: 'c', order })).toEqual(
    order,
  )
})

it('given selected chats, when some leave the list, then they are not selected any more', () => {
  const few = after(
    { type: 'begin', id: 'a' },
    { type: 'toggle', id: 'b' },
    { type: 'keep', order: ['b', 'c'] },
  )
  expect([...(few?.ids ?? [])]).toEqual(['b'])
  // the same object while nothing leaves: no row is drawn anew
  expect(changeSelection(few, { type: 'keep', order })).toBe(few)
  expect(changeSelection(few, { type: 'keep', order: ['a', 'c'] })).toBeNull()
  expect(changeSelection(after({ type: 'all' }), { type: 'keep', order: [] })).toBeNull()
  expect(changeSelection(few, { type: 'leave' })).toBeNull()
})
