import { expect, it } from 'vitest'
import type { MessageData } from '@/lib/context'
import { newId } from '@/lib/events'
import type { Proposal } from '@/lib/protocol/remotes/proposals'
import * as proposing from '@/lib/server/api/remotes/proposals'
import { copyShare, createShare, revokeShare } from '@/lib/server/api/shares'
import { archiveThread, rewindThread } from '@/lib/server/api/verbs/moves'
import { redo, undo } from '@/lib/server/api/verbs/undo'
import { checkDatabase } from '@/lib/store'
import { type Person, useApi } from '@/testing/worlds/api-world'
import { onEachDatabase } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'

onEachDatabase('proposals to the owner of a chat', ({ name }) => {
  const api = useApi(name, { RAMIFY_READ_LIMIT: 'off' })

  /** Says texts below the head of a branch, as its person. */
  const sayOn = async (
    owner: Person,
    chatId: string,
    branchId: string,
    words: string[],
    parts: object[] = [],
  ) => {
    const { store } = api.services
    const head = (await store.getBranch(chatId, branchId))?.headMessageId ?? null
    const messages = words.map((text, at) => {
      const id = newId()
      const role = at % 2 === 0 ? 'user' : 'assistant'
      const data = { id, role, parts: [{ type: 'text', text }, ...parts], metadata: {} }
      return { id, name: role, type: 'message', data, preview: text, createdAt: Date.now() }
    })
    const step = { kind: 'append', branchId, expectedHead: head, messages } as const
    await store.commit({ chatId, ownerId: owner.id, at: Date.now(), steps: [step] })
    return messages.map(({ id }) => id)
  }
  const link = async (ada: Person, chat_id: string, more: object = {}) =>
    (await ada.ask(createShare, { body: { chat_id, branch: 'main', graph: false, follow: false, ...more } }))
      .body
  /** Given Ada's chat of two turns with a second branch, a link to its main branch, and Ben's copy, in which he has gone on. */
  const given = async ({ said = ['By train?', 'Three hours.'] } = {}) => {
    const [ada, ben] = [await api.person(), await api.person()]
    const chat = await storedChat(api.services.store, ada.id)
    const original = await chat.say(chat.main, null, ['Where to?', 'Lisbon.', 'And then?', 'Porto.'])
    const shared = await link(ada, chat.chatId)
    const { chat_id: copyId } = (await ben.ask(copyShare, { id: shared.token })).body
    const copy = await api.services.store.getActiveBranch(copyId)
    if (!copy) throw new Error('no copy')
    const own = await sayOn(ben, copyId, copy.id, said)
    return { ada, ben, chat, original, shared, copyId, copyMain: copy.id, own }
  }
  const propose = (person: Person, source_thread_id: string, more: object = {}) =>
    person.ask(proposing.openProposal, {
      body: { source_thread_id, title: 'By train', words: 'Look', ...more },
    })
  const listOf = async (person: Person, id: string): Promise<Proposal[]> =>
    (await person.ask(proposing.listProposals, { id })).body.proposals
  const one = async (person: Person, id: string): Promise<Proposal> => {
    const [first] = await listOf(person, id)
    if (!first) throw new Error('no proposal')
    return first
  }
  const take = (person: Person, id: string, body: object) =>
    person.ask(proposing.takeProposal, { id, body: { mode: 'turns', ...body } })
  const chainOf = async (chatId: string, branchId: string): Promise<MessageData[]> => {
    const head = (await api.services.store.getBranch(chatId, branchId))?.headMessageId
    return head ? api.services.store.getMessageChain(chatId, head) : []
  }
  const textsOf = (messages: MessageData[]) =>
    messages.map(({ data }) => (data as { parts: { text?: string }[] }).parts[0]?.text)
  const isClean = async () => expect(await checkDatabase(api.services.database)).toEqual([])

  it('given a copy of a shared chat with a turn more, when its branch is proposed, then the owner has what is new on a branch of its own, and no branch of hers moves', async () => {
    const { ada, ben, chat, original, copyId, copyMain, own } = await given()
    const opened = await propose(ben, copyMain)
    expect(opened).toMatchObject({ status: 201, body: { number: 1 } })

    const seen = await one(ada, chat.chatId)
    expect(seen).toMatchObject({
      id: opened.body.id,
      role: 'owner',
      author: 'A guest',
      title: 'By train',
      words: 'Look',
      state: 'open',
      message_count: 2,
      base_message_id: original[3],
    })
    const brought = await chainOf(chat.chatId, seen.thread_id)
    expect(textsOf(brought).slice(-2)).toEqual(['By train?', 'Three hours.'])
    expect(brought.slice(0, 4).map(({ id }) => id)).toEqual(original)
    // each names its author, and the message that it is
    expect(
      brought.slice(-2).map(({ data }) => (data as MessageData['data'] & { metadata: object }).metadata),
    ).toMatchObject(own.map((id) => ({ proposed: { id, by: 'A guest' } })))
    expect((await chainOf(chat.chatId, chat.main)).map(({ id }) => id)).toEqual(original)
    const mine = await one(ben, copyId)
    expect(mine).toMatchObject({ role: 'author', thread_id: copyMain, head_message_id: own[1] })
    // the author is told no id of the original
    for (const secret of [chat.chatId, seen.thread_id, seen.head_message_id, ...original])
      expect(JSON.stringify(mine)).not.toContain(secret)
    await isClean()
  })

  it('given what a model thought and remembered in the copy, when it is proposed, then the owner reads neither', async () => {
    const { ada, ben, chat, copyId, copyMain } = await given()
    const secret = 'a private thing'
    await sayOn(
      ben,
      copyId,
      copyMain,
      ['More'],
      [
        { type: 'reasoning', text: secret },
        {
          type: 'tool-remember',
          toolCallId: 'c',
          state: 'output-available',
          input: { text: secret },
          output: {},
        },
        { type: 'tool-run', toolCallId: 'd', state: 'approval-requested', approval: { id: 'a' }, input: {} },
      ],
    )
    await propose(ben, copyMain)
    const { thread_id } = await one(ada, chat.chatId)
    const brought = JSON.stringify(await chainOf(chat.chatId, thread_id))
    expect(brought).toContain('More')
    expect(brought).not.toContain(secret)
    expect(brought).not.toContain('approval')
  })

  it('given a proposal, when it is taken twice, also at the same time, then the branch has it once; Undo opens it again, and Redo takes it again', async () => {
    const { ada, ben, chat, original, copyId, copyMain } = await given()
    const { id } = (await propose(ben, copyMain)).body
    const asked = { target_thread_id: chat.main }
    const answers = await Promise.all([take(ada, id, asked), take(ada, id, asked)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await take(ada, id, asked)).body.code).toBe('proposal_over')

    const chain = await chainOf(chat.chatId, chat.main)
    expect(textsOf(chain)).toEqual([
      'Where to?',
      'Lisbon.',
      'And then?',
      'Porto.',
      'By train?',
      'Three hours.',
    ])
    expect(chain.slice(-2).map(({ data }) => data)).toMatchObject([
      { metadata: { proposed: { by: 'A guest' } } },
      { metadata: { proposed: { by: 'A guest' } } },
    ])
    for (const seen of [await one(ada, chat.chatId), await one(ben, copyId)])
      expect(seen).toMatchObject({ state: 'taken', taken_as: 'turns' })
    const events = await api.services.store.getEvents(chat.chatId)
    expect(events.filter(({ type }) => type.startsWith('Proposal')).map(({ type }) => type)).toEqual([
      'ProposalOpened',
      'ProposalTaken',
    ])

    await ada.ask(undo, { body: { chat_id: chat.chatId } })
    expect((await chainOf(chat.chatId, chat.main)).map(({ id }) => id)).toEqual(original)
    expect(await one(ben, copyId)).toMatchObject({ state: 'open', taken_as: null })
    await ada.ask(redo, { body: { chat_id: chat.chatId } })
    expect(await one(ben, copyId)).toMatchObject({ state: 'taken' })
    await ada.ask(undo, { body: { chat_id: chat.chatId } })
    expect((await take(ada, id, { ...asked, mode: 'brief', brief: 'Go by train.' })).status).toBe(201)
    expect(textsOf(await chainOf(chat.chatId, chat.main)).at(-1)).toContain('Go by train.')
    await isClean()
  })

  it('given a proposal, when some of its messages are taken, then those are copied, and others are refused', async () => {
    const { ada, ben, chat, copyMain, original } = await given()
    const { id } = (await propose(ben, copyMain)).body
    const { head_message_id: last } = await one(ada, chat.chatId)
    const messages = { mode: 'messages', target_thread_id: chat.main }
    expect((await take(ada, id, { ...messages, message_ids: [original[0]] })).status).toBe(404)
    expect((await take(ada, id, { ...messages, message_ids: [] })).status).toBe(400)
    expect((await one(ada, chat.chatId)).state).toBe('open')
    expect((await take(ada, id, { ...messages, message_ids: [last] })).status).toBe(201)
    expect(textsOf(await chainOf(chat.chatId, chat.main)).slice(4)).toEqual(['Three hours.'])
    expect(await one(ada, chat.chatId)).toMatchObject({ state: 'taken', taken_as: 'messages' })
  })

  it('given more said in the copy, when the proposal is updated, then its pin moves and a take that was reviewed before is refused', async () => {
    const { ada, ben, chat, copyId, copyMain } = await given()
    const { id } = (await propose(ben, copyMain)).body
    const reviewed = await one(ada, chat.chatId)
    await sayOn(ben, copyId, copyMain, ['By bus?', 'Five.'])
    expect(await one(ada, chat.chatId)).toMatchObject({ message_count: 2 })
    for (const _ of [1, 2])
      expect((await ben.ask(proposing.updateProposal, { id })).body).toEqual({ id, message_count: 4 })
    const asked = { target_thread_id: chat.main, head_message_id: reviewed.head_message_id }
    expect((await take(ada, id, asked)).body.code).toBe('proposal_moved')
    expect((await ada.ask(proposing.updateProposal, { id })).status).toBe(404)
    const { head_message_id } = await one(ada, chat.chatId)
    expect((await take(ada, id, { ...asked, head_message_id })).status).toBe(201)
    expect(textsOf(await chainOf(chat.chatId, chat.main)).slice(4)).toEqual([
      'By train?',
      'Three hours.',
      'By bus?',
      'Five.',
    ])
    await isClean()
  })

  it('given a taken proposal, when its branch goes on and is proposed again, then the second one brings only what is new', async () => {
    const { ada, ben, chat, copyId, copyMain } = await given()
    const { id } = (await propose(ben, copyMain)).body
    await take(ada, id, { target_thread_id: chat.main })
    expect((await propose(ben, copyMain)).body.code).toBe('nothing_to_propose')
    await sayOn(ben, copyId, copyMain, ['By bus?', 'Five.'])
    const again = await propose(ben, copyMain)
    expect(again.body.number).toBe(2)
    await take(ada, again.body.id, { target_thread_id: chat.main })
    expect(textsOf(await chainOf(chat.chatId, chat.main)).slice(4)).toEqual([
      'By train?',
      'Three hours.',
      'By bus?',
      'Five.',
    ])
  })

  it('given a proposal, when both sides comment and it is declined with words, then both read all of it, and it has ended', async () => {
    const { ada, ben, chat, copyId, copyMain, own } = await given()
    const { id } = (await propose(ben, copyMain)).body
    const { head_message_id } = await one(ada, chat.chatId)
    const comment = (person: Person, body: object) => person.ask(proposing.commentOnProposal, { id, body })
    expect((await comment(ada, { words: 'On Sunday?', message_id: head_message_id })).status).toBe(201)
    expect((await comment(ben, { words: 'Yes.' })).status).toBe(201)
    expect((await comment(ada, { words: 'x', message_id: 'elsewhere' })).status).toBe(404)
    expect((await one(ben, copyId)).comments).toMatchObject([
      { by: 'owner', words: 'On Sunday?', message_id: own[1] },
      { by: 'author', words: 'Yes.', message_id: null },
    ])
    expect((await one(ada, chat.chatId)).comments[0]).toMatchObject({ message_id: head_message_id })

    expect((await ada.ask(proposing.declineProposal, { id, body: { words: 'We go by car.' } })).status).toBe(
      204,
    )
    expect(await one(ben, copyId)).toMatchObject({ state: 'declined', answer: 'We go by car.' })
    for (const refused of [
      await take(ada, id, { target_thread_id: chat.main }),
      await ben.ask(proposing.updateProposal, { id }),
      await comment(ben, { words: 'Why?' }),
      await ada.ask(proposing.declineProposal, { id, body: {} }),
    ])
      expect(refused.body.code).toBe('proposal_over')
  })

  it('given a third person, or the author, then neither takes, declines or reads what is the owner’s', async () => {
    const { ben, chat, copyMain } = await given()
    const { id } = (await propose(ben, copyMain)).body
    const eve = await api.person()
    for (const person of [eve, ben]) {
      expect((await take(person, id, { target_thread_id: chat.main })).status).toBe(404)
      expect((await person.ask(proposing.declineProposal, { id, body: {} })).status).toBe(404)
      expect((await person.ask(proposing.listProposals, { id: chat.chatId })).status).toBe(404)
    }
    expect((await eve.ask(proposing.commentOnProposal, { id, body: { words: 'Hm' } })).status).toBe(404)
    expect((await eve.ask(proposing.updateProposal, { id })).status).toBe(404)
    expect((await propose(eve, copyMain)).status).toBe(404)
  })

  it('given what cannot be proposed, then it is refused in words, and the original stays as it was', async () => {
    const { ada, ben, chat, shared, copyId, copyMain } = await given()
    const { seq } = (await api.services.ports.reads.graph(chat.chatId, ada.id)) ?? {}
    const { store } = api.services
    // a chat of Ben's that has nothing of it, also by the chat's own id
    const foreign = await storedChat(store, ben.id)
    await foreign.say(foreign.main, null, ['Else'])
    expect((await propose(ben, foreign.main)).body.code).toBe('link_over')
    expect((await propose(ben, foreign.main, { share_token: shared.token })).body.code).toBe(
      'nothing_in_common',
    )
    expect((await propose(ben, foreign.main, { chat_id: chat.chatId })).status).toBe(404)
    expect((await propose(ben, copyMain, { share_token: 'none' })).status).toBe(404)
    // a link to less than the branch goes on from
    const first = await link(ada, chat.chatId, { message_id: (await chainOf(chat.chatId, chat.main))[0]?.id })
    expect((await propose(ben, copyMain, { share_token: first.token })).body.code).toBe('nothing_in_common')
    for (const body of [{ title: ' ' }, { title: 'x'.repeat(201) }, { words: 'x'.repeat(10_001) }])
      expect((await propose(ben, copyMain, body)).status).toBe(400)
    // an archived branch
    const [at = ''] = (await chainOf(copyId, copyMain)).map(({ id }) => id)
    await ben.ask(rewindThread, { body: { thread_id: copyMain, message_id: at } })
    await ben.ask(archiveThread, { body: { thread_id: copyMain } })
    expect((await propose(ben, copyMain)).body.code).toBe('branch_archived')
    await ada.ask(revokeShare, { id: shared.id })
    const opened = (await store.getActiveBranch(copyId))?.id ?? ''
    expect((await propose(ben, opened)).body.code).toBe('link_over')
    expect(await listOf(ada, chat.chatId)).toEqual([])
    expect((await api.services.ports.reads.graph(chat.chatId, ada.id))?.seq).toBe(seq)
  })

  it('given twenty open proposals of one person, when one more is made, then it is refused until one is declined', async () => {
    const { ada, ben, chat, copyId, copyMain } = await given()
    for (let n = 1; n <= 20; n += 1) {
      expect((await propose(ben, copyMain)).status).toBe(201)
      await sayOn(ben, copyId, copyMain, [`Turn ${n}`])
    }
    expect((await propose(ben, copyMain)).body.code).toBe('too_many_proposals')
    await ada.ask(proposing.declineProposal, { id: (await one(ada, chat.chatId)).id, body: {} })
    expect((await propose(ben, copyMain)).status).toBe(201)
  })

  it('given an open proposal, when the copy or the original is deleted, then the other side is left whole', async () => {
    const { ada, ben, chat, copyId, copyMain } = await given()
    const { id } = (await propose(ben, copyMain)).body
    await api.services.store.deleteChat(copyId, { userId: ben.id })
    expect(await one(ada, chat.chatId)).toMatchObject({ id, state: 'open' })
    expect((await ben.ask(proposing.updateProposal, { id })).status).toBe(404)
    await api.services.store.deleteChat(chat.chatId, { userId: ada.id })
    expect((await ben.ask(proposing.commentOnProposal, { id, body: { words: 'Hm' } })).status).toBe(404)
    await isClean()
  })
})
