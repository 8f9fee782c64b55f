import { expect, it } from 'vitest'
import * as fragments from '@/lib/context/fragments'

const { fragment, hint, isFragment, isFragmentObject, isLazyFragment, isMessageFragment } = fragments
const { lastAssistantMessage, user } = fragments

const whole = [hint('x'), user('x'), { name: 'own', data: undefined }, fragment('a', hint('b'))]
const halves = [{ name: 'x' }, { data: 'x' }, { name: 1, data: 'x' }]
const noObjects = [[], hint('x'), null, 'text', 3, new Date(), new Map()]
it.each<[string, (value: unknown) => boolean, unknown[], unknown[]]>([
  ['a fragment by its name and data', isFragment, whole, [null, undefined, 'hint', ...halves, [hint('x')]]],
  ['a plain object', isFragmentObject, [{}, { name: 'x' }, Object.create(null)], noObjects],
])('tells %s', (_, tells, such, others) => {
  expect([...such, ...others].map(tells)).toEqual([...such.map(() => true), ...others.map(() => false)])
})

it('tells messages from context, and messages that wait for their id from those that have one', () => {
  const three = [hint('x'), user('x'), lastAssistantMessage('x')]
  expect(three.map(isMessageFragment)).toEqual([false, true, true])
  expect(three.map(isLazyFragment)).toEqual([false, false, true])
  expect(isLazyFragment({ ...lastAssistantMessage('x'), [fragments.LAZY_ID]: undefined } as never)).toBe(
    false,
  )
  expect(lastAssistantMessage('Fixed')[fragments.LAZY_ID]).toEqual({
    type: 'last-assistant',
    content: 'Fixed',
  })
})
