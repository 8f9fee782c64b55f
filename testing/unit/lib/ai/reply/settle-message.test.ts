import type { UIMessage } from 'ai'
import { expect, test } from 'vitest'
import { settleMessage } from '@/lib/ai/reply/settle-message'

const reply = (...parts: UIMessage['parts']): UIMessage => ({ id: 'r', role: 'assistant', parts })

test('given a reply that was cut off while an allowed tool ran, then the tool has failed, and who allowed it is kept', () => {
  const approval = { id: 'may run', approved: true as const }
  const running = reply({
    ...{ type: 'tool-weather', toolCallId: '1', state: 'approval-responded', input: { city: 'Lisbon' } },
    approval,
  })
  expect(settleMessage(running, true).parts).toEqual([
    {
      ...{
        type: 'tool-weather',
        toolCallId: '1',
        state: 'output-error',
        input: { city: 'Lisbon' },
        approval,
      },
      errorText: 'The reply ended before this tool had answered.',
    },
  ])
})

test('given a reply that was cut off while a tool waits for a person, then it still waits', () => {
  const waiting = reply({
    ...{ type: 'tool-weather', toolCallId: '1', state: 'approval-requested', input: {} },
    approval: { id: 'may run' },
  })
  expect(settleMessage(waiting, true)).toEqual(waiting)
})
