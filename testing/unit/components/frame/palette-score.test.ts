import { expect, test } from 'vitest'
import { paletteScore } from '@/components/frame/palette-score'

test('the command that is called what is typed comes before those that hold it', () => {
  const scores = ['New chat', 'New chat from here', 'Open a new chat', 'Chat, new'].map((label) =>
    paletteScore('new chat', label),
  )
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  expect(new Set(scores).size).toBe(4)
})

test('every typed word begins a word of the command, of its label before its other words', () => {
  expect(paletteScore('find gr', 'Find in graph')).toBeGreaterThan(
    paletteScore('find gr', 'Look up', 'find graph'),
  )
  expect(paletteScore('find gr', 'Look up', 'find graph')).toBeGreaterThan(0)
})

test('letters that only follow one another are no match', () => {
  expect(paletteScore('new chat', 'Ask another model', 'try again with regenerate switch choose')).toBe(0)
  expect(paletteScore('find in graph', 'Full window', 'graph maximize fills screen')).toBe(0)
})

test('a script without spaces is found within a label', () => {
  expect(paletteScore('素食', '我们有素食者')).toBeGreaterThan(0)
})
