import { describe, expect, it } from 'vitest'
import { Turnstile } from '@/lib/server/http/pace'

describe('a turnstile', () => {
  /** Work that begins, is written down, and ends when told to. */
  function works() {
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const work = (name: string) => () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    }
    const end = async (name: string) => {
      ends.get(name)?.()
      await new Promise(setImmediate)
    }
    return { begun, work, end }
  }

  it('given more work of a person than is let in, then the rest waits in its order, and that of others does not', async () => {
    const { begun, work, end } = works()
    const turnstile = new Turnstile(2)
    const all = ['m1', 'm2', 'm3', 'm4'].map((name) => turnstile.pass('mallory', work(name)))
    const other = turnstile.pass('ada', work('a1'))
    expect(begun).toEqual(['m1', 'm2', 'a1'])
    await end('m2')
    expect(begun).toEqual(['m1', 'm2', 'a1', 'm3'])
    for (const name of ['m1', 'm3', 'm4', 'a1']) await end(name)
    expect(await Promise.all([...all, other])).toEqual(['m1', 'm2', 'm3', 'm4', 'a1'])
  })

  it('given work that fails, then its caller hears of it and what waits is let in', async () => {
    const turnstile = new Turnstile(1)
    const failed = turnstile.pass('ada', () => Promise.reject(new Error('no')))
    const next = turnstile.pass('ada', () => Promise.resolve('next'))
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('next')
  })
})
