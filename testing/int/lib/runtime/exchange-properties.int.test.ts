import { expect, it } from 'vitest'
import { BuiltUponError, planRedo, planUndo, type Step } from '@/lib/context'
import {
  cloneChat,
  exchangeState,
  fetchChat,
  NotFastForwardError,
  pullChat,
  pushChat,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import { checkDatabase } from '@/lib/store'
import { type Dice, dice } from '@/testing/worlds/dice'
import { between, type ExchangeServer, exchangeServer, linesOfPack } from '@/testing/worlds/exchange-world'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'

const SCHEDULES = process.env.RAMIFY_TEST_LONG ? 1000 : 20
const ACTS = 10
const FIRST_SEED = 1

interface World {
  dice: Dice
  chatId: string
  servers: ExchangeServer[]
  /** every message that was said anywhere */
  said: Map<string, string>
  remotes: Map<string, string>
}

onServedDatabase('exchanges in any order', ({ open }) => {
  const opened = [openedStore(open), openedStore(open)] as const

  /** Given a chat on the first of some servers, and clones of it on the others; two of three are on one database. */
  async function given(seed: number): Promise<World> {
    const roll = dice(seed)
    const count = 2 + roll.roll(2)
    const servers: ExchangeServer[] = []
    for (let n = 0; n < count; n += 1) {
      const at = opened[n === 1 ? 1 : 0]
      servers.push(exchangeServer(at.store, await at.person()))
    }
    const [first, ...others] = servers
    if (!first) throw new Error('no server')
    const chat = await storedChat(first.store, first.ownerId)
    await chat.say(chat.main, null, ['Where to?', 'Lisbon.', 'And then?'])
    const { chatId } = chat
    const world: World = {
      dice: roll,
      chatId,
      servers,
      said: await first.messages(chatId),
      remotes: new Map(),
    }
    for (const one of servers)
      for (const [n, other] of servers.entries())
        if (one !== other) world.remotes.set(`${one.ownerId} ${other.ownerId}`, await one.remote(`r${n}`))
    for (const other of others) await cloneChat(other.ports, exchangeOf(world, other, first))
    return world
  }

  it(`given ${SCHEDULES} schedules of acts and exchanges (seeds from ${FIRST_SEED}), then no message is lost, doubled or changed, and refs are equal or named as diverged`, {
    timeout: SCHEDULES * 20_000,
  }, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed += 1) {
      const world = await given(seed)
      const acts: string[] = []
      try {
        for (let n = 0; n < ACTS; n += 1) acts.push(await act(world))
        await check(world)
      } catch (error) {
        throw new Error(`seed ${seed}: ${acts.join(', ')}`, { cause: error })
      }
    }
    for (const { database } of opened) expect(await checkDatabase(database)).toEqual([])
  })
})

const pick = <T>({ dice }: World, list: readonly T[]): T => {
  const found = list[dice.roll(list.length)]
  if (found === undefined) throw new Error('there is nothing to choose from')
  return found
}

const nameOf = (world: World, other: ExchangeServer) => `r${world.servers.indexOf(other)}`

/** An exchange whose packs are cut off now and then, or come twice. */
function exchangeOf(world: World, here: ExchangeServer, there: ExchangeServer) {
  const cuts = world.dice.roll(3) === 0 ? 1 + world.dice.roll(3) : 0
  let cut = 0
  const server = there.reached()
  const reached = {
    ...server,
    async *fetch(...asked: Parameters<typeof server.fetch>) {
      const last = world.dice.roll(6)
      let sent = 0
      for await (const line of server.fetch(...asked)) {
        yield line
        if (cut < cuts && sent++ === last) {
          cut += 1
          throw new Error('the connection broke')
        }
      }
    },
    async push(...[chatId, lines, updates]: Parameters<typeof server.push>) {
      const kept = await linesOfPack(lines)
      const again = async function* () {
        yield* kept
      }
      const first = await server.push(chatId, again(), updates)
      if (cuts > 0 && first.outcome === 'updated')
        expect(await server.push(chatId, again(), updates)).toEqual(first)
      return first
    },
  }
  const remoteId = world.remotes.get(`${here.ownerId} ${there.ownerId}`) ?? ''
  return between(here, reached, { chatId: world.chatId, remoteId, name: nameOf(world, there) })
}

async function standing(world: World, server: ExchangeServer) {
  const chat = await server.ports.exchange.standing(world.chatId, server.ownerId)
  if (!chat) throw new Error('the chat is gone')
  return { ...chat, shown: chat.branches.filter(({ isArchived }) => !isArchived) }
}

