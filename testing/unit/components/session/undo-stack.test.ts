import { describe, expect, it } from 'vitest'
import { type UndoableMove, UndoStack } from '@/components/session/undo-stack'

/** Moves that write down what is done, and are refused where `refuses` says so. */
function world(refuses = (_: string) => false) {
  const log: string[] = []
  const act = (what: string) => async () => {
    log.push(what)
    return !refuses(what)
  }
  const move = (name: string): UndoableMove => ({
    says: name,
    undo: act(`-${name}`),
    redo: act(`+${name}`),
  })
  return { log, move, stack: new UndoStack() }
}

describe('the moves of a page', () => {
  it('are taken back last first, and made again in their order', async () => {
    const { log, move, stack } = world()
    stack.add(move('a'))
    stack.add(move('b'))
    expect((await stack.undo())?.says).toBe('b')
    await stack.undo()
    await stack.redo()
    await stack.redo()
    expect(log).toEqual(['-b', '-a', '+a', '+b'])
    expect([stack.canUndo, stack.canRedo]).toEqual([true, false])
  })

  it('wait for each other, however quickly they are asked for', async () => {
    const { log, stack } = world()
    const slow = Promise.withResolvers<boolean>()
    stack.add({ says: 'a', undo: async () => Boolean(log.push('-a')), redo: async () => true })
    stack.add({ says: 'b', undo: () => slow.promise, redo: async () => true })
    const both = [stack.undo(), stack.undo()]
    await Promise.resolve()
    expect(log).toEqual([])
    slow.resolve(true)
    await Promise.all(both)
    expect(log).toEqual(['-a'])
  })

  it('cannot be made again once another was made', async () => {
    const { log, move, stack } = world()
    stack.add(move('a'))
    await stack.undo()
    stack.add(move('b'))
    expect(await stack.redo()).toBeNull()
    expect(log).toEqual(['-a'])
  })

  it('count as one where the first is a part of the second', async () => {
    const { log, move, stack } = world()
    const [click, doubleClick] = [move('click'), move('double click')]
    stack.add(click)
    stack.add(doubleClick, click)
    await stack.undo()
    expect(await stack.undo()).toBeNull()
    expect(log).toEqual(['-double click'])
  })

  it('are dropped when they are refused, or when something builds on them', async () => {
    const { log, move, stack } = world((what) => what === '-b')
    stack.add(move('a'))
    stack.add(move('b'))
    expect(await stack.undo()).toBeNull()
    expect(stack.canRedo).toBe(false)
    stack.clear()
    expect(await stack.undo()).toBeNull()
    expect(log).toEqual(['-b'])
  })

  it('go on after one that threw', async () => {
    const { log, move, stack } = world()
    stack.add(move('a'))
    stack.add({ says: 'b', undo: () => Promise.reject(new Error('offline')), redo: async () => true })
    await expect(stack.undo()).rejects.toThrow('offline')
    await stack.undo()
    expect(log).toEqual(['-a'])
  })
})
