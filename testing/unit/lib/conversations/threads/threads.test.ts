import { expect, test } from 'vitest'
import type { ThreadHead } from '@/lib/context'
import { statusOf } from '@/lib/conversations/threads/threads'

const head: ThreadHead = {
  chatId: 'trip',
  headMessageId: 'q1',
  role: 'user',
  partial: null,
  eventNumber: 2,
  running: false,
  lastRun: null,
}

test.each<[string, string, Partial<ThreadHead>]>([
  ['nothing was said', 'idle', { headMessageId: null, role: null }],
  ['a question waits until an answer is asked for', 'idle', {}],
  ['a reply is queued', 'running', { running: true, lastRun: 'queued' }],
  ['a reply is tried once more', 'running', { running: true, lastRun: 'failed' }],
  ['a reply failed before its first word', 'failed', { lastRun: 'failed' }],
  ['a reply was stopped before its first word', 'failed', { lastRun: 'stopped' }],
  ['a reply is stored whole', 'idle', { role: 'assistant' }],
  ['a reply was stopped halfway', 'idle', { role: 'assistant', partial: 'stopped' }],
  ['a reply broke off', 'failed', { role: 'assistant', partial: 'failed' }],
  ['a reply is being done over elsewhere', 'running', { role: 'assistant', running: true }],
])('given that %s, then it is %s', (_what, status, over) => {
  expect(statusOf({ ...head, ...over })).toBe(status)
})
