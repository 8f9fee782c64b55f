import { expect, it } from 'vitest'
import { planRedo, planUndo, ReplyInProgressError, type Step } from '@/lib/context'
import {
  cloneChat,
  exchangeState,
  fetchChat,
  packChat,
  pullChat,
  pushChat,
  receivePush,
} from '@/lib/conversations'
import { lineHash } from '@/lib/conversations/exchange/pack-lines'
import { contextOf } from '@/lib/conversations/turns/context-value'
import { newId } from '@/lib/events'
import { checkDatabase } from '@/lib/store'
import { between, type ExchangeServer, exchangeServer, linesOfPack } from '@/testing/worlds/exchange-world'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'

onEachDatabase('the exchange of a chat between servers', ({ open }) => {
  const opened = openedStore(open)
  /** Given Ada at work with a chat of two turns, and at home with a clone of it. */
  const given = async () => {
    const { store } = opened
    const work = exchangeServer(store, await opened.person())
    const home = exchangeServer(store, await opened.person())
    const chat = await storedChat(store, work.ownerId)
    const said = await chat.say(chat.main, null, ['Where to?', 'Lisbon.', 'And then?', 'Porto.'])
    const { chatId } = chat
    const remoteId = await home.remote('work')
    const exchange = between(home, work.reached(), { chatId, remoteId })
    const cloned = await cloneChat(home.ports, exchange)
    return { store, work, home, chat, chatId, said, exchange, cloned }
  }
  const branchOf = async (server: ExchangeServer, chatId: string, name = 'main') => {
    const chat = await server.ports.exchange.standing(chatId, server.ownerId)
    const branch = chat?.branches.find((one) => one.name === name)
    if (!chat || !branch) throw new Error(`no branch ${name}`)
    return { key: chat.chatId, ...branch }
  }
  const sayOn = async (
    server: ExchangeServer,
    chatId: string,
    words: string[],
    name = 'main',
    mergeParentId?: string,
  ) => {
    const { key, id, messageId } = await branchOf(server, chatId, name)
    const messages = words.map((text, at) => {
      const messageId = newId()
      const role = at % 2 === 0 ? 'user' : 'assistant'
      const data = { id: messageId, role, parts: [{ type: 'text', text }], metadata: {} }
      const message = {
        id: messageId,
        name: role,
        type: 'message',
        data,
        preview: text,
        createdAt: Date.now(),
      }
      return { ...message, ...(mergeParentId !== undefined && { mergeParentId }) }
    })
    await server.store.commit({
      chatId: key,
      ownerId: server.ownerId,
      at: Date.now(),
      steps: [{ kind: 'append', branchId: id, expectedHead: messageId, messages }],
    })
    return messages.map(({ id }) => id)
  }
  const isClean = async () => expect(await checkDatabase(opened.database)).toEqual([])

  it('given a chat, when it is cloned, then the clone has the same messages, branches and origin, and its own log', async () => {
    const { work, home, chatId, cloned, said } = await given()
    expect(cloned.received).toBe(4)
    expect(await home.messages(chatId)).toEqual(await work.messages(chatId))
    expect(await home.heads(chatId)).toEqual({ main: said[3] })
    const [one, other] = await Promise.all(
      [work, home].map(({ ports, ownerId }) => ports.exchange.standing(chatId, ownerId)),
    )
    expect(other?.origin).toBe(one?.origin)
    await isClean()
  })

  it('given a clone, when it fetches again, then nothing is sent', async () => {
    const { home, exchange } = await given()
    expect(await fetchChat(home.ports, exchange)).toMatchObject({
      received: 0,
      branches: [{ branch: 'main', state: 'equal' }],
    })
  })

  it('given two turns said at work, when home fetches and pulls, then a fetch moves no own branch, a pull does, and Undo takes that back', async () => {
    const { work, home, chatId, exchange, said } = await given()
    const added = await sayOn(work, chatId, ['More', 'Sintra.'])
    expect(await fetchChat(home.ports, exchange)).toMatchObject({
      received: 2,
      branches: [{ branch: 'main', behind: 2, ahead: 0, state: 'behind' }],
    })
    expect(await home.heads(chatId)).toEqual({ main: said[3] })
    expect((await branchOf(home, chatId, 'work/main')).messageId).toBe(added[1])
    expect(await pullChat(home.ports, exchange)).toMatchObject({
      updated: [{ branch: 'main' }],
      diverged: [],
    })
    expect(await home.heads(chatId)).toEqual({ main: added[1] })
    const { key } = await branchOf(home, chatId)
    const move = async (which: 'undo' | 'redo') => {
      const [last] = (await home.store.getMoves(key, { which })) ?? []
      if (!last) throw new Error('no move')
      const { steps } = which === 'undo' ? planUndo(last, newId) : planRedo(last, newId)
      await home.store.commit({ chatId: key, at: Date.now(), steps })
      return home.heads(chatId)
    }
    expect(await move('undo')).toEqual({ main: said[3] })
    expect(await move('redo')).toEqual({ main: added[1] })
    await isClean()
  })

  it('given turns said on both sides, when home pulls, then its branch stays, and it is told what to merge', async () => {
    const { work, home, chatId, exchange } = await given()
    const [, theirs] = await sayOn(work, chatId, ['More', 'Sintra.'])
    const [, ours] = await sayOn(home, chatId, ['Less', 'Stay.'])
    const pulled = await pullChat(home.ports, exchange)
    const source = await branchOf(home, chatId, 'work/main')
    expect(source.messageId).toBe(theirs)
    expect(pulled).toMatchObject({
      updated: [],
      diverged: [{ branch: 'main', ahead: 2, behind: 2, sourceBranchId: source.id }],
    })
    expect(await home.heads(chatId)).toEqual({ main: ours })
    await expect(pushChat(home.ports, exchange)).rejects.toThrow('Pull them first')
    await isClean()
  })

  it('given a turn said at home, when it is pushed twice, then work has it once, in its history and in its log', async () => {
    const { work, home, chatId, exchange } = await given()
    const [, head] = await sayOn(home, chatId, ['More', 'Sintra.'])
    const first = await pushChat(home.ports, exchange)
    expect(first).toEqual({ outcome: 'updated', updated: [{ branch: 'main', headMessageId: head }] })
    expect(await work.messages(chatId)).toEqual(await home.messages(chatId))
    expect(await work.heads(chatId)).toEqual({ main: head })
    expect(await pushChat(home.ports, exchange)).toEqual({ outcome: 'updated', updated: [] })
    const events = await work.store.getEvents((await branchOf(work, chatId)).key)
    expect(events.filter(({ type }) => type === 'ObjectsReceived')).toMatchObject([
      { payload: { messages: 2, remote: null } },
    ])
    expect(await exchangeState(home.ports, exchange)).toMatchObject({ branches: [{ state: 'equal' }] })
    await isClean()
  })

  it('given a push that was delivered, when it is delivered again after work went on, then it is answered the same', async () => {
    const { work, home, chatId } = await given()
    const { messageId: old } = await branchOf(home, chatId)
    const [, head] = await sayOn(home, chatId, ['More', 'Sintra.'])
    const { ownerId } = home
    const lines = await linesOfPack(
      await packChat(home.ports, { ownerId, chatId, want: [head ?? ''], have: [old ?? ''] }),
    )
    const push = () =>
      receivePush(work.ports, {
        ownerId: work.ownerId,
        chatId,
        lines: from(lines),
        updates: [{ branch: 'main', old, new: head ?? '' }],
      })
    const first = await push()
    await sayOn(work, chatId, ['On'])
    const before = await work.messages(chatId)
    expect(await push()).toEqual(first)
    expect(await work.messages(chatId)).toEqual(before)
  })

  it('given a branch that work has not, when home pushes, then work has the branch', async () => {
    const { work, home, chatId, said, exchange } = await given()
    const { key } = await branchOf(home, chatId)
    const branchId = newId()
    await home.store.commit({
      chatId: key,
      at: Date.now(),
      steps: [
        {
          kind: 'open-branch',
          branchId,
          name: 'other',
          after: 'main',
          at: said[1] ?? null,
          fork: { messageId: said[1] ?? '' },
          activate: false,
        },
      ],
    })
    const [head] = await sayOn(home, chatId, ['Otherwise'], 'other')
    await pushChat(home.ports, exchange)
    expect(await work.heads(chatId)).toEqual({ main: said[3], other: head })
    await isClean()
  })

  it('given a merge of a branch, when its own branch alone is pushed, then what it was merged from comes along, on a branch of its own', async () => {
    const { work, home, chatId, said, exchange } = await given()
    const { key } = await branchOf(home, chatId)
    const at = said[1] ?? ''
    const step = { kind: 'open-branch', branchId: newId(), name: 'other', after: 'main', at } as const
    await home.store.commit({
      chatId: key,
      at: Date.now(),
      steps: [{ ...step, fork: { messageId: at }, activate: false }],
    })
    const [aside] = await sayOn(home, chatId, ['Otherwise'], 'other')
    const [merged] = await sayOn(home, chatId, ['Both'], 'main', aside)
    await pushChat(home.ports, { ...exchange, branch: 'main' })
    expect(await work.messages(chatId)).toEqual(await home.messages(chatId))
    const heads = await work.heads(chatId)
    expect(heads).toMatchObject({ main: merged })
    expect(Object.values(heads).sort()).toEqual([merged, aside].sort())
    await isClean()
  })

  it('given a chat that work has not, when it is pushed, then work has it, of the same origin', async () => {
    const { home, work } = await given()
    const chat = await storedChat(home.store, home.ownerId)
    await chat.say(chat.main, null, ['Only here', 'Yes.'])
    const remoteId = await home.remote('second')
    const exchange = between(home, work.reached(), { chatId: chat.chatId, remoteId })
    expect(await pushChat(home.ports, exchange)).toMatchObject({ outcome: 'updated' })
    expect(await work.messages(chat.chatId)).toEqual(await home.messages(chat.chatId))
    expect(await exchangeState(home.ports, exchange)).toMatchObject({ branches: [{ state: 'equal' }] })
  })

  it('given a pack that is cut off after each line, when it is fetched, then it goes on behind it and comes whole', async () => {
    const { work, home, chatId, exchange } = await given()
    await sayOn(work, chatId, ['More', 'Sintra.'])
    const cut = work.reached(async function* (lines) {
      for await (const line of lines) {
        yield line
        throw new Error('the connection broke')
      }
    })
    expect(await fetchChat(home.ports, { ...exchange, server: cut })).toMatchObject({ received: 2 })
    expect(await home.messages(chatId)).toEqual(await work.messages(chatId))
  })

  it('given a server that refuses before a line, when it is fetched from, then it is asked once', async () => {
    const { work, home, chatId, exchange } = await given()
    await sayOn(work, chatId, ['More', 'Sintra.'])
    let asked = 0
    const refusing = work.reached(() => {
      asked += 1
      throw new Error('The key is refused')
    })
    await expect(fetchChat(home.ports, { ...exchange, server: refusing })).rejects.toThrow('refused')
    expect(asked).toBe(1)
  })

  it('given a context whose tool runs without asking, when a message said in it is fetched, then the tool asks there', async () => {
    const { work, home, chatId, exchange } = await given()
    const context = contextOf({
      fragments: [],
      model: 'demo:demo',
      setup: { tools: { read_page: 'always' } },
    } as never)
    const { key, id, messageId } = await branchOf(work, chatId)
    const data = { id: 'in-context', role: 'user', parts: [{ type: 'text', text: 'Read it' }] }
    await work.store.commit({
      chatId: key,
      at: Date.now(),
      contexts: [context],
      steps: [
        {
          kind: 'append',
          branchId: id,
          expectedHead: messageId,
          contextId: context.id,
          messages: [{ id: data.id, name: 'user', data, preview: 'Read it', createdAt: 5 }],
        },
      ],
    })
    await pullChat(home.ports, exchange)
    const received = await home.store.getMessage((await branchOf(home, chatId)).key, data.id)
    const stored = await home.ports.reads.context(
      (await branchOf(home, chatId)).key,
      received?.contextId ?? '',
    )
    expect(stored?.setup).toMatchObject({ tools: { read_page: 'ask' } })
    await isClean()
  })

  it.each([
    ['a parent that is nowhere', 'invalid', (line: Line) => ({ ...line, parentId: 'nowhere' })],
    ['a message below itself', 'invalid', (line: Line) => ({ ...line, parentId: line.id })],
    ['a wrong checksum', 'checksum', (line: Line) => ({ ...line, data: { parts: [] } })],
    ['an id that is too long', 'not what it should be', (line: Line) => ({ ...line, id: 'x'.repeat(129) })],
  ])('given a pack with %s, when it is pushed, then nothing is written', async (_, said, lie) => {
    const { work, home, chatId } = await given()
    const { messageId: old } = await branchOf(home, chatId)
    const [head = ''] = await sayOn(home, chatId, ['More'])
    const asked = { ownerId: home.ownerId, chatId, want: [head], have: [old ?? ''] }
    const told = await linesOfPack(await packChat(home.ports, asked))
    const lines = told.map((text) => {
      const line = JSON.parse(text)
      return line.t === 'message' ? JSON.stringify(lie(line)) : text
    })
    const before = await work.messages(chatId)
    const push = receivePush(work.ports, {
      ownerId: work.ownerId,
      chatId,
      lines: from(said === 'checksum' ? lines : summed(lines)),
      updates: [{ branch: 'main', old, new: head }],
    })
    await expect(push).rejects.toThrow('Nothing was received')
    expect(await work.messages(chatId)).toEqual(before)
  })

  it('given one id with two contents, when it is pushed, then that is refused by its name', async () => {
    const { work, home, chatId } = await given()
    const { messageId: old } = await branchOf(home, chatId)
    const [head = ''] = await sayOn(home, chatId, ['More'])
    const asked = { ownerId: home.ownerId, chatId, want: [head], have: [] }
    const lines = summed(
      (await linesOfPack(await packChat(home.ports, asked))).map((text) =>
        text.replace('Lisbon.', 'London.'),
      ),
    )
    const updates = [{ branch: 'main', old, new: head }]
    const push = receivePush(work.ports, { ownerId: work.ownerId, chatId, lines: from(lines), updates })
    await expect(push).rejects.toThrow('has another content')
    expect(await work.heads(chatId)).toEqual({ main: old })
  })

  it('given a reply that is being written on a branch, when the branch is pushed there, or pulled there, then that waits for it in words, and nothing moves', async () => {
    const { store, work, home, chatId, exchange, said } = await given()
    const replying = async (server: ExchangeServer) => {
      const { key, id, messageId } = await branchOf(server, chatId)
      const run = {
        runId: newId(),
        branchId: id,
        replyTo: messageId ?? '',
        replyId: newId(),
        model: 'demo:demo',
      }
      const steps: Step[] = [{ kind: 'queue-run', ...run, leaseMs: 60_000 }]
      await store.commit({ chatId: key, at: Date.now(), steps })
      const end: Step = { kind: 'finish-run', runId: run.runId, fence: 1, status: 'stopped' }
      return () => store.commit({ chatId: key, at: Date.now(), steps: [end] })
    }
    const [question] = await sayOn(home, chatId, ['More'])
    const ended = await replying(work)
    await expect(pushChat(home.ports, exchange)).rejects.toThrow(ReplyInProgressError)
    expect(await work.heads(chatId)).toEqual({ main: said[3] })
    await ended()
    expect(await pushChat(home.ports, exchange)).toMatchObject({ updated: [{ headMessageId: question }] })

    const [next] = await sayOn(work, chatId, ['And more'])
    const endedHere = await replying(home)
    await expect(pullChat(home.ports, exchange)).rejects.toThrow(ReplyInProgressError)
    expect(await home.heads(chatId)).toEqual({ main: question })
    await endedHere()
    expect(await pullChat(home.ports, exchange)).toMatchObject({ updated: [{ headMessageId: next }] })
    await isClean()
  })

  it('given a remote that is the same chat on the same server, when it is pushed, pulled or fetched, then there is nothing to exchange', async () => {
    const { work, chatId } = await given()
    const exchange = between(work, work.reached(), { chatId, remoteId: await work.remote('itself') })
    const before = await work.messages(chatId)
    expect(await fetchChat(work.ports, exchange)).toMatchObject({
      received: 0,
      branches: [{ state: 'equal' }],
    })
    expect(await pullChat(work.ports, exchange)).toMatchObject({ received: 0, updated: [], diverged: [] })
    expect(await pushChat(work.ports, exchange)).toMatchObject({ updated: [] })
    expect(await work.messages(chatId)).toEqual(before)
    await isClean()
  })

  it('given another chat of the same id, when it is fetched or pushed, then they are not united', async () => {
    const { home, work } = await given()
    const [mine, theirs] = [await storedChat(home.store, home.ownerId), newId()]
    const other = await storedChat(work.store, work.ownerId, { chatId: theirs, called: mine.chatId })
    await other.say(other.main, null, ['Theirs'])
    await mine.say(mine.main, null, ['Mine'])
    const exchange = between(home, work.reached(), {
      chatId: mine.chatId,
      remoteId: await home.remote('third'),
    })
    for (const ask of [fetchChat, pullChat, pushChat])
      await expect(ask(home.ports, exchange)).rejects.toThrow('never united')
  })
})

type Line = { id: string; parentId: string | null }

async function* from(lines: readonly string[]) {
  yield* lines
}

/** Lines with the checksum that they have. */
function summed(lines: readonly string[]): string[] {
  const hash = lineHash()
  const rest = lines.filter((line) => !line.startsWith('{"t":"end"'))
  for (const line of rest) hash.add(line)
  return [...rest, JSON.stringify({ t: 'end', ...hash.end() })]
}
