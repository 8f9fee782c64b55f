import { describe, expect, test } from 'vitest'
import { type EventType, payloads, payloadVersion } from '@/lib/events/event'
import { InvalidEventError, parseEvent } from '@/lib/events/parse-event'
import { type StoredEvent, UnknownEventError, upcast } from '@/lib/events/upcast'

const stored = (over: Partial<StoredEvent>): StoredEvent => ({
  id: 'trip:7',
  chatId: 'trip',
  seq: 7,
  streamId: 'trip',
  eventNumber: 2,
  createdAt: 5,
  type: 'ChatRenamed',
  version: 1,
  payload: { title: 'Rome' },
  ...over,
})

/** Events of a newer program, or of none. */
const unknown: [string, Partial<StoredEvent>, string][] = [
  ['type', { type: 'ThreadPainted' }, 'Event 7 of chat "trip" has the type ThreadPainted'],
  ['later version', { version: 2 }, 'is a ChatRenamed of version 2'],
  ['version before the first', { version: 0 }, 'is a ChatRenamed of version 0'],
  ['type that objects have', { type: 'constructor' }, 'has the type constructor'],
]

describe('an event of an older version', () => {
  test('given a checkpoint saved before its id was told, when it is read, then its id is not known', () => {
    const payload = { name: 'mark', message_id: 'q1' }
    const event = stored({ type: 'CheckpointSaved', payload })
    expect(upcast(event)).toEqual({ ...event, version: 2, payload: { ...payload, checkpoint_id: null } })
    expect(event).toMatchObject({ version: 1, payload })
  })

  test('given any type, when its first version is read, then it arrives at the one of today', () => {
    for (const type of Object.keys(payloads) as EventType[]) {
      expect(upcast(stored({ type, version: 1, payload: {} })).version).toBe(payloadVersion(type))
    }
  })

  test.each(unknown)('given an unknown %s, when it is read, then it is refused', (_, over, words) => {
    expect(() => upcast(stored(over))).toThrow(UnknownEventError)
    expect(() => parseEvent(stored(over))).toThrow(words)
  })
})

describe('an event from outside', () => {
  test('given one that is whole, when it is parsed, then it is one of today', () => {
    expect(parseEvent(stored({}))).toEqual(stored({}))
    const saved = { name: 'mark', message_id: 'q1' }
    expect(parseEvent(stored({ type: 'CheckpointSaved', payload: saved }))).toMatchObject({
      version: 2,
      payload: { ...saved, checkpoint_id: null },
    })
  })

  test.each<[string, unknown, string]>([
    ['nothing', null, 'This is no event'],
    ['a place that is none', stored({ seq: 0 }), 'This is no event: seq'],
    ['a payload of another event', stored({ payload: { name: 'x' } }), 'is no ChatRenamed: payload.title'],
    [
      'a payload of a wrong kind',
      stored({ type: 'CheckpointSaved', payload: 'mark' }),
      'is no CheckpointSaved: payload',
    ],
  ])('given %s, when it is parsed, then it is refused in words', (_what, value, words) => {
    expect(() => parseEvent(value)).toThrow(InvalidEventError)
    expect(() => parseEvent(value)).toThrow(words)
  })
})
