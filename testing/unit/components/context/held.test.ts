import { expect, test } from 'vitest'
import {
  changeHeld,
  type Held,
  type HeldAction,
  joinedMove,
  nothingHeld,
  shownParts,
  unsent,
} from '@/components/context/held'
import { partsOf } from '@/components/context/parts'
import type { ChatContext } from '@/lib/protocol'

const context = (change: Partial<ChatContext> = {}): ChatContext => ({
  context_id: 'c1',
  model: 'demo:demo',
  renderer: 'xml',
  settings: {},
  memories: [],
  tools: {},
  left_out: [],
  fragments: [{ id: 'role', name: 'role', data: 'Kind', enabled: true }],
  ...change,
})
const saying = (data: string) => [{ id: 'role', name: 'role', data, enabled: true }]
const type = (data: string): HeldAction => ({
  type: 'edit',
  edit: { type: 'fragment', id: 'role', change: { data } },
})
const loaded = (change: Partial<ChatContext>): HeldAction => ({ type: 'loaded', context: context(change) })
const after = (...actions: HeldAction[]): Held => actions.reduce(changeHeld, nothingHeld)
const role = (held: Held) => shownParts(held)?.fragments[0]?.data

test('a change is a draft, and typed back it is none', () => {
  const held = after(loaded({}), type('Rude'))
  expect([role(held), held.draft !== null]).toEqual(['Rude', true])
  expect(changeHeld(held, type('Kind')).draft).toBeNull()
})

test('a turn that changed the model alone, and a model that remembered, leave a draft as it is', () => {
  const memories = [{ key: 'diet', text: 'vegetarian', message_id: 'm1' }]
  const held = after(loaded({}), type('Rude'), loaded({ context_id: 'c2', model: 'other:one', memories }))
  expect(held).toMatchObject({ theirs: null, base: { context_id: 'c2' }, draft: { memories } })
  expect(role(held)).toBe('Rude')
})

test('a change from elsewhere stands beside the draft, which stays', () => {
  const held = after(loaded({}), type('Rude'), loaded({ context_id: 'c2', fragments: saying('Calm') }))
  expect(held).toMatchObject({ theirs: { context_id: 'c2' }, base: { context_id: 'c1' } })
  expect(role(held)).toBe('Rude')
  // theirs is taken, and mine can be brought back
  const taken = changeHeld(held, { type: 'discard' })
  expect([role(taken), taken.base?.context_id]).toEqual(['Calm', 'c2'])
  expect(role(changeHeld(taken, { type: 'undo' }))).toBe('Rude')
})

test('the same change from elsewhere is no conflict', () => {
  const held = after(loaded({}), type('Rude'), loaded({ context_id: 'c2', fragments: saying('Rude') }))
  expect(held).toMatchObject({ theirs: null, draft: null, base: { context_id: 'c2' } })
})

const savedAs = (data: string, change: Partial<ChatContext> = {}): HeldAction => {
  const sent = partsOf(context({ fragments: saying(data) }))
  return { type: 'saved', sent, context: context({ context_id: `is ${data}`, ...sent, ...change }) }
}

test('what was typed while the draft was being saved stays a draft', () => {
  expect(after(loaded({}), type('Rude'), savedAs('Rude'))).toMatchObject({ draft: null, saved: true })
  const typing = after(loaded({}), type('Rude'), type('Ruder'), savedAs('Rude'))
  expect([role(typing), typing.base?.context_id]).toEqual(['Ruder', 'is Rude'])
  expect(unsent(typing)).not.toBeNull()
})

test('what is taken back while it is being saved is taken back of what was saved', () => {
  const undone = after(loaded({}), type('Rude'), { type: 'undo' }, savedAs('Rude'))
  expect([role(undone), undone.base?.context_id]).toEqual(['Kind', 'is Rude'])
  expect(unsent(undone)?.fragments[0]?.data).toBe('Kind')
})

test('all that is typed in one field is one change, which joins its own move and goes back as one', () => {
  const rest = after(loaded({}), type('R'), type('Ru'), savedAs('Ru', { move_seq: 7 }))
  const more = changeHeld(rest, type('Rude'))
  expect(joinedMove(more)).toBe(7)
  expect(role(changeHeld(more, { type: 'undo' }))).toBe('Kind')
  // a field that was left begins another one
  const again = changeHeld(changeHeld(rest, { type: 'left' }), type('Rude'))
  expect(joinedMove(again)).toBeUndefined()
  expect(role(changeHeld(again, { type: 'undo' }))).toBe('Ru')
  // and so does a choice
  const tools: HeldAction = { type: 'edit', edit: { type: 'parts', parts: { tools: { calculator: 'ask' } } } }
  const chosen = changeHeld(rest, tools)
  expect(joinedMove(chosen)).toBeUndefined()
  expect(changeHeld(chosen, { type: 'undo' }).draft).toBeNull()
})

test('a change from elsewhere ends what Undo could take back', () => {
  const held = after(loaded({}), type('Rude'), savedAs('Rude'), loaded({ context_id: 'c3' }))
  expect(held).toMatchObject({ last: null, saved: false })
})

test('a memory that is not whole yet is not sent, and waits whatever happens elsewhere', () => {
  const memories = [{ key: 'diet', text: '', message_id: null }]
  const edit: HeldAction = { type: 'edit', edit: { type: 'parts', parts: { memories } } }
  const held = after(loaded({}), edit)
  expect(unsent(held)).toBeNull()
  const moved = changeHeld(held, loaded({ context_id: 'c2', fragments: saying('Calm') }))
  expect(moved).toMatchObject({ theirs: null, draft: { memories } })
  expect(role(moved)).toBe('Calm')
})
