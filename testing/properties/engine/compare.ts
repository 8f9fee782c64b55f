import { expect } from 'vitest'
import { type MessageData, messageText } from '@/lib/context'
import { chainOf, type Model, type ModelChat, type ModelMessage } from './model'
import type { World } from './world'

/** Then the store holds what the model says: refs and chains with new ids, or `everything` with all bodies. */
export async function compare(model: Model, world: World, everything: boolean): Promise<void> {
  const { chat } = model
  const { store, chatId } = world
  const stored = await store.getChat(chatId)
  expect(stored !== undefined, 'the chat exists').toBe(chat !== undefined)
  if (!chat) return
  expect({ title: stored?.title, metadata: stored?.metadata }).toEqual({
    title: chat.title,
    metadata: chat.metadata,
  })

  const branches = await store.listBranches(chatId)
  expect(branches.map(({ name }) => name).sort()).toEqual(chat.branches.map(({ name }) => name).sort())
  expect(branches.filter(({ isActive }) => isActive).map(({ name }) => name)).toEqual([chat.active.name])
  for (const real of branches) {
    const branch = chat.branches.find(({ name }) => name === real.name)
    if (!branch) throw new Error(`no branch "${real.name}"`)
    branch.id ??= real.id
    const expected = chainOf(branch.head)
    if (everything || expected.some(({ id }) => id === undefined)) {
      const chain = real.headMessageId === null ? [] : await store.getMessageChain(chatId, real.headMessageId)
      compareChain(chat, expected, chain)
    }
    const { id, name, headMessageId, title, archivedAt, contextId: context } = real
    const shown = { id, head: headMessageId, title, archived: archivedAt !== null, context }
    expect(shown, `branch ${name}`).toEqual({
      id: branch.id,
      head: branch.head?.id ?? null,
      title: branch.title,
      archived: branch.archived,
      context: branch.context,
    })
  }

  const checkpoints = await store.listCheckpoints(chatId)
  expect(Object.fromEntries(checkpoints.map(({ name, messageId }) => [name, messageId]))).toEqual(
    Object.fromEntries([...chat.checkpoints].map(([name, { id }]) => [name, id])),
  )
  if (everything) await compareMessages(chat, world)
}

/** The same texts in the same order; an id the engine made up is remembered, and must be new. */
function compareChain(chat: ModelChat, expected: ModelMessage[], chain: MessageData[]): void {
  expect(chain.map(said)).toEqual(expected.map(({ role, text }) => ({ role, text })))
  for (const [index, message] of expected.entries()) {
    const id = chain[index]?.id
    if (message.id === undefined && id !== undefined) {
      expect(chat.messages, 'a made-up id is new').not.toContainEqual(expect.objectContaining({ id }))
      message.id = id
    }
    expect(id).toBe(message.id)
  }
}

/** The same messages, in the order they were written; and every body is what it was when it was first seen. */
async function compareMessages(chat: ModelChat, world: World): Promise<void> {
  const stored = await world.store.getMessages(world.chatId)
  expect(
    stored.map(({ id, parentId: parent, contextId: context = null, ...message }) => ({
      id,
      parent,
      ...said(message),
      context,
    })),
  ).toEqual(
    chat.messages.map(({ id, parent, role, text, context }) => ({
      id,
      parent: parent?.id ?? null,
      role,
      text,
      context,
    })),
  )
  for (const { id, data } of stored) expect(data).toMatchObject({ id })
  const bodies = new Map(stored.map(({ id, data }) => [id, JSON.stringify(data)]))
  for (const [id, body] of world.bodies) expect(bodies.get(id), `the body of ${id}`).toBe(body)
  for (const [id, body] of bodies) world.bodies.set(id, body)
}

const said = ({ name, data }: Pick<MessageData, 'name' | 'data'>) => ({ role: name, text: messageText(data) })
