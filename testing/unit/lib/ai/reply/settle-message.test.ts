import type { UIMessage } from 'ai'
import { expect, test } from 'vitest'
import { settleMessage } from '@/lib/ai/reply/settle-message'

const reply = (...parts: UIMessage['parts']): UIMessage => ({ id: 'r', role: 'assistant', parts })

test('given a reply that was cut off while an allowed tool ran, then the tool has failed, and who allowed it is kept', () => {
  const approval = { id: 'may run', approved: true as const }
  const call = { type: 'tool-weather', toolCallId: '1', input: { city: 'Lisbon' }, approval } as const
  const running = reply({ ...call, state: 'approval-responded' })
  const errorText = 'The reply ended before this tool had answered.'
  expect(settleMessage(running, true).parts).toEqual([{ ...call, state: 'output-error', errorText }])
})

test('given a reply that was cut off while a tool waits for a person, then it still waits', () => {
  const waiting = reply({
    type: 'tool-weather',
    toolCallId: '1',
    state: 'approval-requested',
    input: {},
    approval: { id: 'may run' },
  })
  expect(settleMessage(waiting, true)).toEqual(waiting)
})
