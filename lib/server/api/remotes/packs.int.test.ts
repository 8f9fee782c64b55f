import { expect, it } from 'vitest'
import { packStart, updatesLine } from '@/lib/conversations/exchange/pack-lines'
import { newId } from '@/lib/events'
import { type Person, useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { listMoves } from '../chats'
import { takeTurn } from '../turn'
import { undo } from '../verbs/undo'
import { fetchPack, pushPack, readRefs } from './packs'

onOneDatabase('the exchange of chats over HTTP', ({ name }) => {
  const api = useApi(name)

  const turn = (person: Person, id: string, text: string) =>
    person.ask(takeTurn, {
      body: {
        id,
        model: 'demo:demo',
        message: { id: newId(), role: 'user', parts: [{ type: 'text', text }] },
      },
    })
  const headOf = async (person: Person, id: string): Promise<string> =>
    (await person.ask(readRefs, { id })).body.branches[0].head_message_id
  const push = (person: Person, id: string, updates: object[], pack: string) =>
    person.ask(pushPack, {
      id,
      raw: `${updatesLine(updates as never)}\n${pack}`,
      headers: { 'content-type': 'application/x-ndjson' },
    })
  /** Given a chat of Ada with a turn, which Bob has too. */
  const given = async () => {
    const [ada, bob] = [await api.person(), await api.person()]
    const chatId = newId()
    await turn(ada, chatId, 'Where to?')
    const head = await headOf(ada, chatId)
    const pack = await ada.ask(fetchPack, { id: chatId, body: { want: [head] } })
    const pushed = await push(bob, chatId, [{ branch: 'main', old: null, new: head }], pack.text)
    expect(pushed).toMatchObject({
      status: 200,
      body: { updated: [{ branch: 'main', head_message_id: head }] },
    })
    return { ada, bob, chatId, head }
  }

  it('given a chat that was pushed, then refs tell the same heads and origin on both sides', async () => {
    const { ada, bob, chatId } = await given()
    const [ours, theirs] = [
      (await ada.ask(readRefs, { id: chatId })).body,
      (await bob.ask(readRefs, { id: chatId })).body,
    ]
    expect({ ...theirs, seq: 0, title: null }).toEqual({ ...ours, seq: 0, title: null })
  })

  it('given a turn more, when it is pushed, then its history says so, and Undo takes it back', async () => {
    const { ada, bob, chatId, head } = await given()
    await turn(ada, chatId, 'And then?')
    const next = await headOf(ada, chatId)
    const pack = await ada.ask(fetchPack, { id: chatId, body: { want: [next], have: [head] } })
    expect(pack.text.split('\n').filter((line) => line.startsWith('{"t":"message"'))).toHaveLength(2)
    const update = { branch: 'main', old: head, new: next }
    const first = await push(bob, chatId, [update], pack.text)
    expect(await headOf(bob, chatId)).toBe(next)
    const again = await push(bob, chatId, [update], pack.text)
    expect([again.status, again.body]).toEqual([first.status, first.body])
    const { moves } = (await bob.ask(listMoves, { id: chatId })).body
    expect(moves[0]).toMatchObject({ kind: 'move', move: 'receive', count: 2 })
    const undone = await bob.ask(undo, { body: { chat_id: chatId } })
    expect(undone.body).toMatchObject({ move: 'receive', says: 'received 2 messages' })
    expect(await headOf(bob, chatId)).toBe(head)
  })

  it('given both sides went on, when one pushes, then that is refused in words, and nothing moves', async () => {
    const { ada, bob, chatId, head } = await given()
    await turn(ada, chatId, 'More')
    await turn(bob, chatId, 'Less')
    const [next, theirs] = [await headOf(ada, chatId), await headOf(bob, chatId)]
    const pack = await ada.ask(fetchPack, { id: chatId, body: { want: [next], have: [head] } })
    const refused = await push(bob, chatId, [{ branch: 'main', old: head, new: next }], pack.text)
    expect([refused.status, refused.body.code]).toEqual([409, 'not_fast_forward'])
    expect(refused.body.detail).toContain('Pull them first')
    expect(await headOf(bob, chatId)).toBe(theirs)
  })

  it('given a chat of another person, then it is not found, as a missing one', async () => {
    const { ada } = await given()
    const chatId = newId()
    await turn(ada, chatId, 'Mine alone')
    const head = await headOf(ada, chatId)
    const stranger = await api.person()
    for (const ask of [
      (id: string) => stranger.ask(readRefs, { id }),
      (id: string) => stranger.ask(fetchPack, { id, body: { want: [head] } }),
    ]) {
      const [foreign, missing] = [await ask(chatId), await ask(newId())]
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(missing.text)
    }
  })

  it.each([
    ['nothing', ''],
    ['no JSON', 'no'],
    ['a list', '[]'],
    ['updates alone', updatesLine([{ branch: 'main', old: null, new: 'a' }])],
    ['an endless line', `{"t":"updates","x":"${'x'.repeat(33 * 1024 * 1024)}`],
    ['a line of many values', `[${'[],'.repeat(600_000)}[]]`],
    ['a line of many levels', '['.repeat(100_000)],
  ])('given a push of %s, then it is refused, and nothing is written', async (_, raw) => {
    const { bob, chatId, head } = await given()
    const headers = { 'content-type': 'application/x-ndjson' }
    const refused = await bob.ask(pushPack, { id: chatId, raw, headers })
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_pack'])
    expect(await headOf(bob, chatId)).toBe(head)
  })

  it('given updates in the header, then the first line is the pack’s', async () => {
    const lines = (async function* () {
      yield 'the pack'
    })()
    const said = JSON.stringify([{ branch: 'main', old: null, new: 'a' }])
    const { updates, lines: rest } = await packStart(lines, said)
    expect(updates).toEqual([{ branch: 'main', old: null, new: 'a' }])
    for await (const line of rest) expect(line).toBe('the pack')
  })
})
