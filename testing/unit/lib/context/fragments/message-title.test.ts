import { expect, test } from 'vitest'
import { messageTitle } from '@/lib/context/fragments'

test.each([
  ['a short one', 'Three days in Lisbon', 'Three days in Lisbon'],
  ['one of several lines', 'Three  days\n\nin Lisbon', 'Three days in Lisbon'],
  ['one that just fits', 'x'.repeat(60), 'x'.repeat(60)],
  ['a longer one', 'x'.repeat(61), `${'x'.repeat(60)}…`],
  ['one that is cut at a space', `${'x'.repeat(59)} and more`, `${'x'.repeat(59)}…`],
  ['one that goes on after a space', `${'x'.repeat(60)} \u{1f333}`, `${'x'.repeat(60)}…`],
  [
    'one after what a client has put before it',
    '<system-reminder>\nToday\n</system-reminder>\nGo on',
    'Go on',
  ],
  ['one without words', ' \n ', ''],
])('given %s, then it is that on one line', (_what, text, title) => {
  expect(messageTitle({ id: 'q1', role: 'user', parts: [{ type: 'text', text }] })).toBe(title)
})
