import { expect, test } from 'vitest'
import { assistant, ContextEngine, InMemoryContextStore, user } from '@/lib/context'

/** A store that notes which of its methods the engine calls. */
function watched() {
  const calls: string[] = []
  const store = new Proxy(new InMemoryContextStore(), {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        calls.push(String(key))
        return value.apply(target, args)
      }
    },
  })
  const engine = new ContextEngine({ store, chatId: 'trip', userId: 'ada' })
  const callsOf = async (work: () => Promise<unknown>) => {
    calls.length = 0
    await work()
    return [...calls]
  }
  return { engine, callsOf }
}

test('given a head that the engine knows, when new messages are saved, then that is one call of the store', async () => {
  const { engine, callsOf } = watched()
  await engine.set(user('one')).save()
  const save = () => engine.set(assistant('two', { id: 'a1' }), user('three')).save()
  expect(await callsOf(save)).toEqual(['commit'])
})

test('given a stored message, when it is edited, then the store is asked for it only after it has refused', async () => {
  const { engine, callsOf } = watched()
  await engine.set(user('one', { id: 'q1' }), assistant('two', { id: 'a1' })).save()
  const edit = () => engine.set(user('other', { id: 'q1' })).save()
  expect(await callsOf(edit)).toEqual(['commit', 'getMessage', 'commit'])
  expect(engine.branch).toBe('main-v2')
})
