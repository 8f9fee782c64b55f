import type { BranchId, ContextId, MessageId, Step } from '@/lib/events'
import { withoutMessages } from '../../engine/tool-answers'
import { asMove, planContext } from '../../planners/plan-moves'
import type { ContextSetup, MessageData } from '../../store/records'

/**
 * The setup of a context after messages are left out of the prompt, or put back. The ids are sorted, so two contexts that leave
 * the same messages out have one name.
 *
 * @param setup of the context in force; null for none
 * @param messageIds the messages of the branch that the act is about
 * @param leftOut true leaves them out, false puts them back
 *
 * @example leaveOut(null, ['m2', 'm1'], true) // { leftOut: ['m1', 'm2'] }
 */
export function leaveOut(
  setup: ContextSetup | null | undefined,
  messageIds: readonly MessageId[],
  leftOut: boolean,
): ContextSetup {
  const ids = new Set(setup?.leftOut)
  for (const id of messageIds) {
    if (leftOut) ids.add(id)
    else ids.delete(id)
  }
  return { ...setup, leftOut: [...ids].sort() }
}

/** Puts the context without the messages (or with them again) in force on a branch; Undo takes it back as one move. */
export const planLeaveOut = (
  change: { branchId: BranchId; expected: ContextId | null; contextId: ContextId },
  leftOut: boolean,
): Step[] => asMove(leftOut ? 'leave-out' : 'put-back', [planContext(change)])

/**
 * A chain as the model reads it: without the messages that its context leaves out. A tool call goes with its answer.
 *
 * @param chain root first; returned as it is when the context leaves nothing of it out
 * @param setup of the context that the reply is asked in
 * @param options.answered a message that stays in any case: the reply answers it, or goes on with it
 */
export function promptChain<Message extends Pick<MessageData, 'id' | 'data'>>(
  chain: readonly Message[],
  setup: ContextSetup | null | undefined,
  options: { answered?: MessageId | null | undefined } = {},
): readonly Message[] {
  const ids = new Set(setup?.leftOut)
  if (options.answered != null) ids.delete(options.answered)
  if (ids.size === 0 || !chain.some(({ id }) => ids.has(id))) return chain
  const read = withoutMessages(
    chain.map(({ data }) => data),
    (at) => ids.has(chain[at]?.id ?? ''),
  )
  return chain.flatMap((message, at) => {
    const data = read[at]
    return data === undefined ? [] : [data === message.data ? message : { ...message, data }]
  })
}
