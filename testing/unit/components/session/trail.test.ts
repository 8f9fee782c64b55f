import { describe, expect, it } from 'vitest'
import { Trail } from '@/components/session/trail'

const step = (seq: number | null, from: string, to: string) => ({ seq, from, to })

describe('where moves have led a reader', () => {
  it('is gone back when the log undoes them, and along again when it makes them again', () => {
    const trail = new Trail()
    const [one, two] = [step(3, 'main', 'side'), step(7, 'side', 'other')]
    trail.add(one)
    trail.add(two)
    expect(trail.retrace('undo', { moveSeq: 7, count: 1 })).toEqual([two])
    expect(trail.retrace('undo', { moveSeq: 3, count: 1 })).toEqual([one])
    expect(trail.retrace('redo', { moveSeq: 3, count: 1 })).toEqual([one])
    expect(trail.retrace('redo', { moveSeq: 7, count: 1 })).toEqual([two])
  })

  it('is unknown where another page has made the move, or one of several', () => {
    const trail = new Trail()
    trail.add(step(3, 'main', 'side'))
    expect(trail.retrace('undo', { moveSeq: 5, count: 1 })).toEqual([])
    expect(trail.retrace('undo', { moveSeq: 3, count: 2 })).toEqual([])
  })

  it('leads back over several moves that are undone at once, from the first of them', () => {
    const trail = new Trail()
    const [one, two] = [step(3, 'main', 'side'), step(7, 'side', 'other')]
    trail.add(one)
    trail.add(step(null, 'side', 'main'))
    trail.add(two)
    expect(trail.retrace('undo', { moveSeq: 3, count: 2 })[0]).toEqual(one)
  })

  it('has looks, which no log knows: Undo takes them back first, until something is said', () => {
    const trail = new Trail()
    trail.add(step(3, 'main', 'side'))
    trail.add(step(null, 'side', 'archived'))
    expect(trail.look('undo')).toMatchObject({ from: 'side' })
    expect([trail.looks('undo'), trail.looks('redo')]).toEqual([false, true])
    expect(trail.look('redo')).toMatchObject({ to: 'archived' })
    trail.settle()
    expect(trail.look('undo')).toBeUndefined()
    expect(trail.retrace('undo', { moveSeq: 3, count: 1 })).toHaveLength(1)
  })

  it('counts a step that is a part of the next one as one with it', () => {
    const trail = new Trail()
    const click = step(3, 'main', 'side')
    trail.add(click)
    trail.add(step(7, 'main', 'new'), click)
    expect(trail.retrace('undo', { moveSeq: 7, count: 1 })).toHaveLength(1)
    expect(trail.last).toBeUndefined()
  })
})
