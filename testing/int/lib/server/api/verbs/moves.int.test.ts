import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import type { Graph } from '@/lib/protocol'
import { readGraph } from '@/lib/server/api/chats'
import type { Operation } from '@/lib/server/api/operation'
import * as moves from '@/lib/server/api/verbs/moves'
import { useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'

onOneDatabase('moves of threads over HTTP', ({ name }) => {
  const api = useApi(name)

  /** A person in a browser, with a chat that has a question and a reply on main. */
  const personWithChat = async () => {
    const { id: owner, ask } = await api.person()
    const { chatId: chat, main, say } = await storedChat(api.services.store, owner)
    const [q1 = '', a1 = ''] = await say(main, null, ['A question', 'A reply'])
    const send = (operation: Operation, body: object, key?: string) =>
      ask(operation, { body, ...(key && { headers: { 'idempotency-key': key } }) })
    const read = async (operation: Operation) => (await ask(operation, { id: chat })).body
    const graph = async () => {
      const { branches, checkpoints, activeBranchId }: Graph = await read(readGraph)
      return {
        open: branches.find(({ id }) => id === activeBranchId)?.name,
        branches: branches.map((one) => (one.archivedAt === null ? one.name : `(${one.name})`)),
        checkpoints: checkpoints.map(({ name, messageId }) => [name, messageId]),
      }
    }
    return { chat, main, q1, a1, send, read, graph }
  }

  it('given a key, when the same move is sent again, then it is made once; with another body it is refused', async () => {
    const { main, q1, send, graph } = await personWithChat()
    const body = { thread_id: main, message_id: q1, name: 'once' }
    const first = await send(moves.rewindThread, body, 'the-key')
    const again = await send(moves.rewindThread, body, 'the-key')
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(await graph()).toMatchObject({ branches: ['main', 'once'] })
    const other = await send(moves.rewindThread, { ...body, name: 'twice' }, 'the-key')
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_mismatch' } })
    const taken = await send(moves.renameThread, { thread_id: main, name: 'once' })
    expect(taken).toMatchObject({ status: 409, body: { code: 'name_taken' } })
  })

  it('given another person’s thread or message, when a move names it, then it looks as if it were missing, and nothing changes', async () => {
    const [ada, bob] = [await personWithChat(), await personWithChat()]
    const before = await ada.graph()
    const stranger: [Operation, object][] = [
      [moves.switchThread, {}],
      [moves.rewindThread, { message_id: ada.q1 }],
      [moves.renameThread, { name: 'mine' }],
      [moves.archiveThread, {}],
      [moves.archiveThread, { switch_to: bob.main }],
      [moves.unarchiveThread, {}],
      [moves.saveCheckpoint, { message_id: ada.q1, name: 'mine' }],
      [moves.removeCheckpoint, { name: 'mine' }],
      [moves.restoreCheckpoint, { name: 'mine' }],
    ]
    for (const [operation, body] of stranger) {
      const foreign = await bob.send(operation, { thread_id: ada.main, ...body })
      const missing = await bob.send(operation, { thread_id: newId(), ...body })
      expect(foreign, operation.id).toMatchObject({ status: 404, text: missing.text })
    }
    for (const [operation, body] of [
      [moves.rewindThread, { message_id: ada.q1 }],
      [moves.saveCheckpoint, { message_id: ada.q1, name: 'mine' }],
      [moves.archiveThread, { switch_to: ada.main }],
    ] as const) {
      expect((await bob.send(operation, { thread_id: bob.main, ...body })).status, operation.id).toBe(404)
    }
    expect(await ada.graph()).toEqual(before)
    expect(await bob.graph()).toMatchObject({ branches: ['main'], checkpoints: [] })
  })

  it('given names that cannot be, when a move gives them, then the words say why', async () => {
    const { main, q1, send } = await personWithChat()
    for (const [operation, body, status, code] of [
      [moves.renameThread, { name: '  ' }, 400, 'empty_name'],
      [moves.renameThread, { name: 'x'.repeat(201) }, 400, 'name_too_long'],
      [moves.renameThread, { name: 'a\0b' }, 400, 'invalid'],
      [moves.renameThread, { name: 5 }, 400, 'invalid'],
      [moves.archiveThread, {}, 409, 'branch_active'],
      [moves.switchThread, { activate: true }, 400, 'invalid'],
      [moves.saveCheckpoint, { message_id: q1, name: '' }, 400, 'empty_name'],
    ] as const) {
      const refused = await send(operation, { thread_id: main, ...body })
      expect([refused.status, refused.body.code], JSON.stringify(body)).toEqual([status, code])
    }
  })
})
