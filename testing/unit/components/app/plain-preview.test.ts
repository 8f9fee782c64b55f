import { expect, test } from 'vitest'
import { plainPreview } from '@/components/app/plain-preview'

test.each([
  ['1. **Morning**: climb to the *castle*', '1. Morning: climb to the castle'],
  ['A day: | When | What | |---|---| | 9:30 | Castle |', 'A day: · When · What · 9:30 · Castle'],
  ['## Plan for `today`', 'Plan for today'],
  ['see __this__ and _that_.', 'see this and that.'],
  // what is no mark stays
  ['2 * 3 * 4 is 24', '2 * 3 * 4 is 24'],
  ['snake_case_name and issue #4', 'snake_case_name and issue #4'],
])('given the preview %j, a card shows %j', (preview, shown) => {
  expect(plainPreview(preview)).toBe(shown)
})
