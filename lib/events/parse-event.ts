import { z } from 'zod'
import { type EventType, type LoggedEvent, payloads, payloadVersion } from './event'
import { type StoredEvent, upcast } from './upcast'

const place = {
  id: z.string(),
  chatId: z.string(),
  seq: z.number().int().positive(),
  streamId: z.string(),
  eventNumber: z.number().int().positive(),
  createdAt: z.number(),
}

const stored = z.object({ ...place, type: z.string(), version: z.number().int(), payload: z.unknown() })

const ofType = (type: EventType) =>
  z.object({
    ...place,
    type: z.literal(type),
    version: z.literal(payloadVersion(type)),
    payload: payloads[type],
  })

const types = Object.keys(payloads) as [EventType, ...EventType[]]
const [first, ...others] = types

/** Any event, in today's shape. */
const loggedEvent: z.ZodType<LoggedEvent> = z.discriminatedUnion('type', [
  ofType(first),
  ...others.map(ofType),
]) as unknown as z.ZodType<LoggedEvent>

/**
 * An event from outside the program (a database that may be damaged, a file, a request), in today's shape; fields of
 * a payload beyond its shape are dropped.
 *
 * @throws UnknownEventError for a type or a version this program does not know
 * @throws InvalidEventError for any other value that is no event; the message names the place
 */
export function parseEvent(value: unknown): LoggedEvent {
  const found = stored.safeParse(value)
  if (!found.success) throw new InvalidEventError('This is no event', found.error)
  const event: StoredEvent = found.data
  const parsed = loggedEvent.safeParse(upcast(event))
  if (parsed.success) return parsed.data
  throw new InvalidEventError(
    `Event ${event.seq} of chat "${event.chatId}" is no ${event.type}`,
    parsed.error,
  )
}

/** The value is not an event. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError'

  constructor(what: string, cause: z.ZodError) {
    const [issue] = cause.issues
    super(`${what}: ${issue ? `${issue.path.join('.')} ${issue.message}` : 'it is malformed'}`, { cause })
  }
}
