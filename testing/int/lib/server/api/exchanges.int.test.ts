import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { listMoves, readGraph } from '@/lib/server/api/chats'
import { createThread, sendMessage } from '@/lib/server/api/commands'
import * as exchanges from '@/lib/server/api/remotes/exchanges'
import { undo } from '@/lib/server/api/verbs/undo'
import { createSeal, Remotes } from '@/lib/store'
import { type Caller, useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { serveApi } from '@/testing/worlds/served-api'

onOneDatabase('the routes by which a server exchanges chats with a remote', ({ name }) => {
  const api = useApi(name, { RAMIFY_PRIVATE_ADDRESSES: 'on', RAMIFY_WORKER: 'off' })
  let served: Awaited<ReturnType<typeof serveApi>>

  beforeAll(async () => {
    served = await serveApi(api.services)
  })
  afterAll(() => served?.close())

  /** Given a person with a remote: another person's account stands for another server. */
  const given = async () => {
    const [home, work] = [await api.person(), await api.person()]
    const { key } = await work.script()
    const seal = createSeal('a-secret-for-these-tests-and-nothing-else')
    const remotes = new Remotes(api.services.database, () => seal)
    await remotes.add(home.id, { id: newId(), name: 'work', url: served.url, key })
    const { chat_id: chat, thread_id: thread } = (
      await home.ask(createThread, { body: { title: 'Three days' } })
    ).body
    await home.ask(sendMessage, { body: { thread_id: thread, content: 'In Lisbon?' } })
    await api.answerAll()
    const to = (verb: keyof typeof verbs, person = home) =>
      person.ask(verbs[verb], { id: 'work', body: { chat_id: chat } })
    return { home, work, chat, thread, to }
  }
  const verbs = {
    fetch: exchanges.fetchRemote,
    pull: exchanges.pullRemote,
    push: exchanges.pushRemote,
    clone: exchanges.cloneRemote,
  }
  /** A person says something where the chat opens, and is answered. */
  const say = async ({ ask }: Caller, chat: string, content: string) => {
    const { activeBranchId } = (await ask(readGraph, { id: chat })).body
    await ask(sendMessage, { body: { thread_id: activeBranchId, content } })
    await api.answerAll()
  }

  it('given a chat, when it is pushed and goes on there, then its state says so, and a pull brings it', async () => {
    const { home, work, chat, thread, to } = await given()
    const state = () => home.ask(exchanges.readRemoteState, { id: 'work', query: `?chat_id=${chat}` })
    expect((await state()).body.branches).toMatchObject([{ name: 'main', state: 'only_here', ahead: 2 }])
    expect((await to('push')).body).toMatchObject({ moved: ['main'], advice: null })
    await say(work, chat, 'By train?')
    expect((await to('fetch')).body).toMatchObject({
      received: 2,
      moved: [],
      branches: [{ name: 'main', state: 'behind', behind: 2 }],
    })
    expect((await state()).body.branches).toMatchObject([{ state: 'behind', behind: 2 }])
    expect((await to('pull')).body).toMatchObject({ moved: ['main'], branches: [{ state: 'equal' }] })
    // what was received and what a pull moved are lines of their own, and Undo takes the pull back
    expect((await home.ask(listMoves, { id: chat })).body.moves).toMatchObject([
      { move: 'receive', branchId: thread, count: 1 },
      { move: 'receive', name: 'work', count: 2 },
      {},
      {},
    ])
    const undone = await home.ask(undo, { body: { chat_id: chat } })
    expect(undone.body.says).toBe('pulled main')
    const clone = await to('clone')
    expect(clone.body).toMatchObject({ status: 409, code: 'cloned_already' })
  })

  it('given both sides that have gone on, then a push is refused with what to do, and a pull names what to merge', async () => {
    const { home, work, chat, thread, to } = await given()
    await to('push')
    await say(work, chat, 'By train?')
    await say(home, chat, 'By plane?')
    expect((await to('push')).body).toMatchObject({ status: 409, code: 'not_fast_forward' })
    expect((await to('pull')).body).toMatchObject({
      moved: [],
      branches: [{ name: 'main', state: 'diverged', ahead: 2, behind: 2 }],
      diverged: [{ name: 'main', source: 'work/main', target_thread_id: thread }],
      advice: 'Both sides have gone on with main. Merge work/main into main, then push.',
    })
  })

  it('given another person’s chat, or a remote of another person, then neither is found', async () => {
    const [ada, bob] = [await given(), await given()]
    const asked = { id: 'work', body: { chat_id: ada.chat } }
    for (const verb of ['fetch', 'pull', 'push'] as const)
      expect((await bob.home.ask(verbs[verb], asked)).body, verb).toMatchObject({
        status: 404,
        detail: 'Chat not found',
      })
    const of = { id: 'work', query: `?chat_id=${ada.chat}` }
    expect((await bob.home.ask(exchanges.readRemoteState, of)).status).toBe(404)
    const stranger = await api.person()
    for (const verb of ['fetch', 'pull', 'push', 'clone'] as const)
      expect((await stranger.ask(verbs[verb], asked)).body, verb).toMatchObject({
        status: 404,
        detail: 'Remote not found',
      })
    expect((await stranger.ask(exchanges.readRemoteState, of)).body.detail).toBe('Remote not found')
  })
})
