import { expect, it } from 'vitest'
import type { ChatFile } from '@/lib/protocol'
import { contextOf } from '../turns/context-value'
import { withToolsAsking } from './lower-permissions'

type Context = ChatFile['contexts'][number]

/** A context as a file has it, whatever its tools are said to be. */
const contextWith = (tools: object): Context => {
  const content = { fragments: [], model: null, setup: { tools, off: ['f1'] } }
  return { ...content, id: contextOf(content as never).id }
}
/** A file whose branch changes from the first of its contexts to the last, and back. */
const fileOf = (...contexts: Context[]): ChatFile => {
  const [type, at] = ['ContextChanged', '2026-01-01T00:00:00Z']
  const [first, last] = [contexts.at(0)?.id ?? '', contexts.at(-1)?.id ?? '']
  const changed = (seq: number, context_id: string, from_context_id: string) => ({
    seq,
    at,
    type,
    payload: { context_id, from_context_id },
  })
  return {
    contexts,
    branches: [{ id: 'main', contextId: first }],
    messages: [{ id: 'q', contextId: last }, { id: 's' }],
    history: [
      { seq: 1, at, branchId: 'main', messageId: 'q' },
      changed(2, last, first),
      changed(3, first, last),
    ],
  } as unknown as ChatFile
}
const toolsIn = ({ contexts }: ChatFile) => contexts.map(({ setup }) => setup?.tools)

it('given contexts of a file, then no tool in them runs without asking, whatever its choice is called', () => {
  const said = { a: 'always', b: 'ask', c: 'never', d: 'Always', e: true, f: null }
  const file = withToolsAsking(fileOf(contextWith(said), contextWith({ a: 'never' })))
  const asks = { a: 'ask', b: 'ask', c: 'never', d: 'ask', e: 'ask', f: 'ask' }
  expect(toolsIn(file)).toEqual([asks, { a: 'never' }])
})

it('given a file in which a context is lowered, then it has the name of its content, in all that names it', () => {
  const [raised, other] = [contextWith({ a: 'always' }), contextWith({ a: 'never' })]
  const file = withToolsAsking(fileOf(raised, other))
  const [{ id, setup = {} } = raised] = file.contexts
  expect(contextOf({ fragments: [], model: null, setup }).id).toBe(id)
  expect(setup).toMatchObject({ off: ['f1'], lowered: raised.id })
  expect(file.branches).toMatchObject([{ contextId: id }])
  expect(file.messages).toEqual([{ id: 'q', contextId: other.id }, { id: 's' }])
  expect(file.history.slice(1)).toMatchObject([
    { payload: { context_id: other.id, from_context_id: id } },
    { payload: { context_id: id, from_context_id: other.id } },
  ])
  expect(JSON.stringify({ ...file, contexts: [] })).not.toContain(raised.id)
})

it('given contexts that differ in their permissions alone, then they stay two: their changes are in the history', () => {
  const file = withToolsAsking(fileOf(contextWith({ a: 'always' }), contextWith({ a: 'ask' })))
  expect(new Set(file.contexts.map(({ id }) => id)).size).toBe(2)
})

it('given a file in which every tool asks, then it is left as it is, also when it was lowered before', () => {
  const file = fileOf(contextWith({ a: 'ask' }), contextWith({}))
  expect(withToolsAsking(file)).toBe(file)
  const lowered = withToolsAsking(fileOf(contextWith({ a: 'always' })))
  expect(withToolsAsking(lowered)).toBe(lowered)
})
