import { describe, expect, it } from 'vitest'
import { filesOf, sameFiles, userMessage, wordsOf } from '@/components/session/messages'

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
