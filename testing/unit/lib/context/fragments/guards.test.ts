import { describe, expect, it } from 'vitest'
import {
  fragment,
  hint,
  isFragment,
  isFragmentObject,
  isLazyFragment,
  isMessageFragment,
  LAZY_ID,
  lastAssistantMessage,
  user,
} from '@/lib/context/fragments'

describe('isFragment', () => {
  it.each([[hint('x')], [user('x')], [{ name: 'own', data: undefined }], [fragment('a', hint('b'))]])(
    'given a fragment, says yes (%#)',
    (data) => expect(isFragment(data)).toBe(true),
  )

  it.each([
    [null],
    [undefined],
    ['hint'],
    [{ name: 'x' }],
    [{ data: 'x' }],
    [{ name: 1, data: 'x' }],
    [[hint('x')]],
  ])('given %j, says no', (data) => expect(isFragment(data)).toBe(false))
})

describe('isFragmentObject', () => {
  it.each([[{}], [{ name: 'x' }], [Object.create(null)]])('given plain object %j, says yes', (data) =>
    expect(isFragmentObject(data)).toBe(true),
  )

  it.each([[[]], [hint('x')], [null], ['text'], [3], [new Date()], [new Map()]])(
    'given %j, says no',
    (data) => expect(isFragmentObject(data)).toBe(false),
  )
})

describe('isMessageFragment and isLazyFragment', () => {
  it('tell messages from context, and messages that wait for their id from those that have one', () => {
    expect([hint('x'), user('x'), lastAssistantMessage('x')].map(isMessageFragment)).toEqual([
      false,
      true,
      true,
    ])
    expect([hint('x'), user('x'), lastAssistantMessage('x')].map(isLazyFragment)).toEqual([
      false,
      false,
      true,
    ])
    expect(isLazyFragment({ ...lastAssistantMessage('x'), [LAZY_ID]: undefined } as never)).toBe(false)
    expect(lastAssistantMessage('Fixed')[LAZY_ID]).toEqual({ type: 'last-assistant', content: 'Fixed' })
  })
})
