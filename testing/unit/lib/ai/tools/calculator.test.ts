import { expect, test } from 'vitest'
import { calculate } from '@/lib/ai/tools/calculator'

test.each([
  ...['2 * (3 + 4) = 14', '12*7 = 84', '0.1 + 0.2 = 0.3', '2 ** 10 = 1024', '6 × 7 ÷ 2 = 21', '-3 ^ 2 = -9'],
  ...['sqrt(16) + max(1, 2) = 6', 'round(2.5) % 2 = 1', `2 * PI = ${2 * Math.PI}`],
])('%s', async (line) => {
  const [expression = '', result] = line.split(' = ')
  expect(await calculate(expression)).toBeCloseTo(Number(result), 12)
})

test.each([
  ['1 / 0', 'This calculation has no finite result.'],
  ['170! * 10 ^ 300', 'This calculation has no finite result.'],
  ['[1, 2]', 'no number'],
  ['"a" || "b"', 'not a calculation'],
  ['random()', 'not a calculation'],
  ['map(sqrt, [1])', 'not a calculation'],
  ['x = 5', 'not a calculation'],
  ['f(x) = x', 'not a calculation'],
  ['process.exit()', 'not a calculation'],
  ['constructor', 'not a calculation'],
  ['__proto__', 'not a calculation'],
  ['', 'not a calculation'],
  ['1+'.repeat(600), '1,000 characters at most'],
  ['('.repeat(1000), 'not a calculation'],
])('given %s, then it is refused in words', async (expression, words) => {
  await expect(calculate(expression)).rejects.toThrow(words)
})
