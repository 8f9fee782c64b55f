import { describe, expect, it } from 'vitest'
import { QueryAbandonedError, QueryTimeoutError, TIMEOUTS } from './database'
import { StatementLine } from './statement-line'

describe('the line before the embedded database', () => {
  const held = () => {
    const line = new StatementLine({ ...TIMEOUTS, search: 20 })
    const { promise, resolve } = Promise.withResolvers<string>()
    const begun: string[] = []
    const say = (word: string) => async () => {
      begun.push(word)
      return word
    }
    const first = line.run(async () => {
      begun.push('first')
      return promise
    })
    return { line, begun, say, first, end: () => resolve('first') }
  }

  it('given a statement that runs, when others come, then they run after it, in their order', async () => {
    const { line, begun, say, first, end } = held()
    const others = [line.run(say('second')), line.run(say('third'))]
    expect(begun).toEqual(['first'])
    end()
    expect(await Promise.all([first, ...others])).toEqual(['first', 'second', 'third'])
    expect(begun).toEqual(['first', 'second', 'third'])
  })

  it('given statements that wait, when one of them is abandoned, then it is told at once and never begun', async () => {
    const { line, begun, say, end } = held()
    const left = new AbortController()
    const abandoned = line.run(say('abandoned'), { kind: 'read', signal: left.signal })
    const next = line.run(say('next'))
    left.abort()
    await expect(abandoned).rejects.toBeInstanceOf(QueryAbandonedError)
    end()
    await next
    expect(begun).toEqual(['first', 'next'])
    await expect(line.run(say('late'), { signal: left.signal })).rejects.toBeInstanceOf(QueryAbandonedError)
    expect(begun).toEqual(['first', 'next'])
  })

  it('given a search that waits, when its time is over, then it is told so and never begun', async () => {
    const { line, begun, say, end } = held()
    await expect(line.run(say('search'), { kind: 'search' })).rejects.toBeInstanceOf(QueryTimeoutError)
    end()
    await line.run(say('next'))
    expect(begun).toEqual(['first', 'next'])
  })

  it('given a statement that fails, when the next one comes, then it runs', async () => {
    const line = new StatementLine(TIMEOUTS)
    await expect(line.run(() => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong')
    expect(await line.run(async () => 'right')).toBe('right')
  })
})
