import { expect, test, vi } from 'vitest'
import { OpenStreams, type StreamReader } from '@/lib/runtime/open-streams'

const readBy = (id: string): StreamReader => ({
  personId: id,
  address: '10.0.0.1',
  credential: { kind: 'session', id },
})

test('given no open stream, then nothing is asked; given many of two sessions, then both are asked after in one question', async () => {
  vi.useFakeTimers()
  const held = vi.fn(async (credentials: readonly { kind: 'session' | 'key'; id: string }[]) => [
    ...credentials,
  ])
  const limits = { perPerson: 100, perAddress: 100 }
  const streams = new OpenStreams({ limits, held, logError: () => undefined, everyMs: 400 })
  await vi.advanceTimersByTimeAsync(5000)
  expect(held).not.toHaveBeenCalled()

  const leaves = ['ada', 'ada', 'bea'].map((id) => streams.enter(readBy(id), () => undefined))
  await vi.advanceTimersByTimeAsync(400)
  expect(held.mock.calls).toEqual([[[readBy('ada').credential, readBy('bea').credential]]])
  for (const leave of leaves) leave()
  await vi.advanceTimersByTimeAsync(5000)
  expect(held).toHaveBeenCalledTimes(1)
  vi.useRealTimers()
})

test('given a database that is away, then streams stay, and one line says so; when it is back, what has ended ends', async () => {
  vi.useFakeTimers()
  let answer: () => Promise<[]> = () => Promise.reject(new Error('away'))
  const logError = vi.fn()
  const ended = vi.fn()
  const streams = new OpenStreams({
    limits: { perPerson: 100, perAddress: 100 },
    held: () => answer(),
    logError,
    everyMs: 400,
  })
  streams.enter(readBy('ada'), ended)
  await vi.advanceTimersByTimeAsync(4000)
  expect(ended).not.toHaveBeenCalled()
  expect(logError).toHaveBeenCalledTimes(1)
  answer = async () => []
  await vi.advanceTimersByTimeAsync(400)
  expect(ended).toHaveBeenCalledTimes(1)
  streams.close()
  vi.useRealTimers()
})

test('given a stream that takes long to leave, when sessions are checked again, then it was ended once', async () => {
  vi.useFakeTimers()
  const ended = vi.fn()
  const limits = { perPerson: 1, perAddress: 100 }
  const streams = new OpenStreams({
    ...{ limits, held: async () => [], logError: () => undefined, everyMs: 400 },
  })
  const leave = streams.enter(readBy('ada'), ended)
  await vi.advanceTimersByTimeAsync(4000)
  await streams.endRevoked()
  expect(ended).toHaveBeenCalledTimes(1)
  // it counts until it has left
  expect(streams.full(readBy('ada'))).toMatchObject({ limit: 'streams', used: 1 })
  leave()
  expect(streams.full(readBy('ada'))).toBeUndefined()
  vi.useRealTimers()
})
