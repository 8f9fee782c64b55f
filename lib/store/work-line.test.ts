import { expect, it } from 'vitest'
import { QueryAbandonedError } from '@/lib/db'

import { heldWork } from '@/testing/worlds/held-work'
import { GateFullError, WorkLine } from './work-line'

/** A gate, and work that goes on until it is ended. */
const begin = (limits: Partial<ConstructorParameters<typeof WorkLine>[0]> = {}) => {
  const gate = new WorkLine({
    work: 'searches',
    perPerson: 1,
    inAll: 2,
    waitingPerPerson: 3,
    waitingInAll: 5,
    ...limits,
  })
  const { begun, work, end } = heldWork()
  const ask = (person: string, name: string, signal?: AbortSignal) => {
    const done = gate.run(person, work(name), signal)
    done.catch(() => undefined)
    return done
  }
  return { ask, begun, end }
}

it('given one search of a person, when they ask for more, then those wait until it is over', async () => {
  const { ask, begun, end } = begin()
  ask('ada', 'a1')
  ask('ada', 'a2')
  expect(begun).toEqual(['a1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2'])
})

it('given much that one person waits for, when another comes, then persons are let in by turns', async () => {
  const { ask, begun, end } = begin({ inAll: 1 })
  for (const name of ['a1', 'a2', 'a3']) ask('ada', name)
  for (const name of ['b1', 'b2']) ask('bob', name)
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
})

it('given a search that waits, when its client leaves, then it is never begun and the next moves up', async () => {
  const { ask, begun, end } = begin({ inAll: 1 })
  const left = new AbortController()
  ask('ada', 'a1')
  const abandoned = ask('bob', 'b1', left.signal)
  ask('cy', 'c1')
  left.abort()
  await expect(abandoned).rejects.toBeInstanceOf(QueryAbandonedError)
  await end('a1')
  expect(begun).toEqual(['a1', 'c1'])
  await expect(ask('bob', 'b2', left.signal)).rejects.toBeInstanceOf(QueryAbandonedError)
})

it('given a full line, when a person or anyone asks for more, then it is said whose line that is', async () => {
  const { ask } = begin({ inAll: 1 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask('ada', name)
  await expect(ask('ada', 'a5')).rejects.toMatchObject({ name: 'GateFullError', of: 'person' })
  for (const name of ['b1', 'c1']) ask(name, name)
  const refused = ask('dan', 'd1')
  await expect(refused).rejects.toBeInstanceOf(GateFullError)
  await expect(refused).rejects.toMatchObject({ of: 'server' })
})

it('given work that fails, when it is over, then the next is let in', async () => {
  const gate = new WorkLine({
    work: 'searches',
    perPerson: 1,
    inAll: 1,
    waitingPerPerson: 1,
    waitingInAll: 1,
  })
  const failing = gate.run('ada', () => Promise.reject(new Error('wrong')))
  const next = gate.run('ada', async () => 'right')
  await expect(failing).rejects.toThrow('wrong')
  expect(await next).toBe('right')
})

it('given a turn that does not come in time, when one has waited long enough, then it is said whose line that is', async () => {
  const { ask } = begin({ inAll: 1, longestWait: 5 })
  ask('ada', 'a1')
  await expect(ask('ada', 'a2')).rejects.toMatchObject({ of: 'person', work: 'searches' })
  await expect(ask('bob', 'b1')).rejects.toMatchObject({ of: 'server', work: 'searches' })
})

it('given a turn that is ended twice, when others wait, then one of them is let in', async () => {
  const line = new WorkLine({
    work: 'exports',
    perPerson: 1,
    inAll: 1,
    waitingPerPerson: 2,
    waitingInAll: 2,
  })
  const leave = await line.enter('ada')
  const entered: string[] = []
  for (const name of ['bob', 'cy']) line.enter(name).then(() => entered.push(name))
  leave()
  leave()
  await new Promise(setImmediate)
  expect(entered).toEqual(['bob'])
})
