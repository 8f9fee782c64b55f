import { expect, test } from 'vitest'
import { leaveOut, promptChain } from './leave-out'

const said = (id: string, role: 'user' | 'assistant', ...parts: object[]) => ({
  id,
  data: { id, role, parts },
})
const text = (words: string) => ({ type: 'text', text: words })
const call = (toolCallId: string, state: string, rest: object = {}) => ({
  type: 'tool-read',
  toolCallId,
  state,
  ...rest,
})
const chain = [said('q1', 'user', text('Porto?')), said('a1', 'assistant', text('Yes')), said('q2', 'user')]
const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id)

test('messages that are left out twice, in any order, are one setup, and put back they are none', () => {
  const setup = leaveOut(leaveOut({ memories: [] }, ['m2'], true), ['m1', 'm2'], true)
  expect(setup).toEqual({ memories: [], leftOut: ['m1', 'm2'] })
  expect(leaveOut(setup, ['m2', 'm1', 'm3'], false)).toEqual({ memories: [], leftOut: [] })
})

test('a chain is read without what its context leaves out, and unchanged where that is nothing of it', () => {
  expect(ids(promptChain(chain, { leftOut: ['a1', 'elsewhere'] }))).toEqual(['q1', 'q2'])
  expect(promptChain(chain, { leftOut: ['elsewhere'] })).toBe(chain)
  expect(promptChain(chain, null)).toBe(chain)
})

test('the message that is answered stays', () => {
  const read = promptChain(chain, { leftOut: ['q1', 'q2'] }, { answered: 'q2' })
  expect(ids(read)).toEqual(['a1', 'q2'])
})

test.each([
  ['call', 'a1', ['q1', 'a2']],
  ['answer', 'a2', ['q1', 'a1']],
])('a call in one message and its answer in another go together: the %s is left out', (_which, id, left) => {
  const waiting = said('a1', 'assistant', text('I read it'), call('c1', 'input-available', { input: {} }))
  const answered = said('a2', 'assistant', call('c1', 'output-available', { output: 'x' }), text('Done'))
  const other = said('q1', 'user', text('Read it'))
  const read = promptChain([other, waiting, answered], { leftOut: [id] })
  expect(ids(read)).toEqual(left)
  const parts = read.flatMap(({ data }) => data.parts)
  expect(parts.filter((part) => 'toolCallId' in part)).toEqual([])
  // the stored messages are as they were
  expect(waiting.data.parts).toHaveLength(2)
})
