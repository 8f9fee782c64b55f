import type { UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import * as fragments from '@/lib/context/fragments'

const { assistant, assistantText, lastAssistantMessage, message, user, withMessageId } = fragments

const question: UIMessage = {
  id: 'q1',
  role: 'user',
  metadata: { source: 'web' },
  parts: [
    { type: 'text', text: 'What is ' },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,' },
    { type: 'text', text: '2 + 2?' },
  ],
}

describe('user and assistant', () => {
  it('given text, makes a message with a fresh id that fragment and message share', () => {
    const first = user('Hello')
    const second = user('Hello')
    expect(first).toMatchObject({ name: 'user', type: 'message', persist: true, data: 'Hello' })
    const parts = [{ type: 'text', text: 'Hello' }]
    expect(first.codec.encode()).toEqual({ id: first.id, role: 'user', parts })
    expect(first.codec.decode()).toEqual(first.codec.encode())
    expect(first.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/)
    expect(first.id).not.toBe(second.id)
  })

  it.each([
    [user('Hello', { id: 'x' }), 'user'],
    [assistant('Hello', { id: 'x' }), 'assistant'],
    [assistantText('Hello', { id: 'x' }), 'assistant'],
  ])('given text and an id, uses that id on both sides (%#)', (fragment, role) => {
    expect(fragment.id).toBe('x')
    expect(fragment.name).toBe(role)
    expect(fragment.codec.encode()).toMatchObject({ id: 'x', role })
  })

  it('given a message, keeps it whole and keeps its id, whatever the options say', () => {
    const fragment = user(question, { id: 'other' })
    expect(fragment.id).toBe('q1')
    expect(fragment.codec.encode()).toBe(question)
    expect(fragment.data).toBe('What is \n2 + 2?')
  })

  it('given a message without an id, gives it one on both sides and leaves the given one alone', () => {
    const nameless: UIMessage = { ...question, id: '' }
    const fragment = user(nameless)
    expect(fragment.id).not.toBe('')
    expect(fragment.codec.encode()).toEqual({ ...question, id: fragment.id })
    expect(user(nameless, { id: 'q2' }).codec.encode()).toMatchObject({ id: 'q2' })
    expect(nameless.id).toBe('')
  })

  it('given a message of another role, refuses it and names the way out', () => {
    expect(() => assistant(question)).toThrow(
      new TypeError('assistant() cannot hold a message of role "user"; use message()'),
    )
  })
})

describe('message', () => {
  it.each(['user', 'assistant', 'system'] as const)('given a stored %s message, gives it back', (role) => {
    const stored: UIMessage = { ...question, role }
    const fragment = message(stored)
    expect(fragment).toMatchObject({ id: 'q1', name: role, type: 'message' })
    expect(fragment.codec.decode()).toBe(stored)
  })

  it.each([['text'], [null], [{ content: 'Hi' }], [42]])('given %j, passes it through', (stored) => {
    const fragment = message(stored as never)
    expect(fragment.name).toBe('message')
    expect(fragment.codec.decode()).toBe(stored)
  })
})

describe('withMessageId', () => {
  it('changes the id of fragment and message, and nothing of the original', () => {
    const original = user(question)
    const edited = withMessageId(original, 'q1-edit')
    expect(edited.id).toBe('q1-edit')
    expect(edited.codec.encode()).toEqual({ ...question, id: 'q1-edit' })
    expect(edited.codec.decode()).toEqual({ ...question, id: 'q1-edit' })
    expect(original.id).toBe('q1')
    expect(original.codec.encode()).toBe(question)
  })

  it('keeps a codec whose two directions differ', () => {
    const custom = { ...user(question), codec: { encode: () => ({ v: 1 }), decode: () => ({ v: 2 }) } }
    const edited = withMessageId(custom, 'n')
    expect(edited.codec.encode()).toEqual({ v: 1, id: 'n' })
    expect(edited.codec.decode()).toEqual({ v: 2, id: 'n' })
  })

  it('given a lazy message, changes the fragment only and leaves it lazy', () => {
    const lazy = lastAssistantMessage('Fixed')
    const renamed = withMessageId(lazy, 'n')
    expect(renamed).toEqual({ ...lazy, id: 'n' })
    expect(renamed.codec).toBeUndefined()
  })
})
