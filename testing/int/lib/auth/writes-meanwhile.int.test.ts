import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { Change, Step } from '@/lib/context'
import { newId } from '@/lib/events'
import { DrizzleContextStore, forgetPerson, forgetSilentGuests, Imports, moveBelongings } from '@/lib/store'
import { queryIn } from '@/lib/store/commit/append'
import { heldTransaction, untilEndedOrWaiting } from '@/testing/worlds/held-transaction'
import { onPostgres, openedStore } from '@/testing/worlds/open-stores'

const DAY = 86_400_000

onPostgres('what a person writes while everything of theirs moves or goes', () => {
  const opened = openedStore()
  const db = () => opened.database

  const guestOf = (days: number) => opened.person({ guest: true, days })
  /** A chat with a question, written to so many days ago. */
  const chatOf = async (userId: string, days = 0) => {
    const [chatId, branchId, question] = [newId(), newId(), said()]
    await opened.store.commit({
      chatId,
      at: Date.now(),
      create: { userId, branchId },
      steps: [{ kind: 'append', branchId, expectedHead: null, messages: [question] }],
    })
    const at = new Date(Date.now() - days * DAY).toISOString()
    await db().query('update chats set updated_at = $2 where id = $1', [chatId, at])
    return { chatId, branchId, head: question.id }
  }
  const said = () => ({
    id: newId(),
    name: 'user',
    type: 'message',
    data: {},
    preview: '',
    createdAt: Date.now(),
  })
  /** Writes a change within a transaction. */
  const write = (tx: Parameters<typeof queryIn>[0], change: Change) =>
    new DrizzleContextStore({ ...db(), query: queryIn(tx) }).commit(change)
  /** Does something while a change is written, which is committed once that waits for it, or is done. */
  const whileWriting = async <T>(change: Change, act: () => Promise<T>): Promise<T> => {
    const commit = await heldTransaction(db(), (tx) => write(tx, change))
    const acting = act()
    await untilEndedOrWaiting(db(), acting)
    await commit()
    return acting
  }
  const newChat = (userId: string) => {
    const chatId = newId()
    return { chatId, at: Date.now(), create: { userId, branchId: newId(), branchName: 'main' }, steps: [] }
  }
  const ownersOf = async (...ids: string[]) => {
    const owners = 'select id, user_id as owner from chats where id = any ($1)'
    const rows = await db().query<{ id: string; owner: string }>(owners, [ids])
    return ids.map((id) => rows.find((row) => row.id === id)?.owner)
  }

  it('given a chat that a guest is creating, when the guest signs in, then the account has it', async () => {
    const [guest, account] = [await guestOf(0), await guestOf(0)]
    const { chatId: known } = await chatOf(guest)
    const change = newChat(guest)
    await whileWriting(change, () => moveBelongings(db(), guest, account))
    expect(await ownersOf(known, change.chatId)).toEqual([account, account])
    // what comes later is refused, and does not become a chat that nobody can reach
    await expect(opened.store.commit(newChat(guest))).rejects.toThrow()
  })

  it('given a guest of long ago who writes at this moment, when silent guests are deleted, then the guest and the chat stay', async () => {
    const guest = await guestOf(60)
    const { chatId, branchId, head } = await chatOf(guest, 40)
    const steps: Step[] = [{ kind: 'append', branchId, expectedHead: head, messages: [said()] }]
    const change = { chatId, ownerId: guest, at: Date.now(), steps }
    await whileWriting(change, () => forgetSilentGuests(db()))
    expect(await ownersOf(chatId)).toEqual([guest])
  })

  it('given a guest of long ago who imports old chats today, when silent guests are deleted, then the guest and the chats stay', async () => {
    const guest = await guestOf(60)
    const { chatId } = await chatOf(guest, 400)
    const file = { id: newId(), name: 'export.json', size: 2, source: 'chatgpt' }
    await new Imports(db(), () => undefined).begin(guest, file, { perPerson: 5, inAll: 500 })
    for (let round = 0; round < 3; round++) await forgetSilentGuests(db())
    expect(await ownersOf(chatId)).toEqual([guest])
  })

  it('given a reply that is asked for at this moment, when the person is deleted, then the reply is told to stop', async () => {
    const person = await guestOf(0)
    const { chatId, branchId, head } = await chatOf(person)
    const question = said()
    const run = { runId: newId(), branchId, replyTo: question.id, replyId: newId(), model: 'demo:demo' }
    const steps: Step[] = [
      { kind: 'append', branchId, expectedHead: head, messages: [question] },
      { kind: 'queue-run', ...run },
    ]
    const change = { chatId, ownerId: person, at: Date.now(), steps }
    expect(await whileWriting(change, () => forgetPerson(db(), person))).toBe(true)
    const stopping = 'select stop_at is not null as stopping from runs where id = $1'
    expect(await db().query(stopping, [run.runId])).toEqual([{ stopping: true }])
  })

  it('given a person who writes in a chat that an import adds to, when both count what the person has, then neither waits for the other in a circle', async () => {
    const owner = await guestOf(0)
    const { chatId } = await chatOf(owner)
    const imports = new Imports(db(), () => undefined, { limits: { bytes: 1e9 }, onRefused: () => undefined })
    const file = { id: newId(), name: 'export.json', size: 2, source: 'chatgpt' }
    await imports.begin(owner, file, { perPerson: 5, inAll: 500 })
    await imports.upload(file.id, Readable.from([Buffer.from('[]')]))
    const claimed = await imports.claim(60_000)
    if (!claimed) throw new Error('no import to work on')
    const title = (text: string) => [{ kind: 'update-chat' as const, title: text }]
    const of = { chatId, ownerId: owner, at: Date.now() }
    const quota = sql`insert into quota_person (user_id) values (${owner}) on conflict (user_id) do update set chats = null`

    const [written, counting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const writing = db().orm.transaction(async (tx) => {
      await write(tx, { ...of, steps: title('by the person') })
      written.resolve()
      await counting.promise
      await tx.execute(quota)
    })
    await written.promise
    const step = { place: 1, chatsImported: 1, chatsUnchanged: 0, chatsLeft: 0, problemCount: 0 }
    const messages = { messagesFound: 0, messagesImported: 0, messagesSkipped: 0 }
    const progress = { ...step, ...messages, problems: [], chats: [] }
    const changes = [newChat(owner), { ...of, steps: title('by the import') }]
    const advancing = imports.advance(claimed, progress, changes, 60_000)
    await untilEndedOrWaiting(db(), advancing)
    counting.resolve()
    await writing
    expect(await advancing).toBe(true)
    await imports.end(claimed, 'done')
  })
})
