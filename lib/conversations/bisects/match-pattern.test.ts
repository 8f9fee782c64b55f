import { describe, expect, it } from 'vitest'
import { matchesPattern } from './match-pattern'

const endless = '^(a+)+$'
const long = `${'a'.repeat(5000)}!`
/** Number of turns that the process gave to other work meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, goesOn] = [0, true]
  const turn = () => {
    turns += 1
    if (goesOn) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  goesOn = false
  return turns
}

describe('a pattern of a person', () => {
  it.each([
    ['s.uth', 'In the SOUTH of it.', true],
    ['east', 'In the SOUTH of it.', false],
    ['(?<=the )south', 'in the south', true],
    ['(\\w)\\1', 'Braga, Loulé, Faroo', true],
    ['\\p{L}', 'p{L}', true],
    ['^$', '', true],
  ])('given %j and %j, then it matches: %s', async (pattern, text, matches) => {
    expect(await matchesPattern('ada', pattern, text)).toBe(matches)
  })

  it('given a text of more than 100,000 characters, then it looks at these', async () => {
    const text = `${' '.repeat(100_000)}x`
    expect(await matchesPattern('ada', 'x', text)).toBe(false)
    expect(await matchesPattern('ada', 'x', text.slice(1))).toBe(true)
  })

  it('given what is no regular expression, then that is said', async () => {
    await expect(matchesPattern('ada', '(', '')).rejects.toMatchObject({ code: 'invalid_pattern' })
  })

  it.each([endless, '(a|a)*$', '^(.*a){20}$', '^(?=(a+)+$)', '(a*)*\\1$'])(
    'given %s, which backtracks without end, then it is cut off, and the process goes on meanwhile',
    async (pattern) => {
      const turns = await turnsDuring(() =>
        expect(matchesPattern('ada', pattern, long)).rejects.toMatchObject({ code: 'slow_pattern' }),
      )
      expect(turns).toBeGreaterThan(10)
    },
  )

  it('given a person with many endless patterns, when another person asks, then the answer comes after one of them', async () => {
    const answered: string[] = []
    const eves = Array.from({ length: 20 }, () =>
      matchesPattern('eve', endless, long).catch(() => answered.push('eve')),
    )
    const adas = matchesPattern('ada', 'south', 'south').then(() => answered.push('ada'))
    await Promise.all([...eves, adas])
    expect(answered.indexOf('ada')).toBeLessThanOrEqual(2)
    expect(answered).toHaveLength(21)
  })
})
