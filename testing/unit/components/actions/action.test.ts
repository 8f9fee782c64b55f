import { expect, test } from 'vitest'
import { type Action, commandsOf, offers, shownKeys } from '@/components/actions/action'
import { keyName } from '@/components/app/use-keys'

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

test.each([
  ['j', {}, 'j'],
  [' ', {}, 'Space'],
  ['?', { shiftKey: true }, '?'],
  ['k', { ctrlKey: true }, 'Ctrl+K'],
  ['k', { metaKey: true }, 'Ctrl+K'],
  ['k', { ctrlKey: true, shiftKey: true }, 'Ctrl+Shift+K'],
  ['t', { altKey: true }, 'Alt+T'],
])('the key %j with %j has the name %s that records spell', (key, held, name) => {
  expect(keyName({ ...plain, ...held, key })).toBe(name)
})

test.each([
  ['g g', ['g', 'g']],
  ['Ctrl+K', ['Ctrl', 'K']],
  ['+', ['+']],
  ['ArrowUp', ['↑']],
  ['Escape', ['Esc']],
  ['Space', ['Space']],
])('the key %s is shown as it is printed on a keyboard', (key, shown) => {
  expect(shownKeys(key)).toEqual(shown)
})

interface Door {
  open: boolean
  locked?: boolean
}

const shut: Action<Door> = {
  id: 'shut',
  label: 'Shut the door',
  named: ({ locked }) => (locked ? 'Shut the locked door' : 'Shut this door'),
  keys: ['s'],
  when: ({ open, locked }) => (locked ? 'It is locked' : open),
  run: (door) => {
    door.open = false
  },
}

test('an action is offered where it is possible; a refused one where that is asked for', () => {
  expect(
    offers([shut], { open: true }).map(({ label, hotkey, refused }) => [label, hotkey, refused]),
  ).toEqual([['Shut this door', 's', false]])
  expect(offers([shut], { open: false })).toEqual([])
  expect(offers([shut], { open: true, locked: true })).toEqual([])
  expect(offers([shut], { open: true, locked: true }, true).map(({ refused }) => refused)).toEqual([true])
})

test('a command of the palette is done to the target as it is then', () => {
  let door: Door = { open: true }
  const [command] = commandsOf('House', [shut], () => door)
  expect(command).toMatchObject({ group: 'House', label: 'Shut the door', keys: ['s'] })
  const later = { open: true }
  door = later
  command?.run()
  expect(later.open).toBe(false)
})
