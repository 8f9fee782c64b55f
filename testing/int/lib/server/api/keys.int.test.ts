import { expect, it } from 'vitest'
import { signOutEverywhere } from '@/lib/server/api/access'
import { readGraph, watchChat } from '@/lib/server/api/chats'
import { createThread } from '@/lib/server/api/commands'
import { createKey, listKeys, revokeKey } from '@/lib/server/api/keys'
import { listThreads, readEvents } from '@/lib/server/api/threads'
import { type Person, useApi } from '@/testing/worlds/api-world'
import { EventStream } from '@/testing/worlds/event-stream'
import { onOneDatabase } from '@/testing/worlds/open-stores'

onOneDatabase('API keys', ({ name }) => {
  const api = useApi(name)
  /** A script with a new key, which has no cookie and comes from the page of another site. */
  const scriptOf = async ({ ask }: Person, asked: object = {}) => {
    const { status, body, text } = await ask(createKey, { body: { name: 'script', ...asked } })
    expect(status, text).toBe(201)
    const bearer = { authorization: `Bearer ${body.key}` }
    return { ...body, bearer, ...api.caller({ ...bearer, origin: 'https://elsewhere.example' }) }
  }
  const begin = async ({ ask }: Person) => (await ask(createThread, { body: {} })).body

  it('given a key, then it does what its owner can, until it is revoked', async () => {
    const [ada, bob] = [await api.person(), await api.person()]
    const { chat_id } = await begin(ada)
    const script = await scriptOf(ada, { name: ' nightly ' })
    const { id, key } = script
    expect(key).toMatch(/^rk_[\w-]{43}$/)
    const keys = async () => (await ada.ask(listKeys)).body.keys
    expect(await keys()).toEqual([
      {
        id,
        name: 'nightly',
        hint: key.slice(0, 8),
        scopes: ['read', 'write'],
        created_at: expect.any(String),
        expires_at: null,
        last_used_at: null,
      },
    ])
    expect((await script.ask(listThreads)).body.threads).toHaveLength(1)
    expect((await script.ask(createThread, { body: {} })).status).toBe(201)
    expect((await script.ask(readGraph, { id: chat_id })).status).toBe(200)
    expect((await keys())[0].last_used_at).toEqual(expect.any(String))
    // a cookie alone from there is refused
    const headers = { origin: 'https://elsewhere.example' }
    expect((await ada.ask(createThread, { headers, body: {} })).status).toBe(403)
    // a wrong key is refused, also beside a good cookie; what a proxy may add is ignored
    for (const authorization of ['Bearer rk_wrong', 'Bearer', `Bearer ${key}x`, 'Bearer rk_%00'])
      for (const { ask } of [api.caller(), ada])
        expect((await ask(listThreads, { headers: { authorization } })).status, authorization).toBe(401)
    expect((await ada.ask(listThreads, { headers: { authorization: 'Basic eDp5' } })).status).toBe(200)

    const refused = await bob.ask(revokeKey, { id })
    expect([refused.status, refused.text]).toEqual([404, (await bob.ask(revokeKey, { id: 'none' })).text])
    expect((await bob.ask(listKeys)).body.keys).toEqual([])
    expect((await script.ask(listThreads)).status).toBe(200)
    expect((await ada.ask(revokeKey, { id })).status).toBe(204)
    expect((await ada.ask(revokeKey, { id })).status).toBe(404)
    expect((await script.ask(listThreads)).status).toBe(401)
    expect((await script.ask(createThread, { body: {} })).status).toBe(401)
  })

  it('given scopes and an end, then a key does no more, and makes no key that can', async () => {
    const ada = await api.person()
    const [soon = '', later = ''] = [1, 2].map((hours) =>
      new Date(Date.now() + hours * 3_600_000).toISOString(),
    )
    const reads = await scriptOf(ada, { scopes: ['read'] })
    const writes = await scriptOf(ada, { scopes: ['write'] })
    const passing = await scriptOf(ada, { expires_at: soon })
    expect((await reads.ask(listThreads)).status).toBe(200)
    for (const refused of [
      await reads.ask(createThread, { body: {} }),
      await reads.ask(createKey, { body: { name: 'mine' } }),
      await reads.ask(revokeKey, { id: 'any' }),
    ])
      expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect((await writes.ask(createThread, { body: {} })).status).toBe(201)
    expect((await writes.ask(listThreads)).status).toBe(403)
    expect((await ada.ask(listThreads)).body.threads).toHaveLength(1)

    // what a key makes ends with it, at the latest
    const child = (more: object) => ({ body: { name: 'child', ...more } })
    expect((await passing.ask(createKey, child({}))).body).toMatchObject({ expires_at: soon })
    for (const [key, more] of [
      [passing, { expires_at: later }],
      [passing, { expires_at: later, scopes: ['read'] }],
      [writes, { scopes: ['read', 'write'] }],
    ] as const)
      expect((await key.ask(createKey, child(more))).status, JSON.stringify(more)).toBe(403)
    for (const wrong of [
      ...[{ scopes: [] }, { scopes: ['admin'] }, { expires_at: 'tomorrow' }, { name: 'a\u0000b' }],
      ...[{ expires_at: '2020-01-01T00:00:00Z' }, { name: '' }, { name: ' ' }, { name: 'x'.repeat(101) }],
      { name: 7 },
    ])
      expect((await ada.ask(createKey, child(wrong))).status, JSON.stringify(wrong)).toBe(400)
  })

  it('given streams by a key and by a session, when that ends, then they have ended by the answer', async () => {
    const ada = await api.person()
    const { thread_id, chat_id } = await begin(ada)
    const script = await scriptOf(ada)
    const { cookie } = ada.browser
    const follow = async (asked: Parameters<typeof api.respond>) =>
      EventStream.of(await api.respond(...asked))
    const live = (headers: Record<string, string>) =>
      follow([watchChat, { query: `?chat=${chat_id}&since=0`, headers }])
    const events = { accept: 'text/event-stream', ...script.bearer }
    const byKey = [await follow([readEvents, { id: thread_id, headers: events }]), await live(script.bearer)]
    const bySession = await live({ cookie })
    let isOver = false
    const over = bySession.ended().then(() => {
      isOver = true
    })
    expect((await ada.ask(revokeKey, { id: script.id })).status).toBe(204)
    await Promise.all(byKey.map((stream) => stream.ended()))
    expect(isOver).toBe(false)
    expect((await ada.ask(signOutEverywhere, { body: {} })).body).toEqual({ ended: 1 })
    await over
    expect((await api.caller({ cookie }).ask(listThreads)).status).toBe(401)
  })
})
