import type { UIMessageChunk } from 'ai'
import { describe, expect, test } from 'vitest'
import { HeldRun, joinWords } from '@/lib/conversations/replies/live-runs'

const word = (delta: string, id = '0'): UIMessageChunk => ({ type: 'text-delta', id, delta })
const start: UIMessageChunk = { type: 'text-start', id: '0' }
const end: UIMessageChunk = { type: 'text-end', id: '0' }
const never = new AbortController().signal

/** Two texts and a thought between them, longer than is kept in one piece. */
const reply: UIMessageChunk[] = [
  { type: 'start', messageId: 'a1' },
  start,
  ...Array.from({ length: 1500 }, (_, i) => word(`word${i} `)),
  end,
  { type: 'reasoning-delta', id: '1', delta: 'hm' },
  { type: 'reasoning-delta', id: '1', delta: ', well' },
  { type: 'text-delta', id: '2', delta: 'signed', providerMetadata: { a: { b: 'c' } } },
  word(' and not', '2'),
  { type: 'tool-input-delta', toolCallId: 't1', inputTextDelta: '{"city":' },
  { type: 'tool-input-delta', toolCallId: 't1', inputTextDelta: '"Rome"}' },
  { type: 'finish' },
]

async function collect(parts: AsyncIterable<UIMessageChunk>): Promise<UIMessageChunk[]> {
  const all: UIMessageChunk[] = []
  for await (const part of parts) all.push(part)
  return all
}

test('given words of one text in a row, when they are joined, then one part says them all', () => {
  expect(joinWords([start, word('Ro'), word('me '), word('is'), end])).toEqual([start, word('Rome is'), end])
})

test('given words of two texts, or thoughts between them, when they are joined, then each keeps its place', () => {
  const thought: UIMessageChunk = { type: 'reasoning-delta', id: '1', delta: 'hm' }
  const parts = [word('one'), word('two', '1'), thought, word('three', '1')]
  expect(joinWords(parts)).toEqual(parts)
})

test('given the input of a tool in pieces, when they are joined, then one part has it whole, and another tool its own', () => {
  const input = (inputTextDelta: string, toolCallId = 't1'): UIMessageChunk => ({
    type: 'tool-input-delta',
    toolCallId,
    inputTextDelta,
  })
  const parts = [input('{"city":'), input('"Rome"}'), input('{}', 't2')]
  expect(joinWords(parts)).toEqual([input('{"city":"Rome"}'), input('{}', 't2')])
})

describe('HeldRun.parts', () => {
  test('given words that come in one tick, then a waiting reader gets them as one part; later ones as they come', async () => {
    const run = new HeldRun('r1', 'c1', 1)
    const parts = run.parts(never)
    const first = parts.next()
    await new Promise((waiting) => setImmediate(waiting))
    for (const text of ['Rome', ' is', ' old']) {
      run.push(word(text))
      await Promise.resolve()
    }
    expect((await first).value).toEqual(word('Rome is old'))
    const second = parts.next()
    run.push(word(' and'))
    expect((await second).value).toEqual(word(' and'))
  })

  test('given a burst of words in one tick, then a waiting reader has the first of them before the last has come', async () => {
    const run = new HeldRun('r1', 'c1', 1)
    const first = run.parts(never).next()
    let pushed = 0
    let atFirst: number | undefined
    void first.then(() => {
      atFirst = pushed
    })
    while (pushed < 1000) {
      run.push(word('and '))
      pushed++
      await Promise.resolve()
    }
    expect(atFirst).toBeLessThan(100)
  })

  test('given a reader that waits for each part, then it gets each as it came', async () => {
    const run = new HeldRun('r1', 'c1', 1)
    const parts = run.parts(never)
    for (const part of reply) {
      const next = parts.next()
      run.push(part)
      expect((await next).value).toEqual(part)
    }
    run.end('lost')
    expect(await parts.next()).toEqual({ done: true, value: 'lost' })
  })

  test.each([5, 100, 400])('given readers at every %d parts, then all read the same', async (every) => {
    const run = new HeldRun('r1', 'c1', 1)
    const readers: Promise<UIMessageChunk[]>[] = []
    for (const [i, part] of reply.entries()) {
      if (i % every === 0) readers.push(collect(run.parts(never)))
      // a waiting reader has been served before the next part comes, or several parts later
      if (i % 3 === 0) await new Promise((served) => setImmediate(served))
      run.push(part)
    }
    run.end()
    for (const read of await Promise.all(readers)) expect(joinWords(read)).toEqual(joinWords(reply))
  })

  test('given a reader that comes late, then words are joined, and what is long still comes in pieces', async () => {
    const run = new HeldRun('r1', 'c1', 1)
    for (const part of reply) run.push(part)
    run.end()
    const read = await collect(run.parts(never))
    expect(read.length).toBeLessThan(16)
    expect(joinWords(read)).toEqual(joinWords(reply))
  })

  test.each([
    ['while it waits', (leave: () => void, next: () => unknown) => [next(), leave()]],
    ['before it asks', (leave: () => void, next: () => unknown) => [leave(), next()]],
  ])('given a reader that leaves %s, then it is served no more', async (_, inOrder) => {
    const run = new HeldRun('r1', 'c1', 1)
    const leaving = new AbortController()
    const parts = run.parts(leaving.signal)
    run.push(start)
    await parts.next()
    let next: ReturnType<typeof parts.next> | undefined
    const ask = () => {
      next = parts.next()
    }
    inOrder(() => leaving.abort(), ask)
    expect(await next).toEqual({ done: true, value: undefined })
  })
})
