import { expect, it } from 'vitest'
import { knownFacts, nothingKnown } from '@/lib/ai/catalogue/model-facts'
import { knownProviders } from '@/lib/ai/catalogue/providers'

it('given a price that changes on a day, then each day has its own', () => {
  const price = (day: string) => knownFacts('google:gemini-4-argon', Date.parse(day)).price
  expect(price('2026-11-30T23:59:59Z')).toEqual({ input: 2, output: 10, cached: 0.1 })
  expect(price('2026-12-01T00:00:00Z')).toEqual({ input: 4, output: 20, cached: 0.2 })
})

it('given a day before the first price, then it is not known, and not 0', () => {
  expect(knownFacts('google:gemini-4-argon', Date.parse('2026-09-29')).price).toBeNull()
})

it.each(['openai:gpt-99', '', 'constructor', '__proto__'])('given %j, then nothing is known', (id) => {
  expect(knownFacts(id, Date.now())).toBe(nothingKnown)
})

it('given the models of the three makers in our list, then text and window are known of each but one', () => {
  const unknown = knownProviders
    .filter(({ name }) => ['openai', 'anthropic', 'google', 'groq'].includes(name))
    .flatMap(({ name, models }) => [...models.keys()].map((model) => `${name}:${model}`))
    .filter((id) => knownFacts(id, Date.parse('2026-11-22')).window === null)
  expect(unknown).toEqual(['google:gemini-3.8-flash'])
})
