import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  areaLook,
  breakableParts,
  isHeavy,
  piecesToShow,
  previewOf,
} from '@/components/thread/markdown/shown-text'
import { withoutSurplusMarks } from '@/components/ui/surplus-marks'
import { LayoutCost } from '@/lib/markdown/layout-cost'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { hostileTexts } from '@/testing/worlds/hostile-texts'

describe('text as the browser lays it out', () => {
  it.each([
    ['letters without a break', 'a'.repeat(60_000)],
    ['combining marks', `a${'\u0301'.repeat(59_000)}`],
    ['a few letters under many marks', `${`a${'\u0301'.repeat(100)}`.repeat(3)}`],
    ['letters of both directions', 'aא'.repeat(5000)],
    ['Arabic letters without a break', 'ب'.repeat(8000)],
    ['a book', 'word '.repeat(10_000)],
  ])('folds %s', (_, text) => expect(isHeavy(text)).toBe(true))

  it.each([
    ['a letter', 'Dear all,\n\nwe have three days in Lisbon.\n\n'.repeat(100)],
    ['a log', '2026-11-22T06:00:00Z GET /c/1 200 12 ms\n'.repeat(400)],
    ['Arabic', 'لدينا ثلاثة أيام في لشبونة. '.repeat(300)],
    ['Chinese', '我们在里斯本有三天。'.repeat(1500)],
    ['Thai', 'เรามีเวลาสามวันในลิสบอน'.repeat(300)],
    ['Vietnamese in decomposed letters', 'Chúng ta có ba ngày. '.normalize('NFD').repeat(300)],
    ['a long address', `https://example.com/${'a1'.repeat(1000)}`],
    ['faces', '👩‍👩‍👧'.repeat(500)],
  ])('shows %s whole', (_, text) => expect(isHeavy(text)).toBe(false))

  it('given any text, then its pieces are the text, but for line ends between two of them', () => {
    const text = fc
      .array(fc.constantFrom('a', ' ', '\n', 'א', '😀', 'word ', 'a'.repeat(3000), '\u0301'), {
        maxLength: 60,
      })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (whole) => {
        let at = 0
        for (const piece of piecesToShow(whole)) {
          if (!whole.startsWith(piece, at)) at++
          expect(whole.startsWith(piece, at)).toBe(true)
          expect(piece).toBe(piece.toWellFormed())
          expect(breakableParts(piece).join('')).toBe(piece)
          at += piece.length
        }
        expect(whole.slice(at).length).toBeLessThanOrEqual(1)
      }),
    )
  })

  it.each(Object.entries(hostileTexts))('lays out %s in pieces that are each light', (_, make) => {
    const worked = cpuTime()
    const pieces = piecesToShow(withoutSurplusMarks(make(60_000)))
    expect(worked()).toBeLessThan(1000)
    for (const piece of pieces) {
      const cost = new LayoutCost()
      cost.addLine(piece)
      expect(cost.total).toBeLessThan(12_000)
    }
  })

  it('keeps as many marks on a letter as any language has', () => {
    expect(withoutSurplusMarks(`a${'\u0301'.repeat(12)}`)).toHaveLength(13)
    expect(withoutSurplusMarks(`a${'\u0301'.repeat(200)}b`)).toBe(`a${'\u0301'.repeat(12)}b`)
  })

  it('shows the beginning before the fold, and no half of a letter', () => {
    expect(previewOf('short')).toBe('short')
    expect(previewOf('a\n'.repeat(100)).split('\n')).toHaveLength(16)
    expect(previewOf(`a${'😀'.repeat(2000)}`)).toBe(previewOf(`a${'😀'.repeat(2000)}`).toWellFormed())
  })
})

describe('a text area', () => {
  it.each([
    ['wraps what is light', 'word '.repeat(20_000), 'wrapped'],
    ['does not wrap letters without a break', 'a'.repeat(60_000), 'unwrapped'],
    ['shows marks without end as dots', `a${'\u0301'.repeat(59_000)}`, 'dots'],
  ])('%s', (_, text, look) => expect(areaLook(text)).toBe(look))
})
