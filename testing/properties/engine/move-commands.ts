import fc from 'fast-check'
import { expect } from 'vitest'
import { type BranchInfo, ForeignMessageError, NotFoundError } from '@/lib/context'
import { command, index, pick, tab, type WeightedCommands } from './command'
import { chainOf, contextAt, findBranch, type Model, type ModelMessage, openBranch, standOn } from './model'
import { openTab } from './open-tab'
import type { Refusal } from './predict-save'
import { outcome, type World } from './world'

const mark = fc.constantFrom('start', 'choice', 'Übergang 🚩')

/** Back to any message of the chat; or to one that is elsewhere, or nowhere. */
const rewind = command(
  'rewind',
  fc.record({ tab, to: fc.oneof({ weight: 6, arbitrary: index }, fc.constantFrom('nowhere', 'elsewhere')) }),
  async ({ tab, to }, model, world) => {
    const messages = model.chat?.messages ?? []
    const target = typeof to === 'number' && messages.length > 0 ? pick(messages, to) : undefined
    const unknown = to === 'elsewhere' ? ForeignMessageError : NotFoundError
    const id = target?.id ?? (to === 'elsewhere' ? world.neighbour.messageId : 'nowhere')
    await moveTo(
      model,
      world,
      tab,
      () => target ?? unknown,
      () => world.engine(tab).rewind(id),
    )
  },
)

const restore = command('restore', fc.record({ tab, mark }), async ({ tab, mark }, model, world) => {
  const target = () => model.chat?.checkpoints.get(mark) ?? NotFoundError
  await moveTo(model, world, tab, target, () => world.engine(tab).restore(mark))
})

/** A new branch at the target, which the tab and the chat go to; what was pending there is dropped. */
async function moveTo(
  model: Model,
  world: World,
  index: number,
  target: () => ModelMessage | Refusal,
  move: () => Promise<BranchInfo>,
): Promise<void> {
  const tab = model.tab(index)
  const unopened = openTab(model, tab)
  const at = unopened ?? target()
  const info = await outcome(typeof at === 'function' ? at : undefined, move())
  if (typeof at === 'function' || !model.chat || !tab.at) return
  const branch = openBranch(model.chat, tab.at.name, at, contextAt(at, at))
  model.chat.active = branch
  tab.at = standOn(branch)
  tab.pending = []
  expectInfo(info, branch, true)
  expect(world.engine(index).branch).toBe(branch.name)
  expect(world.engine(index).headMessageId).toBe(at.id)
}

const btw = command('btw', tab, async (index, model, world) => {
  const tab = model.tab(index)
  const refusal = openTab(model, tab) ?? (tab.at?.head ? undefined : Error)
  const info = await outcome(refusal, world.engine(index).btw())
  if (refusal || !model.chat || !tab.at?.head) return
  const { name, head, context } = tab.at
  expectInfo(info, openBranch(model.chat, name, head, context ?? contextAt(head, head)), false)
})

const checkpoint = command(
  'checkpoint',
  fc.record({ tab, mark }),
  async ({ tab: index, mark }, model, world) => {
    const tab = model.tab(index)
    const refusal = openTab(model, tab) ?? (tab.at?.head ? undefined : Error)
    const info = await outcome(refusal, world.engine(index).checkpoint(mark))
    if (refusal || !model.chat || !tab.at?.head) return
    model.chat.checkpoints.set(mark, tab.at.head)
    expect(info).toMatchObject({ name: mark, messageId: tab.at.head.id })
  },
)

/** To any branch, by name or id, archived ones too; or to one that is not there. */
const switchBranch = command(
  'switchBranch',
  fc.record({ tab, index, by: fc.constantFrom('name', 'id', 'nothing') }),
  async ({ tab: index, index: which, by }, model, world) => {
    const tab = model.tab(index)
    const wanted = model.chat && pick(model.chat.branches, which)
    const name = (by === 'name' && wanted?.name) || (by === 'id' && wanted?.id) || 'nowhere'
    const unopened = openTab(model, tab)
    const branch = model.chat && findBranch(model.chat, name)
    const refusal = unopened ?? (branch ? undefined : NotFoundError)
    const info = await outcome(refusal, world.engine(index).switchBranch(name))
    if (refusal || !branch || !model.chat) return
    model.chat.active = branch
    tab.at = standOn(branch)
    tab.pending = []
    expectInfo(info, branch, true)
  },
)

/** The tab is closed and opened again: on the active branch, on a named one, or on one that is not there. */
const reopen = command(
  'reopen',
  fc.record({
    tab,
    on: fc.option(fc.oneof({ weight: 9, arbitrary: index }, fc.constantFrom('main', 'nowhere'))),
  }),
  async ({ tab: index, on }, model, world) => {
    const chosen = typeof on === 'number' ? model.chat && pick(model.chat.branches, on).name : on
    const wanted = chosen ?? undefined
    const tab = model.tab(index)
    delete tab.at
    delete tab.wanted
    if (wanted !== undefined) tab.wanted = wanted
    tab.pending = []
    world.reopen(index, wanted)
    expect(world.engine(index).branch).toBe(wanted ?? 'main')
  },
)

function expectInfo(
  info: BranchInfo | undefined,
  branch: { name: string; head: ModelMessage | null },
  isActive: boolean,
) {
  expect(info).toMatchObject({
    name: branch.name,
    headMessageId: branch.head?.id ?? null,
    isActive,
    messageCount: chainOf(branch.head).length,
  })
}

export const moveCommands: WeightedCommands = [
  { weight: 8, arbitrary: rewind },
  { weight: 3, arbitrary: restore },
  { weight: 4, arbitrary: btw },
  { weight: 4, arbitrary: checkpoint },
  { weight: 6, arbitrary: switchBranch },
  { weight: 3, arbitrary: reopen },
]
