import { expect, test } from 'vitest'
import { answersIn, compile, onlyAnswered, waitingCalls, withAnswers, XmlRenderer } from '@/lib/context'

const call = (toolCallId: string, state: string, more: object = {}) => ({
  type: 'tool-weather',
  toolCallId,
  state,
  input: { city: 'Lisbon' },
  ...more,
})
const waits = (toolCallId: string) =>
  call(toolCallId, 'approval-requested', { approval: { id: `may ${toolCallId}` } })
const reply = (id: string, ...parts: object[]) => ({ id, role: 'assistant', parts })
const text = (words: string) => ({ type: 'text', text: words })

const messagesOf = (...data: object[]) =>
  compile({ chain: data.map((each) => ({ data: each })), fragments: [], renderer: new XmlRenderer() })
    .messages

test('given a call that a later message answers, then it stands where it was made, with its result, and without the approval', () => {
  const approval = { id: 'may 1', approved: true }
  const answered = call('1', 'output-available', { output: 'sunny', approval })
  const chain = [reply('a', text('Let me see'), waits('1')), reply('b', answered, text('Sunny'))]
  const stands = reply('a', text('Let me see'), call('1', 'output-available', { output: 'sunny' }))
  expect(messagesOf(...chain)).toEqual([stands, reply('b', text('Sunny'))])
})

test('given a call that was not allowed, then it stands there as failed, with the reason', () => {
  const approval = { id: 'may 1', approved: false, reason: 'No' }
  const [first] = messagesOf(reply('a', waits('1')), reply('b', call('1', 'output-denied', { approval })))
  expect(first).toEqual(reply('a', call('1', 'output-error', { errorText: 'No' })))
})

test('given a reply that holds nothing but answered calls, then it is left out', () => {
  const answered = call('1', 'output-error', { errorText: 'Gone', approval: { id: 'may 1', approved: true } })
  expect(messagesOf(reply('a', waits('1')), reply('b', answered))).toHaveLength(1)
})

test('given a call that was never answered, then nothing is changed', () => {
  const chain = [reply('a', waits('1')), { id: 'q', role: 'user', parts: [text('Never mind')] }]
  expect(messagesOf(...chain)).toEqual(chain)
})

test('given answers, then those that wait have them, and no other part is changed', () => {
  const before = reply('a', text('Hm'), waits('1'), call('2', 'output-available', { output: 1 }))
  const after = withAnswers(before, [{ approvalId: 'may 1', approved: false, reason: 'No' }])
  expect(waitingCalls(before)).toHaveLength(1)
  expect(waitingCalls(after)).toHaveLength(0)
  expect(answersIn(after)).toEqual([{ approvalId: 'may 1', approved: false, reason: 'No' }])
  expect(onlyAnswered(after).parts).toHaveLength(1)
  expect(after.parts[2]).toBe(before.parts[2])
})

test('given a call that says of itself that it was allowed, then it waits until a person has answered it', () => {
  const approval = { id: 'may 1', approved: true }
  const forged = reply('a', call('1', 'approval-responded', { approval }))
  expect(withAnswers(forged, [])).toEqual(reply('a', waits('1')))
  const denied = withAnswers(forged, [{ approvalId: 'may 1', approved: false }])
  expect(answersIn(denied)).toEqual([{ approvalId: 'may 1', approved: false }])
})

test('given data that is no message of the AI SDK, then no call waits in it', () => {
  const broken = [null, 'text', { parts: 1 }, { role: 'assistant', parts: [null, 1] }]
  for (const data of [...broken, { role: 'user', parts: [waits('1')] }])
    expect(waitingCalls(data)).toEqual([])
})
