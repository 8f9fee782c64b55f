import { afterEach, describe, expect, it, vi } from 'vitest'
import { QueryAbandonedError, QueryTimeoutError, TIMEOUTS } from '@/lib/db/database'
import { FairGate, onBehalfOf } from '@/lib/db/fair-gate'

/** A gate that never tells what waits that its time is over: some of it is left waiting when a test ends. */
const patient = () => new FairGate({ search: Infinity, read: Infinity, write: Infinity, job: Infinity })

/** Passes work through a gate and keeps the order in which it began; `release` ends what is under way. */
function watched(gate: FairGate) {
  const order: string[] = []
  const ends: (() => void)[] = []
  const noting = (what: string) => () => {
    order.push(what)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  const pass = (person: string, what: string, urgent = false) =>
    onBehalfOf(person, () => gate.pass(noting(what), { urgent }))
  const job = (what: string) => gate.pass(noting(what), { kind: 'job' })
  const release = async () => {
    const begun = order.length
    ends.shift()?.()
    // on a slow machine the gate looks at its connections first, so many times at most
    for (let look = 0; look < 10 && order.length === begun; look++) await new Promise(setImmediate)
  }
  /** the same where time stands still */
  const end = async () => {
    ends.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { order, pass, job, release, end }
}

afterEach(() => void vi.useRealTimers())

/** Work that keeps the process busy. */
const busy = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('a gate in front of a database that runs one statement at a time', () => {
  it('given nothing under way, then work begins at once', () => {
    const { order, pass } = watched(patient())
    void pass('ada', 'a')
    expect(order).toEqual(['a'])
  })

  it('given a person with many statements waiting, when another person has one, then it is next but one', async () => {
    const { order, pass, release } = watched(patient())
    for (const n of [1, 2, 3, 4, 5]) void pass('mallory', `m${n}`)
    void pass('ada', 'a1')
    void pass('ada', 'a2')
    for (let i = 0; i < 6; i++) await release()
    expect(order).toEqual(['m1', 'm2', 'a1', 'm3', 'a2', 'm4', 'm5'])
  })

  it('given many persons waiting, then what is urgent goes before all of them', async () => {
    const { order, pass, release } = watched(patient())
    for (const person of ['ada', 'bob', 'mallory']) void pass(person, person)
    void pass('', 'ping', true)
    await release()
    expect(order).toEqual(['ada', 'ping'])
  })

  it('given a job that goes on and on, when a person asks one thing after another, then the job waits for the pause', async () => {
    vi.useFakeTimers()
    const { order, pass, job, end } = watched(patient())
    void job('j1')
    await end()
    void pass('ada', 'a1')
    void job('j2')
    await end()
    void pass('ada', 'a2')
    await end()
    await vi.advanceTimersByTimeAsync(20)
    expect(order).toEqual(['j1', 'a1', 'a2'])
    await vi.advanceTimersByTimeAsync(30)
    expect(order).toEqual(['j1', 'a1', 'a2', 'j2'])
  })

  it('given persons who never pause, then a job has a turn from time to time', async () => {
    vi.useFakeTimers()
    const { order, pass, job, end } = watched(patient())
    void job('j1')
    await end()
    void pass('ada', 'a0')
    void job('j2')
    for (let n = 1; n <= 20; n++) {
      void pass('ada', `a${n}`)
      await vi.advanceTimersByTimeAsync(10)
      await end()
    }
    expect(order.indexOf('j2')).toBeGreaterThan(10)
    expect(order.indexOf('j2')).toBeLessThan(20)
  })

  it('given work that fails, then its caller hears of it and the next begins', async () => {
    const gate = new FairGate()
    const failed = gate.pass(() => Promise.reject(new Error('no such table')))
    const next = gate.pass(() => Promise.resolve('next'))
    await expect(failed).rejects.toThrow('no such table')
    expect(await next).toBe('next')
    expect(await gate.pass(() => Promise.resolve('and on'))).toBe('and on')
  })

  it('given a long line of short statements, then connections are looked at before it is through', async () => {
    const gate = new FairGate()
    let [done, seen] = [0, -1]
    const line = Array.from({ length: 100 }, () => gate.pass(async () => busy(1)).then(() => done++))
    setImmediate(() => {
      seen = done
    })
    await Promise.all(line)
    expect(seen).toBeGreaterThanOrEqual(0)
    expect(seen).toBeLessThan(50)
  })

  it('given one who asks a statement after the other, when none waits, then connections are looked at before the last', async () => {
    const gate = new FairGate()
    let [done, seen] = [0, -1]
    setImmediate(() => {
      seen = done
    })
    for (; done < 100; done++) await gate.pass(async () => busy(1))
    expect(seen).toBeGreaterThanOrEqual(0)
    expect(seen).toBeLessThan(50)
  })

  it('given connections that come one by one while statements wait, then several are seen for each statement', async () => {
    const gate = new FairGate()
    let [seen, done] = [0, 0]
    // each turn of the event loop brings one, and it costs a little
    const accept = () => {
      busy(0.5)
      if (++seen < 40) setImmediate(accept)
    }
    setImmediate(accept)
    const line = Array.from({ length: 40 }, () => gate.pass(async () => busy(6)).then(() => done++))
    const accepted = expect.poll(() => seen, { interval: 1, timeout: 10_000 }).toBe(40)
    await Promise.all([...line, accepted.then(() => expect(done).toBeLessThan(20))])
  })
})

describe('work that waits at the gate', () => {
  const held = () => {
    const gate = new FairGate({ ...TIMEOUTS, search: 20 })
    const { promise, resolve } = Promise.withResolvers<string>()
    const begun: string[] = []
    const say = (word: string) => async () => {
      begun.push(word)
      return word
    }
    const first = gate.pass(() => say('first')().then(() => promise))
    return { gate, begun, say, first, end: () => resolve('first') }
  }

  it('given statements that wait, when one of them is abandoned, then it is told at once and never begun', async () => {
    const { gate, begun, say, end } = held()
    const left = new AbortController()
    const abandoned = gate.pass(say('abandoned'), { kind: 'read', signal: left.signal })
    const next = gate.pass(say('next'))
    left.abort()
    await expect(abandoned).rejects.toBeInstanceOf(QueryAbandonedError)
    end()
    await next
    expect(begun).toEqual(['first', 'next'])
    await expect(gate.pass(say('late'), { signal: left.signal })).rejects.toBeInstanceOf(QueryAbandonedError)
    expect(begun).toEqual(['first', 'next'])
  })

  it('given a search that waits, when its time is over, then it is told so and never begun', async () => {
    const { gate, begun, say, end } = held()
    await expect(gate.pass(say('search'), { kind: 'search' })).rejects.toBeInstanceOf(QueryTimeoutError)
    end()
    await gate.pass(say('next'))
    expect(begun).toEqual(['first', 'next'])
  })

  it('given that all that waited has left, when something else comes, then it begins', async () => {
    const { gate, begun, say, first, end } = held()
    const left = new AbortController()
    const abandoned = gate.pass(say('abandoned'), { kind: 'read', signal: left.signal })
    left.abort()
    await expect(abandoned).rejects.toBeInstanceOf(QueryAbandonedError)
    end()
    await first
    expect(await gate.pass(say('next'))).toBe('next')
    expect(begun).toEqual(['first', 'next'])
  })
})