async function commit(world: World, server: ExchangeServer, steps: Step[]) {
  const { chatId } = await standing(world, server)
  return server.store.commit({ chatId, ownerId: server.ownerId, at: Date.now(), steps })
}

/** One act on one of the servers. */
async function act(world: World): Promise<string> {
  const here = pick(world, world.servers)
  const there = pick(
    world,
    world.servers.filter((server) => server !== here),
  )
  const verb = pick(world, [
    ...(['say', 'say', 'say', 'fork', 'merge', 'merge', 'merge', 'copy', 'undo', 'redo'] as const),
    ...(['fetch', 'pull', 'pull', 'push', 'push'] as const),
  ])
  const words = `${world.servers.indexOf(here)} ${verb} ${world.servers.indexOf(there)}`
  switch (verb) {
    case 'say':
    case 'merge':
    case 'copy':
      await say(world, here, verb)
      return words
    case 'fork': {
      const { chatId } = await standing(world, here)
      const { id } = pick(world, await here.store.getMessages(chatId))
      const fork = { messageId: id }
      const name = world.dice.roll(2) === 0 ? { name: `side-${newId()}` } : {}
      await commit(world, here, [
        { kind: 'open-branch', branchId: newId(), after: 'side', at: id, fork, activate: false, ...name },
      ])
      return words
    }
    case 'undo':
    case 'redo': {
      const { chatId } = await standing(world, here)
      const [move] = (await here.store.getMoves(chatId, { which: verb })) ?? []
      try {
        if (move) await commit(world, here, (verb === 'undo' ? planUndo : planRedo)(move, newId).steps)
      } catch (error) {
        if (!(error instanceof BuiltUponError)) throw error
      }
      return words
    }
    default: {
      const exchange = exchangeOf(world, here, there)
      try {
        // a branch alone may name messages of others, which then come along
        const { shown } = await standing(world, here)
        const said = shown.filter(({ messageId }) => messageId !== null)
        const branch = world.dice.roll(2) === 0 ? undefined : pick(world, said).name
        if (verb === 'fetch') await fetchChat(here.ports, exchange)
        else await { pull: pullChat, push: pushChat }[verb](here.ports, { ...exchange, branch })
      } catch (error) {
        if (!(error instanceof NotFastForwardError)) throw error
      }
      return words
    }
  }
}

async function say(world: World, here: ExchangeServer, verb: 'say' | 'merge' | 'copy') {
  const { chatId, shown } = await standing(world, here)
  const branch = pick(world, shown)
  const messages = await here.store.getMessages(chatId)
  const other = pick(world, messages).id
  const id = newId()
  const data = { id, role: 'user', parts: [{ type: 'text', text: `Said ${id}` }], metadata: {} }
  const message = {
    id,
    name: world.dice.roll(2) === 0 ? 'user' : 'assistant',
    data,
    preview: 'Said',
    createdAt: Date.now(),
    ...(verb === 'merge' && { mergeParentId: other }),
    ...(verb === 'copy' && { copiedFromId: other }),
  }
  await commit(world, here, [
    { kind: 'append', branchId: branch.id, expectedHead: branch.messageId, messages: [message] },
  ])
  const stored = (await here.messages(world.chatId)).get(id)
  if (stored === undefined) throw new Error('what was said is not there')
  world.said.set(id, stored)
}

/** After each has fetched from each, all have all. */
async function check(world: World) {
  const { servers, said, chatId } = world
  for (let round = 0; round < 2; round += 1)
    for (const here of servers)
      for (const there of servers)
        if (here !== there) await fetchChat(here.ports, exchangeOf(world, here, there))
  for (const server of servers) {
    const messages = await server.messages(chatId)
    expect(Object.fromEntries(messages)).toEqual(Object.fromEntries(said))
    expect((await server.store.getMessages((await standing(world, server)).chatId)).length).toBe(said.size)
  }
  for (const here of servers)
    for (const there of servers) {
      if (here === there) continue
      const [ours, theirs] = [await here.heads(chatId), await there.heads(chatId)]
      const { branches } = await exchangeState(here.ports, exchangeOf(world, here, there))
      for (const { branch, state, ahead, behind } of branches) {
        if (!(branch in ours)) expect(state).toBe('only there')
        else if (!(branch in theirs)) expect(state).toBe('only here')
        else {
          expect(state === 'equal').toBe(ours[branch] === theirs[branch])
          expect(state === 'diverged').toBe(ahead > 0 && behind > 0)
        }
      }
    }
}
