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
  it('tells a fragment by its name and data', () => {
    const fragments = [hint('x'), user('x'), { name: 'own', data: undefined }, fragment('a', hint('b'))]
    const halves = [{ name: 'x' }, { data: 'x' }, { name: 1, data: 'x' }]
    const others = [null, undefined, 'hint', ...halves, [hint('x')]]
    const all = [...fragments, ...others]
    expect(all.map(isFragment)).toEqual(all.map((_, at) => at < fragments.length))
  })
})

describe('isFragmentObject', () => {
  it('tells a plain object that is no fragment', () => {
    const plain = [{}, { name: 'x' }, Object.create(null)]
    const others = [[], hint('x'), null, 'text', 3, new Date(), new Map()]
    const all = [...plain, ...others]
    expect(all.map(isFragmentObject)).toEqual(all.map((_, at) => at < plain.length))
  })
})

describe('isMessageFragment and isLazyFragment', () => {
  it('tell messages from context, and messages that wait for their id from those that have one', () => {
    const three = [hint('x'), user('x'), lastAssistantMessage('x')]
    expect(three.map(isMessageFragment)).toEqual([false, true, true])
    expect(three.map(isLazyFragment)).toEqual([false, false, true])
    expect(isLazyFragment({ ...lastAssistantMessage('x'), [LAZY_ID]: undefined } as never)).toBe(false)
    expect(lastAssistantMessage('Fixed')[LAZY_ID]).toEqual({ type: 'last-assistant', content: 'Fixed' })
  })
})
