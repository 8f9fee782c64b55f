import { expect, test } from 'vitest'
import { newId, timeOfId } from '@/lib/events'

test('an id tells when it was made', () => {
  const before = Date.now()
  const made = timeOfId(newId())
  expect(made).toBeGreaterThanOrEqual(before)
  expect(made).toBeLessThanOrEqual(Date.now())
  expect(timeOfId('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')).toBe(Date.UTC(2022, 1, 22, 19, 22, 22))
})

test.each(['', 'run', crypto.randomUUID()])('an id of another kind does not tell: %s', (id) => {
  expect(timeOfId(id)).toBeNull()
})
