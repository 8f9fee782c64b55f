import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OpenStreams, type StreamReader } from '@/lib/runtime/open-streams'

const readBy = (id: string): StreamReader => ({
  personId: id,
  address: '10.0.0.1',
  credential: { kind: 'session', id },
})
const logError = vi.fn()
const open = (held: ConstructorParameters<typeof OpenStreams>[0]['held'], perPerson = 100) =>
  new OpenStreams({ limits: { perPerson, perAddress: 100 }, held, logError, everyMs: 400 })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('given no open stream, then nothing is asked; given many of two sessions, then both are asked after in one question', async () => {
  const held = vi.fn(async (credentials: readonly { kind: 'session' | 'key'; id: string }[]) => [
    ...credentials,
  ])
  const streams = open(held)
  await vi.advanceTimersByTimeAsync(5000)
  expect(held).not.toHaveBeenCalled()
  const leaves = ['ada', 'ada', 'bea'].map((id) => streams.enter(readBy(id), () => undefined))
  await vi.advanceTimersByTimeAsync(400)
  expect(held.mock.calls).toEqual([[[readBy('ada').credential, readBy('bea').credential]]])
  for (const leave of leaves) leave()
  await vi.advanceTimersByTimeAsync(5000)
  expect(held).toHaveBeenCalledTimes(1)
})

test('given a database that is away, then streams stay, and one line says so; when it is back, what has ended ends', async () => {
  let answer: () => Promise<[]> = () => Promise.reject(new Error('away'))
  const ended = vi.fn()
  const streams = open(() => answer())
  streams.enter(readBy('ada'), ended)
  await vi.advanceTimersByTimeAsync(4000)
  expect(ended).not.toHaveBeenCalled()
  expect(logError).toHaveBeenCalledTimes(1)
  answer = async () => []
  await vi.advanceTimersByTimeAsync(400)
  expect(ended).toHaveBeenCalledTimes(1)
  streams.close()
})

test('given a stream that takes long to leave, when sessions are checked again, then it was ended once', async () => {
  const ended = vi.fn()
  const streams = open(async () => [], 1)
  const leave = streams.enter(readBy('ada'), ended)
  await vi.advanceTimersByTimeAsync(4000)
  await streams.endRevoked()
  expect(ended).toHaveBeenCalledTimes(1)
  // it counts until it has left
  expect(streams.full(readBy('ada'))).toMatchObject({ limit: 'streams', used: 1 })
  leave()
  expect(streams.full(readBy('ada'))).toBeUndefined()
})
