import { expect, test } from 'vitest'
import { plainPreview } from '@/components/app/plain-preview'

test.each([
  ['1. **Morning**: climb to the *castle*', '1. Morning: climb to the castle'],
  ['A day: | When | What | |---|---| | 9:30 | Castle |', 'A day: · When · What · 9:30 · Castle'],
  ['## Plan for `today`', 'Plan for today'],
  ['see __this__ and _that_.', 'see this and that.'],
  ['see [the map](https://example.org/a) and ![a tram](tram.png "28")', 'see the map and a tram'],
  ['```ts const fare = 3``` is enough', 'const fare = 3 is enough'],
  // a preview ends within a mark
  ['First, **book the tickets for', 'First, book the tickets for'],
  ['run `npm install and', 'run npm install and'],
  ['as [the guide](https://example.org/a-very-lo', 'as the guide'],
  // what is no mark stays
  ['2 ** 3 is 8', '2 ** 3 is 8'],
  ['2 * 3 * 4 is 24', '2 * 3 * 4 is 24'],
  ['snake_case_name and issue #4', 'snake_case_name and issue #4'],
])('given the preview %j, a card shows %j', (preview, shown) => {
  expect(plainPreview(preview)).toBe(shown)
})
