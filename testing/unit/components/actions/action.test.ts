import { expect, test } from 'vitest'
import { type Action, commandsOf, offers, shownKeys } from '@/components/actions/action'
import { keyName } from '@/components/app/use-keys'

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

test('a key has the name that records spell', () => {
  expect(keyName({ ...plain, key: 'j' })).toBe('j')
  expect(keyName({ ...plain, key: ' ' })).toBe('Space')
  expect(keyName({ ...plain, key: '?', shiftKey: true })).toBe('?')
  expect(keyName({ ...plain, key: 'k', ctrlKey: true })).toBe('Ctrl+K')
  expect(keyName({ ...plain, key: 'k', metaKey: true })).toBe('Ctrl+K')
  expect(keyName({ ...plain, key: 'k', ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+K')
  expect(keyName({ ...plain, key: 't', altKey: true })).toBe('Alt+T')
})

test('a key is shown as it is printed on a keyboard', () => {
  expect(['g g', 'Ctrl+K', '+', 'ArrowUp', 'Escape', 'Space'].map(shownKeys)).toEqual([
    ['g', 'g'],
    ['Ctrl', 'K'],
    ['+'],
    ['↑'],
    ['Esc'],
    ['Space'],
  ])
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
