import type { ChatCommand } from './decide'
import { type Fact, type LoggedEvent, payloadVersion } from './event'
import type { ChatRefs } from './state'

/**
 * Facts as events with their places in the log: after the last one of the chat, and of each stream.
 *
 * @param refs the chat before them; left as it is
 * @param at when they are logged, in ms since 1970
 */
export function logFacts(refs: ChatRefs, facts: readonly Fact[], at: number): LoggedEvent[] {
  const { chatId } = refs
  const numbers = new Map<string, number>([[chatId, refs.number]])
  let { seq } = refs
  return facts.map((fact) => {
    const { streamId, type } = fact
    seq += 1
    const last = numbers.get(streamId) ?? refs.threads.get(streamId)?.number ?? begin(streamId, facts)
    numbers.set(streamId, last + 1)
    return {
      id: `${chatId}:${seq}`,
      chatId,
      seq,
      eventNumber: last + 1,
      version: payloadVersion(type),
      createdAt: at,
      ...fact,
    }
  })
}

/** A new thread goes on where it forked (DESIGN.md §9). */
function begin(streamId: string, facts: readonly Fact[]): number {
  const forked = facts.find((fact) => fact.type === 'ThreadForked' && fact.streamId === streamId)
  return forked?.type === 'ThreadForked' ? forked.payload.from_event_number : 0
}

/** The events of a command, in which the event of a message has the message's own time where it has one. */
export function datedBy(command: ChatCommand, events: LoggedEvent[]): LoggedEvent[] {
  if (command.kind !== 'append') return events
  const dates = new Map(command.messages.map(({ id, dated }) => [id, dated]))
  return events.map((event) => {
    const { payload } = event
    const id =
      'ai_message_id' in payload ? payload.ai_message_id : 'message_id' in payload ? payload.message_id : ''
    const at = dates.get(id)
    return at === undefined ? event : { ...event, createdAt: at }
  })
}
