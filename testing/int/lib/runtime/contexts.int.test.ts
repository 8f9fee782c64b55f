import { expect, it } from 'vitest'
import { ContextMovedError } from '@/lib/context'
import {
  changeContext,
  InvalidRequestError,
  readContext,
  readPrompt,
  restoreCheckpoint,
  rewind,
  saveCheckpoint,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { ContextChange } from '@/lib/protocol'
import { checkDatabase, rebuild } from '@/lib/store'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { type Ask, givenWorld, isHidden, putContext, sayTo } from '@/testing/worlds/turn-world'

onOneDatabase('the context of a branch', ({ name }) => {
  const { world, services } = givenWorld(name)

  /** Takes a turn to its end; answers its branch, the reply, and the system prompt and body of its request. */
  const say = async (turn: Ask) => {
    const { branchId, messages } = await sayTo(world, services, turn)
    const request = world.provider.requests.at(-1)
    const system = String(request?.messages.find(({ role }) => role === 'system')?.content)
    return { branchId, reply: messages.at(-1)?.id ?? '', request, system }
  }
  const read = (chatId: string, branch?: string) =>
    readContext(services.ports, { ownerId: 'ada', chatId, branch })
  const put = (chatId: string, change: ContextChange, branch?: string) =>
    changeContext(services.ports, { ownerId: 'ada', chatId, branch, change })
  const change = (chatId: string, parts: Parameters<typeof putContext>[2], branch?: string) =>
    putContext(services, chatId, parts, branch)
  const role = (data: string, more: object = {}) => ({ name: 'role', data, enabled: true, ...more })
  const memory = (key: string, text: string) => ({ key, text, message_id: null })
  const shown = async (chatId: string, message: string) =>
    (await readPrompt(services.ports, { ownerId: 'ada', chatId, message })).system

  it('given a chat, when its fragments are changed, then from the next turn on the model reads them, and earlier prompts stay', async () => {
    const chatId = newId()
    const first = await say({ chatId, text: 'One' })
    const fragments = [
      role('You are a pirate.', { id: 'who' }),
      { ...role('Speak French.'), name: 'hint', enabled: false },
      { name: 'term', data: { name: 'IC', definition: 'a <fast> train' }, enabled: true, group: 'Trains' },
    ]
    const changed = await change(chatId, { fragments, renderer: 'markdown', settings: { temperature: 0.2 } })
    const second = await say({ chatId, text: 'Two' })

    expect(second.system).toContain('You are a pirate.')
    expect(second.system).toContain('a <fast> train')
    expect(second.system).not.toContain('French')
    expect(second.request).toMatchObject({ temperature: 0.2 })
    expect(await shown(chatId, second.reply)).toBe(second.system)
    expect(await shown(chatId, first.reply)).toBe(first.system)
    // then it reads as it was written, with ids for what had none
    const now = await read(chatId)
    expect(now).toEqual(changed)
    expect(now.fragments).toMatchObject([
      { id: 'who', name: 'role', enabled: true },
      { id: expect.any(String), name: 'hint', enabled: false },
      { group: 'Trains', data: { name: 'IC', definition: 'a <fast> train' } },
    ])
  })

  it('given a changed context, when the chat is rewound, restored or forked to before, then the earlier one is in force there', async () => {
    const chatId = newId()
    const { reply, branchId } = await say({ chatId, text: 'One' })
    await saveCheckpoint(services.ports, { ownerId: 'ada', chatId, messageId: reply, name: 'start' })
    const before = await read(chatId)
    await change(chatId, { memories: [memory('diet', 'One of us is vegetarian.')] })
    const later = await say({ chatId, text: 'Two' })
    expect(later.system).toContain('vegetarian')

    const at = { ownerId: 'ada', chatId, branchId }
    const rewound = await rewind(services.ports, { ...at, messageId: reply })
    expect(await read(chatId, rewound.branchId)).toEqual(before)
    const elsewhere = await say({ chatId, branch: rewound.branchId, text: 'Instead' })
    expect(elsewhere.system).not.toContain('vegetarian')
    const restored = await restoreCheckpoint(services.ports, { ...at, name: 'start' })
    expect(await read(chatId, restored.branchId)).toEqual(before)
    const back = await rewind(services.ports, { ...at, messageId: later.reply })
    expect((await read(chatId, back.branchId)).memories).toEqual([memory('diet', 'One of us is vegetarian.')])
  })

  it('given a change, when the graph is read whole or since then, then it marks the message after it, and none for another model', async () => {
    const chatId = newId()
    const first = await say({ chatId, text: 'One' })
    const graph = () => services.ports.reads.graph(chatId, 'ada')
    const delta = (since = 0) => services.ports.reads.delta(chatId, 'ada', since)
    expect(await graph()).not.toHaveProperty('contextChanges')
    const { seq = 0 } = (await graph()) ?? {}
    await change(chatId, { fragments: [role('You are a pirate.')] })
    await say({ chatId, text: 'Two' })
    await say({ chatId, text: 'Three', model: 'demo:demo' })
    const after = await graph()
    const two = after?.nodes.find(({ preview }) => preview === 'Two')?.id
    expect(after?.contextChanges).toEqual([two])
    expect((await delta(seq))?.contextChanges).toEqual([two])
    expect(await delta(after?.seq)).not.toHaveProperty('contextChanges')
    // back before the change, nothing has changed
    const at = { ownerId: 'ada', chatId, branchId: first.branchId }
    const rewound = await rewind(services.ports, { ...at, messageId: first.reply })
    await say({ chatId, branch: rewound.branchId, text: 'Instead' })
    expect((await graph())?.contextChanges).toEqual([two])
  })

  it('given two tabs on one context, when both change it, then the second is told, and nothing is written', async () => {
    const chatId = newId()
    await say({ chatId, text: 'One' })
    const { context_id: expected_context_id } = await read(chatId)
    const mine = { expected_context_id, fragments: [role('Mine')] }
    const first = await put(chatId, { ...mine, fragments: [role('Theirs', { id: 'a' })] })
    await expect(put(chatId, mine)).rejects.toThrow(ContextMovedError)
    expect(await read(chatId)).toEqual(first)
    // the same change again is no other one
    expect(await put(chatId, { ...mine, fragments: [role('Theirs', { id: 'a' })] })).toEqual(first)
  })

  it('given a reply that is being written, when the context changes, then it stays changed, and the reply’s prompt is as it was', async () => {
    const chatId = newId()
    await say({ chatId, text: 'One' })
    let changed: Awaited<ReturnType<typeof change>> | undefined
    world.answer = async () => {
      changed = await change(chatId, { fragments: [role('Changed meanwhile')] })
      return 'Done.'
    }
    const { reply, system } = await say({ chatId, text: 'Two' }).finally(() => {
      world.answer = () => 'Noted.'
    })

    expect(await read(chatId)).toEqual(changed)
    expect(system).not.toContain('Changed meanwhile')
    expect(await shown(chatId, reply)).toBe(system)
    expect((await say({ chatId, text: 'Three' })).system).toContain('Changed meanwhile')
  })

  it('given a changed context, when the last question is edited or asked again, then it is in force; of an earlier one its own', async () => {
    const chatId = newId()
    const [one, two] = [newId(), newId()]
    const { branchId: branch } = await say({ chatId, text: 'One', id: one })
    await say({ chatId, text: 'Two', id: two })
    await change(chatId, { fragments: [role('Be a pirate')] })

    const retried = await say({ chatId, branch, trigger: 'regenerate-message' })
    expect(retried.system).toContain('Be a pirate')
    const edited = await say({ chatId, branch, messageId: two, text: 'Two, edited' })
    expect(edited.system).toContain('Be a pirate')
    const earlier = await say({ chatId, branch, messageId: one, text: 'One, edited' })
    expect(earlier.system).not.toContain('Be a pirate')
  })

  it('given another model for one turn, then fragments, memories and settings go on with it', async () => {
    const chatId = newId()
    await say({ chatId, text: 'One' })
    const before = await change(chatId, { memories: [memory('name', 'Ada')], settings: { top_p: 0.5 } })
    await say({ chatId, text: 'Two', model: 'demo:demo' })
    const { context_id, ...now } = await read(chatId)
    expect(now).toEqual({ ...before, context_id: undefined, model: 'demo:demo' })
    expect(context_id).not.toBe(before.context_id)
  })

  it('given what cannot be a context, then it is refused in words, and nothing changes', async () => {
    const chatId = newId()
    await say({ chatId, text: 'One' })
    const before = await read(chatId)
    let deep: unknown = 'x'
    for (let level = 0; level < 100; level++) deep = [deep]
    const nested = { name: 'hint', data: deep as string, enabled: true }
    await expect(change(chatId, { fragments: [nested] })).rejects.toThrow('nested deeper than 64 levels')
    await expect(change(chatId, { model: 'none:none' })).rejects.toThrow(InvalidRequestError)
    const imitated = { name: 'hint', data: { $fragment: { name: 7 } }, enabled: true }
    const imitating = change(chatId, { fragments: [imitated] })
    await expect(imitating).rejects.toThrow('The fragment "hint" cannot be read')
    await expect(change(chatId, {}, 'none')).rejects.toThrow('Branch "none" not found')
    await isHidden(services, chatId, (chat) => readContext(services.ports, chat))
    expect(await read(chatId)).toEqual(before)
  })

  it('given many changed contexts, then every invariant holds, and the log rebuilds the same', async () => {
    expect(await checkDatabase(services.database)).toEqual([])
    expect(await rebuild(services.database, { dry: true })).toMatchObject({ differences: 0 })
  })
})
