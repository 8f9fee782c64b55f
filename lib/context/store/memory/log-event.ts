import { type EventPayload, type EventType, type LoggedEvent, payloadVersion } from '@/lib/events'
import type { Work } from './memory-chat'

/**
 * Appends one fact to the log, numbered after the last one of its stream.
 *
 * @param streamId branch id for a thread's event, chat id for the chat's own
 * @returns the number it got in its stream
 */
export function logEvent<T extends EventType>(
  work: Work,
  streamId: string,
  type: T,
  payload: EventPayload<T>,
): number {
  const { chat, journal } = work
  const eventNumber = (chat.lastNumbers.get(streamId) ?? 0) + 1
  const seq = chat.events.length + 1
  const event = {
    id: `${chat.chat.id}:${seq}`,
    chatId: chat.chat.id,
    seq,
    streamId,
    eventNumber,
    type,
    version: payloadVersion(type),
    payload,
    createdAt: work.at,
  }
  journal.push(chat.events, event as LoggedEvent)
  journal.set(chat.lastNumbers, streamId, eventNumber)
  return eventNumber
}

/** Appends a fact about the chat as a whole to the chat's own stream. */
export function logChatEvent<T extends EventType>(work: Work, type: T, payload: EventPayload<T>): void {
  logEvent(work, work.chat.chat.id, type, payload)
}
