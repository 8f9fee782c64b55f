import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '@/lib/protocol'
import { nameIn } from '@/lib/server/mcp/resources'
import { firstMessages, lastMessages, ROOM, showMessage, wholeText } from '@/lib/server/mcp/shown-message'

const said = (id: string, text: string): ChatMessage => ({
  id,
  role: 'assistant',
  parts: [{ type: 'text', text }],
})

describe('a message as an agent reads it', () => {
  test('given parts of every kind, then tools and files stand where they were, in brackets', () => {
    const call = { type: 'tool-calculator' as const, toolCallId: 'c', input: { expression: '6*7' } }
    const message: ChatMessage = {
      id: 'm',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Let me think.' },
        { type: 'text', text: 'I calculate.' },
        { ...call, state: 'output-available', output: '42' },
        { ...call, state: 'output-error', errorText: 'No numbers' },
        { ...call, state: 'output-denied', approval: { id: 'a', approved: false } },
        { ...call, state: 'approval-requested', approval: { id: 'a' } },
        { ...call, state: 'input-available' },
        { type: 'file', mediaType: 'application/pdf', filename: 'plan.pdf', url: '/api/files/1' },
      ],
    }
    const called = '[Tool calculator was called with {"expression":"6*7"}'
    expect(wholeText(message).split('\n')).toEqual([
      'I calculate.',
      `${called} and answered 42]`,
      `${called} and failed: No numbers]`,
      `${called}, which a person denied]`,
      `${called}: it waits until a person allows it in Ramify]`,
      `${called}]`,
      '[File plan.pdf (application/pdf)]',
    ])
  })

  test('given a reply that failed, then it says why', () => {
    const error = { kind: 'cut', message: 'The provider went silent.', advice: 'Try again.' }
    const shown = showMessage({ ...said('m', 'Half'), metadata: { status: 'failed', error, createdAt: 0 } })
    expect(shown).toMatchObject({
      status: 'failed',
      failure: 'The provider went silent. Try again.',
      created_at: '1970-01-01T00:00:00.000Z',
    })
  })

  test('given a cut in the middle of a character, then the character is whole on the next page', () => {
    const first = showMessage(said('m', 'a🌍b'), { room: 2 })
    expect([first.text, first.rest_cursor]).toEqual(['a', expect.any(String)])
    expect(showMessage(said('m', 'a🌍b'), { from: 1 })).toMatchObject({ text: '🌍b', rest_cursor: null })
  })

  test('given more than an answer has room for, then it has the last messages, or the first, and says what it leaves out', () => {
    const half = 'x'.repeat(ROOM / 2)
    const messages = ['one', 'two', 'three'].map((id) => said(id, half))
    const { shown, left } = lastMessages(messages)
    expect([shown.map(({ id }) => id), left]).toEqual([['two', 'three'], 1])
    expect(lastMessages([said('long', half.repeat(3))])).toMatchObject({
      left: 0,
      shown: [{ id: 'long', rest_cursor: expect.any(String) }],
    })
    expect(lastMessages([])).toEqual({ shown: [], left: 0 })
    const firsts = firstMessages(messages, ROOM / 2 + 5)
    expect(firsts.map(({ id, text }) => `${id} ${text.length}`)).toEqual([`one ${ROOM / 2}`, 'two 5'])
  })
})

describe('the address of a resource', () => {
  test.each([
    ['ramify://chats/trip', { chat: 'trip' }],
    ['ramify://chats/a%2Fb/branches/my%20way', { chat: 'a/b', branch: 'my way' }],
    ['ramify://chats/trip/branches/main?cursor=abc', { chat: 'trip', branch: 'main', cursor: 'abc' }],
  ])('%s names a chat or a branch', (uri, named) => expect(nameIn(uri)).toEqual(named))

  test.each([
    ...['', 'ramify://chats', 'ramify://chats/', 'ramify://keys/1', 'https://chats/trip'],
    ...['trip/x', 'trip/branches', 'trip/branches/a/b', '%00', '%ff'].map((path) => `ramify://chats/${path}`),
  ])('%s names nothing', (uri) => expect(nameIn(uri)).toBeUndefined())
})
