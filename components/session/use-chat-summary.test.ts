import { expect, test } from 'vitest'
import { lineChange } from './use-chat-summary'

const opened = { messages: 20, seq: 1400, named: 'A trip', branchCount: 2, waits: false, replying: false }
const now = 5

test('given a long chat that opened with its end, when the rest arrives, then it stays under its date', () => {
  const whole = { ...opened, messages: 1000, branchCount: 12 }
  const change = lineChange(opened, whole, now)
  expect(change).toEqual({ messageCount: 1000, branchCount: 12, waits: false, replying: false })
})

test('given a chat, when a message is written, then it moves to the top', () => {
  const change = lineChange(opened, { ...opened, messages: 21, seq: 1401 }, now)
  expect(change).toMatchObject({ messageCount: 21, updatedAt: now })
})

test('given a chat, when it gets a name or waits for a person, then the line says so and keeps its date', () => {
  expect(lineChange(opened, { ...opened, named: 'Lisbon', seq: 1401 }, now)).toEqual({
    messageCount: 20,
    branchCount: 2,
    waits: false,
    replying: false,
    title: 'Lisbon',
  })
  expect(lineChange(opened, { ...opened, waits: true, seq: 1401 }, now)).toMatchObject({ waits: true })
  expect(lineChange(opened, { ...opened, replying: true }, now)).toMatchObject({ replying: true })
  expect(lineChange(opened, { ...opened }, now)).toBeNull()
})
