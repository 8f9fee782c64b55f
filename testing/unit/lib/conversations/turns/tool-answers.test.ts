import { expect, test } from 'vitest'
import { answeredId } from '@/lib/conversations/turns/tool-answers'

test('given the same answers in another order, then it is the same reply; given others, another', () => {
  const yes = { approvalId: 'a', approved: true }
  const no = { approvalId: 'b', approved: false, reason: 'No' }
  const id = answeredId('chat', 'message', [yes, no])
  expect(answeredId('chat', 'message', [no, yes])).toBe(id)
  expect(answeredId('chat', 'message', [yes, { ...no, reason: ' No\0 ' }])).toBe(id)
  const others = [
    answeredId('chat', 'message', [yes, { ...no, reason: 'Yes' }]),
    answeredId('chat', 'message', [{ ...yes, approved: false }, no]),
    answeredId('chat', 'other', [yes, no]),
    answeredId('other', 'message', [yes, no]),
  ]
  expect(new Set([id, ...others]).size).toBe(5)
})
