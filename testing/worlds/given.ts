import { expect } from 'vitest'
import { type ChatCommand, decide, type Fact, fold, logFacts, noChat } from '@/lib/events'

type Refusal = new (...args: never[]) => Error

/** The chat of every rule told with `given`. */
export const CHAT = 'trip'

/**
 * A rule in three steps: given past facts, when a command comes, then these are its facts, or it is refused.
 *
 * @param facts of chat `CHAT`, from its first on; their places in the log are worked out
 *
 * @example given(created).when({ kind: 'switch-branch', branchId: 'nowhere' }).then(NotFoundError)
 */
export function given(...facts: Fact[]) {
  const nothing = noChat(CHAT)
  const state = fold(nothing, logFacts(nothing, facts, 1))
  return {
    decides: (command: ChatCommand): Fact[] => decide(state, command),
    when: (command: ChatCommand) => ({
      // biome-ignore lint/suspicious/noThenProperty: the third step is called so, and a rule is never awaited
      then: (...expected: Fact[] | [Refusal]) => {
        const [refusal] = expected
        if (typeof refusal === 'function') expect(() => decide(state, command)).toThrow(refusal)
        else expect(decide(state, command)).toEqual(expected)
      },
    }),
  }
}

/** The first fact of a thread. */
export function created(id: string, over: { name?: string; head?: string; context?: string } = {}): Fact {
  const { name = id, head = null, context = null } = over
  const payload = { thread_id: id, name, head_message_id: head, context_id: context }
  return { streamId: id, type: 'ThreadCreated', payload }
}

export const forked = (id: string, parent: string, number: number): Fact => ({
  streamId: id,
  type: 'ThreadForked',
  payload: { parent_thread_id: parent, from_event_number: number },
})

export const asked = (streamId: string, id: string): Fact => ({
  streamId,
  type: 'UserMessageAdded',
  payload: { message_id: id, role: 'user' },
})

/** A reply, and the checkpoint that follows it. */
export function answered(
  streamId: string,
  id: string,
  over: { to?: string; context?: string } = {},
): [Fact, Fact] {
  const { to = null, context = null } = over
  const reply = {
    ai_message_id: id,
    reply_to: to,
    status: 'completed' as const,
    model: 'demo:demo',
    usage: { inputTokens: 3, outputTokens: 5 },
  }
  const checkpoint = { checkpoint_id: `ckpt-${id}`, ai_message_id: id, context_id: context }
  return [
    { streamId, type: 'LLMResponseGenerated', payload: reply },
    { streamId, type: 'CheckpointCreated', payload: checkpoint },
  ]
}
