import { describe, expect, it } from 'vitest'
import { filesOf, sameFiles, userMessage, withAnswersBelow, wordsOf } from '@/components/session/messages'
import type { ChatMessage } from '@/lib/protocol'

const file = (id: string) => ({ url: `/api/files/${id}`, filename: `${id}.png`, mediaType: 'image/png' })

describe('a message with files', () => {
  it('given words and files, then the files stand first, and both are read back', () => {
    const message = userMessage('Look!', [file('a'), file('b')])
    expect(message.parts.map(({ type }) => type)).toEqual(['file', 'file', 'text'])
    expect([wordsOf(message), filesOf(message)]).toEqual(['Look!', [file('a'), file('b')]])
  })

  it('given files alone, then there is no empty text', () => {
    expect(userMessage(' ', [file('a')]).parts).toEqual([{ type: 'file', ...file('a') }])
    expect(userMessage('').parts).toEqual([{ type: 'text', text: '' }])
  })

  it('given files of other places, then they are not its own', () => {
    const parts = [{ type: 'file' as const, mediaType: 'image/png', url: 'data:image/png;base64,AAAA' }]
    expect(filesOf({ parts })).toEqual([])
    expect(filesOf(undefined)).toEqual([])
  })

  it('given other files or another order, then they are not the same', () => {
    expect(sameFiles([file('a'), file('b')], [file('a'), file('b')])).toBe(true)
    expect(sameFiles([file('a'), file('b')], [file('b'), file('a')])).toBe(false)
    expect(sameFiles([file('a')], [])).toBe(false)
  })
})

describe('calls of tools whose answers stand below', () => {
  const called = (toolCallId: string) => ({
    ...{ type: 'dynamic-tool' as const, toolName: 'run_tests', toolCallId },
    ...{ state: 'input-available' as const, input: { path: toolCallId } },
  })
  const answered = (toolCallId: string) => ({
    ...called(toolCallId),
    state: 'output-available' as const,
    input: {},
    output: '2 failed',
  })
  const message = (...parts: ChatMessage['parts']): ChatMessage => ({ id: 'm', role: 'assistant', parts })

  it('given a message of answers below, then each call that it answers has its answer, and its own arguments', () => {
    const { parts } = withAnswersBelow(message(called('one'), called('two')), message(answered('one')))
    expect(parts).toEqual([{ ...answered('one'), input: { path: 'one' } }, called('two')])
  })

  it('given no answer below, then the message is as it was', () => {
    const asked = message(called('one'))
    expect(withAnswersBelow(asked, undefined)).toBe(asked)
    expect(withAnswersBelow(asked, userMessage('Go on'))).toBe(asked)
  })
})
