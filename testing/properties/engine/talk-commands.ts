import fc from 'fast-check'
import { expect } from 'vitest'
import { assistant, lastAssistantMessage, messageText, user, XmlRenderer } from '@/lib/context'
import { command, index, pick, tab, type WeightedCommands } from './command'
import { type Model, type Pending, standOn } from './model'
import { openTab } from './open-tab'
import { bindLazy, predictRead, predictSave } from './predict-save'
import { outcome, type World } from './world'

const role = fc.constantFrom('user' as const, 'assistant' as const)
const mostly = fc.nat({ max: 3 }).map((n) => n > 0)

/** A message to set: a new one, one that is stored (changed or not), one that is pending already, or a lazy one. */
const item = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('new' as const), role }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), index, role: fc.option(role) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit-root' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stored' as const), index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), index, role }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lazy' as const) }) },
)
type Item = typeof item extends fc.Arbitrary<infer T> ? T : never

/** Sets messages and, mostly, saves them; what is not saved stays pending, or is dropped by a move. */
const say = command(
  'say',
  fc.record({ tab, items: fc.array(item, { minLength: 1, maxLength: 4 }), save: mostly }),
  async ({ tab, items, save }, model, world) => {
    for (const one of items) set(one, tab, model, world)
    if (save) await saveTab(tab, model, world)
  },
)

const save = command('save', tab, saveTab)

/** What the model would read is what is stored and pending; and the engine sees what others wrote meanwhile. */
const read = command('read', tab, async (index, model, world) => {
  const tab = model.tab(index)
  const refusal = openTab(model, tab)
  const answer = await outcome(refusal, world.engine(index).resolve({ renderer: new XmlRenderer() }))
  if (refusal || !answer || !model.chat || !tab.at) return
  const { branch } = tab.at
  tab.at = standOn(branch)
  tab.pending = bindLazy(tab.pending, branch.head)
  const expected = predictRead(model.chat, tab)
  const messages = answer.messages as { id: string; role: string }[]
  expect(messages.map((message) => ({ role: message.role, text: messageText(message) }))).toEqual(
    expected.map(({ said: { role, text } }) => ({ role, text })),
  )
  for (const [index, message] of messages.entries()) expected[index]?.bind(message.id)
  expect(messages.map(({ id }) => id)).toEqual(predictRead(model.chat, tab).map(({ id }) => id))
})

export const talkCommands: WeightedCommands = [
  { weight: 20, arbitrary: say },
  { weight: 4, arbitrary: save },
  { weight: 5, arbitrary: read },
]

function set(item: Item, index: number, model: Model, world: World): void {
  const tab = model.tab(index)
  const text = model.fresh('text ')
  const messages = model.chat?.messages ?? []
  const roots = messages.filter(({ parent }) => parent === null)
  const stored = (among: typeof messages, at: number) => {
    const { id, role, text } = pick(among, at)
    if (id === undefined) throw new Error('a stored message has an id')
    return { slot: { id }, role, text }
  }
  let pending: Pending = { slot: { id: model.fresh('m') }, role: 'user', text }
  switch (item.kind) {
    case 'new':
      pending.role = item.role
      break
    case 'edit':
      if (messages.length > 0)
        pending = { ...stored(messages, item.index), text, ...(item.role && { role: item.role }) }
      break
    case 'edit-root':
      if (messages.length > 0) pending = { ...stored(roots, 0), text }
      break
    case 'stored':
      if (messages.length > 0) pending = stored(messages, item.index)
      break
    case 'again': {
      const waiting = tab.pending.flatMap((other) =>
        'slot' in other && other.slot.id !== undefined ? [other.slot] : [],
      )
      if (waiting.length > 0) pending = { slot: pick(waiting, item.index), role: item.role, text }
      break
    }
    case 'lazy':
      tab.pending.push({ lazy: text })
      world.engine(index).set(lastAssistantMessage(text))
      return
  }
  tab.pending.push(pending)
  const { slot, role, text: said } = pending
  const id = slot.id ?? ''
  world.engine(index).set(role === 'user' ? user(said, { id }) : assistant(said, { id }))
}

async function saveTab(index: number, model: Model, world: World): Promise<void> {
  const tab = model.tab(index)
  const refusal = openTab(model, tab) ?? (model.chat && predictSave(model.chat, tab))
  const saved = await outcome(refusal, world.engine(index).save())
  if (saved && tab.at?.head?.id !== undefined) expect(saved.headMessageId).toBe(tab.at.head.id)
  if (saved) expect(world.engine(index).branch).toBe(tab.at?.name)
}
