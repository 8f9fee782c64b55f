import fc from 'fast-check'
import { expect } from 'vitest'
import {
  BranchActiveError,
  ContextEngine,
  InvalidDataError,
  NameTakenError,
  NotFoundError,
  type Step,
  user,
} from '@/lib/context'
import { newId } from '@/lib/events'
import { chatCommand, index, pick, tab, type WeightedCommands } from './command'
import { idOf } from './predict-save'
import { outcome, type World } from './world'

/** Names that collide with the automatic ones and with each other, that are too long to be continued, or too long. */
const name = fc.constantFrom(
  ...['main', 'main-v2', 'main-v3', 'main-v2-v2', 'idea', 'idea-v2', '𝒳'.repeat(190), 'x'.repeat(201), ''],
)

const rename = chatCommand(
  'rename',
  fc.record({ index, name }),
  async ({ index, name }, { branches }, world) => {
    const branch = pick(branches, index)
    const taken = branches.some((other) => other !== branch && other.name === name)
    const invalid = name === '' || name.length === 201
    const refusal = invalid ? InvalidDataError : taken ? NameTakenError : undefined
    await outcome(refusal, world.commit({ kind: 'rename-branch', branchId: idOf(branch), name }))
    if (!refusal) branch.name = name
  },
)

const title = chatCommand(
  'title',
  fc.record({ index, title: fc.constantFrom('By train', 'main', '') }),
  async ({ index, title }, chat, world) => {
    const branch = pick(chat.branches, index)
    const refusal = title === '' ? InvalidDataError : undefined
    await outcome(refusal, world.commit({ kind: 'title-branch', branchId: idOf(branch), title }))
    if (!refusal) branch.title ??= title
  },
)

const archive = chatCommand(
  'archive',
  fc.record({ index, archived: fc.boolean() }),
  async ({ index, archived }, { branches, active }, world) => {
    const branch = pick(branches, index)
    const refusal = archived && !branch.archived && branch === active ? BranchActiveError : undefined
    const kind = archived ? 'archive-branch' : 'unarchive-branch'
    await outcome(refusal, world.commit({ kind, branchId: idOf(branch) }))
    if (!refusal) branch.archived = archived
  },
)

const removeCheckpoint = chatCommand('removeCheckpoint', index, async (index, { checkpoints }, world) => {
  const names = [...checkpoints.keys()]
  const name = names.length > 0 ? pick(names, index) : 'nothing'
  const refusal = checkpoints.delete(name) ? undefined : NotFoundError
  await outcome(refusal, world.commit({ kind: 'remove-checkpoint', name }))
})

const updateChat = chatCommand(
  'updateChat',
  fc.record({
    tab,
    title: fc.option(fc.constantFrom('Rome', 'Milan', '')),
    metadata: fc.option(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 1 }))),
  }),
  async ({ tab, title, metadata }, chat, world, model) => {
    // a tab that waits for a branch that is not there refuses everything
    const updates = { ...(title !== null && { title }), ...(metadata !== null && { metadata }) }
    if (model.tab(tab).at) await world.engine(tab).updateChat(updates)
    else await world.store.updateChat(world.chatId, updates)
    if (title !== null) chat.title = title
    // as JSON, which knows no negative zero
    Object.assign(chat.metadata, JSON.parse(JSON.stringify(metadata ?? {})))
  },
)

/** The chat goes with everything in it; tabs that still show it are refused, and its id is free again. */
const deleteChat = chatCommand('deleteChat', fc.constant(null), async (_, _chat, world, model) => {
  expect(await world.deleteChat()).toBe(true)
  expect(await world.deleteChat()).toBe(false)
  model.chat = undefined
  for (const index of [0, 1]) {
    const tab = model.tab(index)
    // what was pending may name messages that are gone, which is refused for its own reasons
    const refusal = tab.pending.length === 0 ? NotFoundError : Error
    if (tab.at) await outcome(refusal, world.engine(index).set(user('too late')).save())
    delete tab.at
    delete tab.wanted
    tab.pending = []
    world.reopen(index)
  }
  await expect(world.store.getMessages(world.chatId)).rejects.toBeInstanceOf(NotFoundError)
  expect(await leftovers(world)).toEqual([[], [], []])
})

const leftovers = ({ store, chatId }: World) =>
  Promise.all([store.listBranches(chatId), store.listCheckpoints(chatId), store.getEvents(chatId)])

/** Steps that are refused when they come a second time; the others say the same again. */
const once = new Set<Step['kind']>(['append', 'open-branch', 'queue-run', 'finish-run', 'remove-checkpoint'])

/** A change that was committed arrives again. Whatever it was, the chat is as before. */
const redeliver = chatCommand('redeliver', index, async (index, _chat, world) => {
  const latest = world.delivered.at(-1)
  if (!latest) return
  const unrepeatable = world.delivered.filter(({ steps }) => steps.some(({ kind }) => once.has(kind)))
  const isLatest = unrepeatable.length === 0 || index === 0
  const change = isLatest ? latest : pick(unrepeatable, index)
  const refused = change.steps.some(({ kind }) => once.has(kind))
  // a removed checkpoint may have been saved again since
  if (change !== latest && change.steps.some(({ kind }) => kind === 'remove-checkpoint')) return
  await outcome(refused ? Error : undefined, world.store.commit(structuredClone(change)))
})

/** Someone else finds nothing. */
const intrude = chatCommand('intrude', fc.constant(null), async (_, _chat, { store, chatId }) => {
  const other = new ContextEngine({ store, chatId, userId: newId() })
  await expect(other.set(user('let me in')).save()).rejects.toBeInstanceOf(NotFoundError)
  expect(await store.deleteChat(chatId, { userId: newId() })).toBe(false)
})

export const refCommands: WeightedCommands = [
  { weight: 4, arbitrary: rename },
  { weight: 2, arbitrary: title },
  { weight: 4, arbitrary: archive },
  { weight: 1, arbitrary: removeCheckpoint },
  { weight: 2, arbitrary: updateChat },
  { weight: 1, arbitrary: deleteChat },
  { weight: 6, arbitrary: redeliver },
  { weight: 1, arbitrary: intrude },
]
