import { expect, it } from 'vitest'
import { newId, type Step } from '@/lib/events'
import { allOperations } from '@/lib/server/api'
import * as chats from '@/lib/server/api/chats'
import { readFile, uploadFile } from '@/lib/server/api/files'
import type { Operation } from '@/lib/server/api/operation'
import * as people from '@/lib/server/api/remotes/members'
import * as proposing from '@/lib/server/api/remotes/proposals'
import { readEvents } from '@/lib/server/api/threads'
import { takeTurn } from '@/lib/server/api/turn'
import { chatView } from '@/lib/server/pages/pages'
import { checkDatabase, forgetPerson } from '@/lib/store'
import { type Person, useApi } from '@/testing/worlds/api-world'
import { EventStream } from '@/testing/worlds/event-stream'
import { inRequestOf } from '@/testing/worlds/framework'
import { onEachDatabase } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'

type Role = 'reads' | 'proposes'

/** Within this time nothing more is told to a person who was removed, in ms. */
const A_SECOND = 1000

onEachDatabase('people of a chat', ({ name }) => {
  const api = useApi(name, { RAMIFY_READ_LIMIT: 'off', RAMIFY_WORKER: 'off' })

  const invite = async (owner: Person, chatId: string, more: object = {}) =>
    (await owner.ask(people.inviteMember, { id: chatId, body: { role: 'reads', ...more } })).body
  const take = (person: Person, token: string) => person.ask(people.takeInvitation, { id: token })
  /** Given Ada's chat of two turns, and Ben, whom she has let into it. */
  const given = async (role: Role = 'reads', chat: { called?: string } = {}) => {
    const [ada, ben] = [await api.person(), await api.person()]
    const there = await storedChat(api.services.store, ada.id, chat)
    const said = await there.say(there.main, null, ['Where to?', 'Lisbon.', 'And then?', 'Porto.'])
    const { token, id } = await invite(ada, there.called, { role })
    const taken = await take(ben, token)
    expect([taken.status, taken.body]).toEqual([200, { chat_id: id }])
    return { ada, ben, chat: there, said, id: id as string, token: token as string }
  }
  const peopleOf = async (person: Person, id: string) => (await person.ask(people.listMembers, { id })).body
  const sharedWith = async (person: Person) => (await person.ask(people.listSharedChats)).body.chats
  const remove = (person: Person, id: string, member: string) =>
    person.ask(people.removeMember, { id, within: { member_id: member } })
  const follow = async (person: Person, id: string) =>
    EventStream.of(
      await api.respond(chats.watchChat, {
        query: `?chat=${id}`,
        headers: { cookie: person.browser.cookie, host: 'localhost:3000' },
      }),
    )
  const page = (person: Person, id: string) =>
    inRequestOf({ headers: new Headers({ cookie: person.browser.cookie, host: 'localhost:3000' }) }, () =>
      chatView(id),
    )
  const isClean = async () => expect(await checkDatabase(api.services.database)).toEqual([])

  it('given a link that invites, when a person takes it, then the chat is among the chats shared with them, and they read it by an id of their own', async () => {
    const { ada, ben, chat, said, id } = await given('reads', { called: 'trip' })
    expect(await sharedWith(ben)).toMatchObject([
      { id, title: 'Three days', role: 'reads', owner: 'A guest' },
    ])
    const { body: window } = await ben.ask(chats.listChatMessages, { id })
    expect(window.messages.map((message: { id: string }) => message.id)).toEqual(said)
    const { body: graph } = await ben.ask(chats.readGraph, { id })
    expect([graph.chatId, graph.nodes.length]).toEqual([id, 4])
    expect((await page(ben, id))?.graph.chatId).toBe(id)
    // the owner's address opens it, too
    expect((await ben.ask(chats.readGraph, { id: chat.chatId })).body.chatId).toBe(id)
    for (const one of [ada, ben])
      expect(await peopleOf(one, one === ada ? 'trip' : id)).toMatchObject({
        owner: { is_you: one === ada },
        members: [{ id, name: 'A guest', role: 'reads', is_you: one === ben }],
        invitations: [],
      })
    expect(await sharedWith(ada)).toEqual([])
    const log = await ada.ask(readEvents, { id: chat.main })
    const added = await api.query<{ payload: object }>(
      `select payload from events where chat_id = $1 and type = 'MemberAdded'`,
      chat.chatId,
    )
    expect(log.status).toBe(200)
    expect(added).toEqual([{ payload: { member_id: id, name: 'A guest', role: 'reads' } }])
    await isClean()
  })

  it('given two chats that their owners call alike, when each is the other’s member, then both read their own under that id, and the other under the id of the membership', async () => {
    const { ada, ben, chat, id } = await given()
    const own = await storedChat(api.services.store, ben.id, { called: chat.chatId, chatId: newId() })
    await own.say(own.main, null, ['Only Ben says this'])
    const texts = async (asked: string) => (await ben.ask(chats.listChatMessages, { id: asked })).text
    expect(await texts(chat.chatId)).toContain('Only Ben')
    expect(await texts(id)).toContain('Lisbon')
    expect((await ada.ask(chats.listChatMessages, { id: chat.chatId })).text).toContain('Lisbon')
  })

  /** What a member may ask for in the chat, and the role that it takes; for all else the chat does not exist. */
  const open: Record<string, Role> = {
    listMembers: 'reads',
    copyChat: 'reads',
    readGraph: 'reads',
    readHistory: 'reads',
    listMoves: 'reads',
    listChatMessages: 'reads',
    followReply: 'reads',
    followReplies: 'reads',
    watchChat: 'reads',
  }

  it.each(['reads', 'proposes'] as const)(
    'given a person who %s, when every operation is asked for the chat and its branches, then those of the role answer, and all others as to a stranger',
    async (role) => {
      const { ada, ben, chat, said, id } = await given(role)
      const cleo = await api.person()
      const names = (operation: Operation) =>
        JSON.stringify([
          operation.path,
          operation.example ?? {},
          Object.keys(operation.input?.query?.shape ?? {}),
        ])
      const asked = allOperations.filter(
        (operation) =>
          (operation.names === 'Chat' ||
            operation.names === 'Thread' ||
            operation.path.includes('/chats/{id}')) &&
          /\{id\}|"chat"|chat_id|thread_id/.test(names(operation)),
      )
      expect(asked.length).toBeGreaterThan(40)

      /** A request that names a chat, a branch of it and a message. */
      const asking = (operation: Operation, of: { chat: string; thread: string; message: string }) => {
        const put = (value: unknown, key = ''): unknown => {
          if (Array.isArray(value)) return value.map((one) => put(one, key))
          if (typeof value === 'object' && value !== null)
            return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one, name)]))
          if (/chat_?ids?$/i.test(key)) return of.chat
          if (/thread_?ids?$/i.test(key)) return of.thread
          if (/message_?ids?$/i.test(key)) return of.message
          return value
        }
        const query = operation.input?.query?.shape ?? {}
        const words = [
          ...('chat' in query ? [`chat=${of.chat}`] : []),
          ...('q' in query ? ['q=Lisbon'] : []),
          ...('message' in query ? [`message=${of.message}`] : []),
        ]
        return {
          id: operation.names === 'Thread' ? of.thread : of.chat,
          within: { member_id: newId(), replay_id: newId(), bisect_id: newId() },
          ...(words.length > 0 && { query: `?${words.join('&')}` }),
          ...(operation.example && { body: put(operation.example) }),
        }
      }
      const answerTo = async (person: Person, operation: Operation, of: Parameters<typeof asking>[1]) => {
        const response = await api.respond(operation, {
          ...asking(operation, of),
          headers: { cookie: person.browser.cookie },
        })
        if (response.headers.get('content-type') === 'text/event-stream') {
          await response.body?.cancel()
          return `${response.status}`
        }
        const { code } = JSON.parse((await response.text()) || '{}')
        return `${response.status} ${code}`
      }
      const [first = ''] = said
      const unknown = () => ({ chat: newId(), thread: newId(), message: newId() })
      for (const operation of asked) {
        for (const called of [id, chat.chatId]) {
          const here = { chat: called, thread: chat.main, message: first }
          const answer = await answerTo(ben, operation, here)
          const needs = open[operation.id]
          const told = `${operation.id} by ${called === id ? 'the own id' : 'the key'}`
          if (needs) expect(Number(answer.slice(0, 3)), told).toBeLessThan(300)
          else if (operation.id !== takeTurn.id)
            expect(`${told}: ${answer}`).toBe(`${told}: ${await answerTo(ben, operation, unknown())}`)
          // to a stranger it never exists
          if (operation.id !== takeTurn.id)
            expect(`${told}: ${await answerTo(cleo, operation, here)}`).toBe(
              `${told}: ${await answerTo(cleo, operation, unknown())}`,
            )
        }
      }
      // nothing of the chat was changed
      expect((await ada.ask(chats.readGraph, { id: chat.chatId })).body.nodes).toHaveLength(4)
      await isClean()
    },
    60_000,
  )

  it('given a member, when they send a message under the id of the chat, then nothing is written, and no chat of their own hides it', async () => {
    const { ben, id, chat } = await given()
    for (const called of [id, chat.chatId]) {
      const message = { id: newId(), role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
      const sent = await ben.ask(takeTurn, { body: { id: called, model: 'demo:demo', message } })
      expect([sent.status, sent.body.code]).toEqual([404, 'not_found'])
    }
    expect((await ben.ask(chats.listChatMessages, { id })).body.messages).toHaveLength(4)
  })

  it('given a member who follows the chat, when they are removed, then they are told nothing later than a second after that', async () => {
    const { ada, ben, chat, said, id } = await given()
    const [left, stays] = [await follow(ben, id), await follow(ada, chat.chatId)]
    const first = await left.next()
    expect([first.event, first.data.chatId]).toEqual(['delta', id])
    await stays.next()
    const removed = performance.now()
    expect((await remove(ada, chat.chatId, id)).status).toBe(204)
    await chat.say(chat.main, said.at(-1) ?? null, ['A secret'])
    // its end is the last that it is told
    await left.ended()
    expect(performance.now() - removed).toBeLessThan(A_SECOND)
    expect((await stays.next()).event).toBe('delta')
    await stays.leave()
    expect((await ben.ask(chats.listChatMessages, { id })).status).toBe(404)
    expect(await page(ben, id)).toBeNull()
    expect(await sharedWith(ben)).toEqual([])
    await isClean()
  })

  it('given two members, when one leaves, then the chat is gone for that one alone, who cannot remove the other', async () => {
    const { ada, ben, chat, id } = await given()
    const cleo = await api.person()
    const { token, id: cleos } = await invite(ada, chat.chatId)
    await take(cleo, token)
    expect((await remove(ben, id, cleos)).status).toBe(404)
    expect((await remove(ben, id, id)).status).toBe(204)
    expect((await ben.ask(chats.readGraph, { id })).status).toBe(404)
    expect((await cleo.ask(chats.readGraph, { id: cleos })).status).toBe(200)
    expect((await peopleOf(ada, chat.chatId)).members).toMatchObject([{ id: cleos }])
  })

  it('given an invitation, when it is taken twice, taken back, over, or meant for another account, then it invites to nothing', async () => {
    const { ada, ben, chat, token, id } = await given()
    const cleo = await api.person()
    const refused = async (one: string) => {
      const answers = [await take(cleo, one), await cleo.ask(people.readInvitation, { id: one })]
      return answers.map(({ status, body }) => [status, body.code])
    }
    const none = [
      [404, 'not_found'],
      [404, 'not_found'],
    ]
    expect(await refused(token)).toEqual(none)
    const back = await invite(ada, chat.chatId)
    expect((await peopleOf(ada, chat.chatId)).invitations).toMatchObject([{ id: back.id, email: null }])
    expect((await peopleOf(ben, id)).invitations).toEqual([])
    expect((await remove(ada, chat.chatId, back.id)).status).toBe(204)
    expect(await refused(back.token)).toEqual(none)
    const meant = await invite(ada, chat.chatId, { email: 'Dora@example.org' })
    expect(await refused(meant.token)).toEqual(none)
    const over = await invite(ada, chat.chatId)
    await api.query(`update chat_members set expires_at = now() - interval '1 second' where id = $1`, over.id)
    expect(await refused(over.token)).toEqual(none)
    expect(await refused('no-such-token')).toEqual(none)
    // its owner and its members use up none
    const more = await invite(ada, chat.chatId)
    expect((await take(ada, more.token)).body).toEqual({ chat_id: chat.chatId })
    expect((await take(ben, more.token)).body).toEqual({ chat_id: id })
    expect((await cleo.ask(people.readInvitation, { id: more.token })).body).toEqual({
      title: 'Three days',
      role: 'reads',
      owner: 'A guest',
      chat_id: null,
    })
    expect((await take(cleo, more.token)).status).toBe(200)
  })

  it('given an invitation, when two people take it at once, then one is let in', async () => {
    const { ada, chat } = await given()
    const others = [await api.person(), await api.person()]
    const { token } = await invite(ada, chat.chatId)
    const answers = await Promise.all(others.map((one) => take(one, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  it('given a chat with as many people as it may have, when one more is invited, then it says so', async () => {
    const { ada, chat } = await given()
    await Promise.all(Array.from({ length: 49 }, () => invite(ada, chat.chatId)))
    const one = await ada.ask(people.inviteMember, { id: chat.chatId, body: { role: 'reads' } })
    expect([one.status, one.body.code]).toEqual([409, 'too_many_members'])
  })

  it('given a member or an owner whose account is deleted, or a chat that is, then no person reads it any more', async () => {
    const one = await given()
    await forgetPerson(api.services.database, one.ben.id)
    expect((await peopleOf(one.ada, one.chat.chatId)).members).toEqual([])
    const two = await given()
    const stream = await follow(two.ben, two.id)
    await stream.next()
    await forgetPerson(api.services.database, two.ada.id)
    await stream.ended()
    expect((await two.ben.ask(chats.readGraph, { id: two.id })).status).toBe(404)
    expect(await sharedWith(two.ben)).toEqual([])
    const three = await given()
    await api.services.store.deleteChat(three.chat.chatId, { userId: three.ada.id })
    expect((await three.ben.ask(chats.readGraph, { id: three.id })).status).toBe(404)
    await isClean()
  })

  it('given a file in the chat and one in another chat of the owner, when a member asks for them, then the first is theirs to read', async () => {
    const { ada, ben, chat, said } = await given()
    const form = (text: string) => {
      const data = new FormData()
      data.set('file', new File([text], 'notes.txt', { type: 'text/plain' }))
      return data
    }
    const [shown, secret] = [
      (await ada.ask(uploadFile, { raw: form('for Ben') })).body.id,
      (await ada.ask(uploadFile, { raw: form('not for Ben') })).body.id,
    ]
    const id = newId()
    const data = { id, role: 'user', parts: [{ type: 'text', text: 'See' }], metadata: {} }
    const message = {
      id,
      name: 'user',
      type: 'message',
      data,
      preview: 'See',
      createdAt: Date.now(),
      files: [shown],
    }
    const step: Step = {
      kind: 'append',
      branchId: chat.main,
      expectedHead: said.at(-1) ?? null,
      messages: [message],
    }
    await chat.commit([step])
    expect((await ben.ask(readFile, { id: shown })).text).toBe('for Ben')
    expect((await ben.ask(readFile, { id: secret })).status).toBe(404)
    expect((await (await api.person()).ask(readFile, { id: shown })).status).toBe(404)
  })

  it.each([
    ['proposes', 201],
    ['reads', 409],
  ] as const)(
    'given a person who %s, when they propose a branch of their copy, then the answer is %i, until the role is another',
    async (role, status) => {
      const { ada, ben, chat, id } = await given(role)
      const { body: copied } = await ben.ask(people.copyChat, { id })
      const copy = await api.services.store.getActiveBranch(copied.chat_id)
      if (!copy) throw new Error('no copy')
      const message = newId()
      const data = { id: message, role: 'user', parts: [{ type: 'text', text: 'By train?' }], metadata: {} }
      const own = {
        id: message,
        name: 'user',
        type: 'message',
        data,
        preview: 'By train?',
        createdAt: Date.now(),
      }
      await api.services.store.commit({
        chatId: copied.chat_id,
        ownerId: ben.id,
        at: Date.now(),
        steps: [{ kind: 'append', branchId: copy.id, expectedHead: copy.headMessageId, messages: [own] }],
      })
      const propose = (more: object) =>
        ben.ask(proposing.openProposal, { body: { source_thread_id: copy.id, title: 'By train', ...more } })
      for (const more of [{}, { chat_id: id }]) {
        const answer = await propose(more)
        const second = role === 'proposes' && 'chat_id' in more
        expect([answer.status, answer.body.code]).toEqual(
          second ? [409, 'nothing_to_propose'] : [status, role === 'reads' ? 'only_reads' : undefined],
        )
      }
      const other = role === 'reads' ? 'proposes' : 'reads'
      const changed = await ada.ask(people.changeMemberRole, {
        id: chat.chatId,
        within: { member_id: id },
        body: { role: other },
      })
      expect(changed.status).toBe(204)
      const again = await propose({ chat_id: id })
      expect(again.body.code).toBe(other === 'reads' ? 'only_reads' : undefined)
      const seen = (await ada.ask(proposing.listProposals, { id: chat.chatId })).body.proposals
      expect(seen).toMatchObject([{ title: 'By train', author: 'A guest' }])
      await isClean()
    },
  )
})
