import { randomUUID } from 'node:crypto'
import { words } from '@/testing/worlds/follower'
import type { Fault } from './fault'
import { settle } from './turns'
import { textOf } from './visitor'

const WORDS = 20

/** The provider dies at some word: the words until then are kept, marked as failed, and the next message works. */
export const providerDies: Fault = {
  name: 'the provider dies mid-stream',
  on: ['pglite', 'postgres'],
  async run(arena, tally, { rounds, dice }) {
    tally.of = 'replies'
    const server = await arena.shared()
    const visitor = await arena.visitor(server.url)
    for (let round = 0; round < rounds; round++) {
      const [chatId, cutAfter] = [randomUUID(), 1 + dice.roll(WORDS - 1)]
      arena.answer = () => ({ text: words(WORDS), delayMs: 5, cutAfter })
      const follower = await (await visitor.send(server.url, chatId, 'Count')).rest()
      arena.answer = () => 'Works again.'
      await (await visitor.send(server.url, chatId, 'Go on')).rest()
      const [, reply, , next] = await visitor.messages(server.url, chatId)
      tally.trials++
      const kept = reply && textOf(reply)
      if (kept?.trim() !== words(cutAfter) || kept !== follower.text) {
        tally.losses.push(`of ${cutAfter} words "${kept}" was kept and "${follower.text}" shown`)
      }
      if (reply?.metadata?.status !== 'failed') tally.losses.push('a reply cut off does not say so')
      if (!next || textOf(next) !== 'Works again.') tally.losses.push('the next message has no reply')
    }
  },
}

/** The browser goes away at the third word: all of the reply is stored. */
export const clientLeaves: Fault = {
  name: 'the client leaves at word 3',
  on: ['pglite', 'postgres'],
  async run(arena, tally, { rounds }) {
    tally.of = 'replies'
    const server = await arena.shared()
    const visitor = await arena.visitor(server.url)
    arena.answer = () => ({ text: words(WORDS), delayMs: 10 })
    const chats = Array.from({ length: rounds }, () => randomUUID())
    await Promise.all(
      chats.map(async (chatId) => {
        const follower = await visitor.send(server.url, chatId, 'Count')
        await follower.untilWords(3)
        await follower.leave()
      }),
    )
    await settle(visitor, server.url, chats, tally)
    for (const chatId of chats) {
      const [, reply] = await visitor.messages(server.url, chatId)
      tally.trials++
      if (!reply || textOf(reply) !== words(WORDS) || reply.metadata?.status) {
        tally.losses.push(`stored is "${reply && textOf(reply)}" [${reply?.metadata?.status ?? 'done'}]`)
      }
    }
  },
}
