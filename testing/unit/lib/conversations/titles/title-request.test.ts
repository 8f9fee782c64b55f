import { describe, expect, test } from 'vitest'
import * as titles from '@/lib/conversations/titles/title-request'

const { branchTitleRequest, chatTitleRequest, titleOf, widths } = titles

describe('a model’s answer as a title', () => {
  test.each([
    ['Vegetarian food', 'Vegetarian food'],
    ['"Vegetarian food."\n\nI hope that helps!', 'Vegetarian food'],
    ['**Title:** Food without meat', 'Food without meat'],
    ['„Essen ohne Fleisch“', 'Essen ohne Fleisch'],
    ['素食晚餐。', '素食晚餐'],
    ['  \n ', ''],
    ['“”', ''],
    ['I am sorry, but as a model I am not able to name any of these.', ''],
    ['Averyverylongwordwithoutanyplacetocutit and more', 'Averyverylongwordwithoutanyplacetocutit…'],
  ])('given %j, then it is %j', (answer, title) => {
    expect(titleOf(answer, widths.branch)).toBe(title)
  })
})

describe('the request for a title', () => {
  test('given long messages, then it shows their beginnings', () => {
    const { prompt } = chatTitleRequest('q'.repeat(1e5), `${'r'.repeat(1199)}\u{1f333}`)
    expect(prompt.length).toBeLessThan(2600)
    expect(prompt.isWellFormed()).toBe(true)
  })

  test('given another version, then it shows both, and says that a branch is named', () => {
    const { instructions, prompt } = branchTitleRequest('without meat', 'Gladly.', 'with fish')
    expect(instructions).toMatch(/^You name branches/)
    expect(prompt).toMatch(/with fish[\s\S]*without meat[\s\S]*Gladly/)
  })
})
