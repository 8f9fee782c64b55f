import { expect, test } from 'vitest'
import { changeHeld, type Held, type HeldAction, nothingHeld, shownParts } from '@/components/context/held'
import { partsOf } from '@/components/context/parts'
import type { ChatContext } from '@/lib/protocol'

const context = (change: Partial<ChatContext> = {}): ChatContext => ({
  ...{ context_id: 'c1', model: 'demo:demo', renderer: 'xml', settings: {}, memories: [], tools: {} },
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

test('what was typed while the draft was being saved stays a draft', () => {
  const sent = partsOf(context({ fragments: saying('Rude') }))
  const saved: HeldAction = { type: 'saved', sent, context: context({ context_id: 'c2', ...sent }) }
  expect(after(loaded({}), type('Rude'), saved)).toMatchObject({ draft: null, saved: true })
  const typing = after(loaded({}), type('Rude'), type('Ruder'), saved)
  expect([role(typing), typing.saved, typing.base?.context_id]).toEqual(['Ruder', false, 'c2'])
})
