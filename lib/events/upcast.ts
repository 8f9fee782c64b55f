import { type EventType, isEventType, type LoggedEvent, payloadVersion } from './event'

/** An event as it was stored, in whatever version its writer knew. */
export interface StoredEvent extends Omit<LoggedEvent, 'type' | 'version' | 'payload'> {
  type: string
  version: number
  payload: unknown
}

type Payload = Readonly<Record<string, unknown>>
type Upcast = (payload: Payload) => Payload

/** From each older version of a payload to the next: the first entry makes version 2 of version 1. */
const upcasts: Partial<Record<EventType, readonly Upcast[]>> = {
  // version 1 named the checkpoint alone
  CheckpointSaved: [(payload) => ({ ...payload, checkpoint_id: null })],
}

/**
 * The event in today's shape. Every reader of the log goes through here, so the rest of the code knows one shape of each
 * event only. The payload itself is taken at its word; `parseEvent` looks into it.
 *
 * @param stored left as it is; comes back itself when it is of today already
 * @throws UnknownEventError for a type or a version this program does not know
 *
 * @example upcast({ ...event, type: 'CheckpointSaved', version: 1, payload: { name: 'start', message_id: 'q1' } })
 */
export function upcast(stored: StoredEvent): LoggedEvent {
  const { type, version } = stored
  if (!isEventType(type)) throw new UnknownEventError(stored, `has the type ${type}`)
  const today = payloadVersion(type)
  // the type was just looked up, and its payload has its shape as long as the database has not been tampered with
  if (version === today) return stored as LoggedEvent
  const missing = upcasts[type]?.slice(version - 1) ?? []
  if (version < 1 || missing.length !== today - version) {
    throw new UnknownEventError(stored, `is a ${type} of version ${version}`)
  }
  const payload = missing.reduce((older, next) => next(older), stored.payload as Payload)
  return { ...stored, version: today, payload } as LoggedEvent
}

/** The log holds something this program does not know: most likely a newer one wrote it. */
export class UnknownEventError extends Error {
  override readonly name = 'UnknownEventError'

  constructor({ chatId, seq }: Pick<StoredEvent, 'chatId' | 'seq'>, what: string) {
    super(`Event ${seq} of chat "${chatId}" ${what}, which this version of Ramify does not know`)
  }
}
