import { expect, test } from 'vitest'
import { shapesOf } from '@/components/explorer/labels/chip-size'

const chip = (words: string) => ({ words, icon: true })

test.each([
  ['is as wide as its column', 'main', 100],
  ['has one long word, which is never broken', 'extraordinarily', 90],
  ['would take more than three lines', 'word '.repeat(14), 90],
])('a label that %s stays in one line', (_, words, width) => {
  expect(shapesOf([chip(words)], width, 19)).toHaveLength(1)
})

test('a long name is broken into lines that fit its column', () => {
  const [row, broken] = shapesOf([chip('one of us is vegetarian · here')], 140, 19)
  expect(row?.width).toBeGreaterThan(180)
  expect(broken).toMatchObject({ width: 140, height: 19 + 15 })
})

test('several labels make a row, or a pile as wide as the widest of them', () => {
  const [row, pile] = shapesOf([chip('main'), chip('main-v2')], 300, 19)
  expect(row).toMatchObject({ stacked: false, height: 19 })
  expect(pile).toMatchObject({ stacked: true, height: 2 * 19 + 3 })
  expect(pile?.width).toBeLessThan(row?.width ?? 0)
})
