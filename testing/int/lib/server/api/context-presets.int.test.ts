import { expect, it } from 'vitest'
import { createThread } from '@/lib/server/api/commands'
import { changePreset, createPreset, listPresets, removePreset } from '@/lib/server/api/context-presets'
import { listContexts } from '@/lib/server/api/contexts'
import { fanOut } from '@/lib/server/api/verbs/fan-out'
import { useApi } from '@/testing/worlds/api-world'
import { onServedDatabase } from '@/testing/worlds/open-stores'

const content = {
  fragments: [{ id: 'f1', name: 'role', data: 'You are a pirate.', enabled: true }],
  renderer: 'toml',
  settings: { temperature: 0.2 },
}

onServedDatabase('context presets', ({ name }) => {
  const api = useApi(name)

  const person = async () => {
    const { id: owner, ask } = await api.person()
    return {
      owner,
      ask,
      list: async () => (await ask(listPresets)).body.presets as { id: string; name: string }[],
      create: (body: unknown) => ask(createPreset, { body }),
      change: (id: string, body: unknown) => ask(changePreset, { id, body }),
      remove: (id: string) => ask(removePreset, { id }),
      fanOut: (body: unknown) => ask(fanOut, { body }),
    }
  }

  /** Stores the person's preset again, until there are so many of it. */
  const copies = ({ owner }: { owner: string }, all: number) =>
    api.query(
      `insert into context_presets (id, user_id, name, content) select id || n, user_id, name || n, content
      from context_presets, generate_series(2, $2::int) n where user_id = $1`,
      owner,
      all,
    )

  it('given a saved preset, then it is listed by name, changed in part, and deleted', async () => {
    const ada = await person()
    const made = await ada.create({ name: ' Pirate ', content })
    expect(made).toMatchObject({ status: 201, body: { name: 'Pirate', content } })
    await ada.create({ name: 'Monk', content: { fragments: [] } })
    expect((await ada.list()).map((preset) => preset.name)).toEqual(['Monk', 'Pirate'])
    const renamed = await ada.change(made.body.id, { name: 'Captain' })
    expect(renamed.body).toMatchObject({ name: 'Captain', content })
    const emptied = await ada.change(made.body.id, { content: { fragments: [] } })
    expect(emptied.body).toMatchObject({ name: 'Captain', content: { fragments: [] } })
    expect((await ada.remove(made.body.id)).status).toBe(204)
    expect((await ada.list()).map((preset) => preset.name)).toEqual(['Monk'])
  })

  it('given another person, then a preset of theirs is as unknown as one that never was', async () => {
    const [ada, bob] = [await person(), await person()]
    const { id } = (await ada.create({ name: 'Pirate', content })).body
    expect(await bob.list()).toEqual([])
    expect(await bob.change(id, { name: 'Mine' })).toEqual(await bob.change('never', { name: 'Mine' }))
    expect(await bob.remove(id)).toEqual(await bob.remove('never'))
    expect((await bob.remove(id)).status).toBe(404)
    expect((await ada.list()).map((preset) => preset.name)).toEqual(['Pirate'])
  })

  it('given presets, when a message is fanned out to them by command, then a thread is asked with each, and one of another person is none', async () => {
    const [ada, bob] = [await person(), await person()]
    const { chat_id, thread_id } = (await ada.ask(createThread, { body: {} })).body
    const pirate = (await ada.create({ name: 'Pirate', content })).body.id
    const monk = { fragments: [{ name: 'role', data: 'You are a monk.' }] }
    const presets = [pirate, (await ada.create({ name: 'Monk', content: monk })).body.id]
    const theirs = (await bob.create({ name: 'Pirate', content })).body.id

    const refused = await ada.fanOut({ thread_id, content: 'Hello', presets: [pirate, theirs] })
    expect(refused).toMatchObject({ status: 400, body: { code: 'unknown_preset' } })
    const { status, body } = await ada.fanOut({ thread_id, content: 'Hello', presets })

    expect(status).toBe(201)
    const asked = body.threads as { thread_id: string; context_id: string }[]
    const { contexts } = (await ada.ask(listContexts, { id: chat_id })).body
    for (const [at, word] of ['pirate', 'monk'].entries()) {
      expect(contexts).toContainEqual({
        context_id: asked[at]?.context_id,
        branch_ids: [asked[at]?.thread_id],
        fragments: 1,
        memories: 0,
        tokens: expect.any(Number),
        opening: `You are a ${word}.`,
      })
    }
  })

  it('given what is no preset, then it is refused', async () => {
    const ada = await person()
    for (const body of [
      ...[{ name: '', content }, { name: 'x'.repeat(101), content }, { name: 'Pirate' }],
      { name: 'Pirate', content: { ...content, memories: [] } },
      { name: 'Pirate', content: { fragments: [{ name: '1 role', data: '' }] } },
    ])
      expect((await ada.create(body)).status).toBe(400)
    expect(await ada.list()).toEqual([])
  })

  it('given a hundred presets made at once, then there is no room for another, and a deleted one makes room', async () => {
    const ada = await person()
    await ada.create({ name: 'p', content })
    await copies(ada, 98)
    const last = await Promise.all([1, 2, 3, 4].map((n) => ada.create({ name: `last ${n}`, content })))
    expect(last.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    const full = await ada.create({ name: 'more', content })
    expect(full.body).toMatchObject({ code: 'too_many_presets', used: 100 })
    const [first] = await ada.list()
    await ada.remove(first?.id ?? '')
    expect((await ada.create({ name: 'more', content })).status).toBe(201)
  })

  it('given presets of four million characters, then there is no room for another', async () => {
    const ada = await person()
    const data = 'x'.repeat(250_000)
    const large = { fragments: [{ id: 'f1', name: 'role', data, enabled: true }] }
    expect((await ada.create({ name: 'p', content: large })).status).toBe(201)
    await copies(ada, 14)
    expect((await ada.create({ name: 'last', content: large })).status).toBe(201)
    expect((await ada.create({ name: 'more', content: large })).body.code).toBe('presets_too_large')
    const [first] = await ada.list()
    // a change in its own place has room
    expect((await ada.change(first?.id ?? '', { content: large })).status).toBe(200)
  })
})
