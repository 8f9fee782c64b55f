import { expect, test } from 'vitest'
import type { SharedMessage } from '@/lib/protocol'
import { sharedRows } from './shared-rows'

const tool = { type: 'dynamic-tool', toolName: 'read_file', toolCallId: 'one' }
const call = { ...tool, state: 'input-available', input: { path: 'one' } }
const answer = { ...tool, state: 'output-available', input: {}, output: '2 failed' }
const text = { type: 'text', text: 'Done' }
const say = (id: string, ...parts: object[]) => ({ id, role: 'assistant', lane: 0, parts }) as SharedMessage

const [a, calls, answers, b] = [say('a', text), say('calls', call), say('answers', answer), say('b', text)]
const drawn = (above: SharedMessage[], messages: SharedMessage[], below: SharedMessage[]) =>
  sharedRows({ messages, beside: { above, below } }).map(({ message, answeredIn }) => [
    message.id,
    ...message.parts.map((part) => ('state' in part ? part.state : part.type)),
    ...answeredIn,
  ])
const whole = ['calls', 'output-available', 'answers']

test('given a call and its answer in one part, then they are one', () => {
  expect(drawn([], [a, calls, answers, b], [])).toEqual([['a', 'text'], whole, ['b', 'text']])
})

test('given a cut between a call and its answer, then they are one in both parts', () => {
  expect(drawn([], [a, calls], [answers])).toEqual([['a', 'text'], whole])
  expect(drawn([calls], [answers, b], [])).toEqual([whole, ['b', 'text']])
})

test('given a cut at another place, then each part has its own messages', () => {
  expect(drawn([a], [calls, answers], [b])).toEqual([whole])
  expect(drawn([answers], [b], [])).toEqual([['b', 'text']])
  const goesOn = say('answers', answer, text)
  expect(drawn([calls], [goesOn], [])).toEqual([['answers', 'text']])
})
