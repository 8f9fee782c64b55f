import { expect, it } from 'vitest'
import { Turnstile } from '@/lib/server/http/pace'
import { heldWork as works } from '@/testing/worlds/held-work'

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

it('given work that waits, when its line is waited for, then that ends when all of it is let in, and not when more has come', async () => {
  const { begun, work, end } = works()
  const turnstile = new Turnstile(1)
  const all = ['m1', 'm2', 'm3'].map((name) => turnstile.pass('mallory', work(name)))
  let isIn = false
  const line = turnstile.lineIsIn('mallory').then(() => {
    isIn = true
  })
  all.push(turnstile.pass('mallory', work('late')))

  await end('m1')
  expect({ begun, isIn }).toEqual({ begun: ['m1', 'm2'], isIn: false })
  await end('m2')
  await line
  expect(begun).toEqual(['m1', 'm2', 'm3'])

  for (const name of ['m3', 'late']) await end(name)
  expect(await Promise.all(all)).toEqual(['m1', 'm2', 'm3', 'late'])
  // where nothing waits there is nothing to wait for
  await turnstile.lineIsIn('mallory')
})
