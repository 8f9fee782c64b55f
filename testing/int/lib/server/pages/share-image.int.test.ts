import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeShare } from '@/lib/conversations'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime'
import { sharingPorts } from '@/lib/server/api/shares'
import { shareImage } from '@/lib/server/pages/share-image'
import { asProcess } from '@/testing/worlds/identity-world'
import { databaseEnv, onEachDatabase } from '@/testing/worlds/open-stores'

onEachDatabase('the picture of a link', ({ name }) => {
  let services: Services
  let database: Awaited<ReturnType<typeof databaseEnv>>
  beforeAll(async () => {
    database = await databaseEnv(name)
    services = await asProcess({
      ...database.env,
      BETTER_AUTH_SECRET: 'a-secret-for-these-tests-and-nothing-else',
    })
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await services?.database.close()
    await database?.remove()
  })

  /** The picture of a chat with one message, by its title. */
  const pictureOf = async (title: string): Promise<string> => {
    const [ownerId, chatId, branchId, id] = [newId(), newId(), newId(), newId()]
    await services.database.orm
      .insert(schema.user)
      .values({ id: ownerId, name: 'Ada', email: `${ownerId}@example.org` })
    const data = { id, role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
    const messages = [{ id, name: 'user', type: 'message', data, preview: 'Hello', createdAt: 1 }]
    await services.store.commit({
      ...{ chatId, ownerId, at: Date.now(), create: { userId: ownerId, branchId, title } },
      steps: [{ kind: 'append', branchId, expectedHead: null, messages }],
    })
    const made = await makeShare(sharingPorts(services, services.ports), {
      ...{ ownerId, chatId, branch: branchId, withGraph: false, follows: false },
    })
    const token = 'token' in made ? made.token : ''
    const request = new Request(`http://localhost:3000/s/${token}/opengraph-image`)
    const response = await shareImage(request, { params: Promise.resolve({ token }) })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    return Buffer.from(await response.arrayBuffer()).toString('base64')
  }

  it('given titles in several scripts, then those of the font are drawn, the others left out, and no other site is asked', async () => {
    const asked: string[] = []
    const fetching = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((...call) => {
      // the renderer loads its own modules in this way
      if (/^https?:/.test(String(call[0]))) asked.push(String(call[0]))
      return fetching(...call)
    })
    const [untitled, russian, ukrainian, vietnamese] = [
      await pictureOf('三日間'),
      await pictureOf('Три дня в Лиссабоне'),
      await pictureOf('Ґанок'),
      await pictureOf('Ở Hà Nội'),
    ]
    expect(new Set([untitled, russian, ukrainian, vietnamese]).size).toBe(4)
    expect(await pictureOf('A conversation')).toBe(untitled)
    // every letter of two blocks, of which the font lacks some
    const letters = Array.from({ length: 0x260 - 0xa0 }, (_, at) => String.fromCharCode(0xa0 + at))
    await pictureOf(letters.slice(0, 200).join(''))
    await pictureOf(letters.slice(200).join(''))
    await pictureOf('‘a’ ‚b‛ “c” ← 🐈 №')
    expect(asked).toEqual([])
  })
})
