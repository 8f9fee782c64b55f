import { randomUUID } from 'node:crypto'
import { words } from '../follower'
import { textOf as textOfRequest } from '../openai-server'
import type { Arena } from './arena'
import { Bystander } from './bystander'
import type { Fault } from './fault'
import { textOf } from './visitor'

/** Replies of one person at the same time. */
const MOST = 16
const COMMANDS = 120
const REPLIES = 200
const WORDS = 20
const reply = words(WORDS)

/** One person has far more replies to be written than may be at once: all are written, and another person waits for nothing. */
export const manyReplies: Fault = {
  name: 'one person asks for hundreds of replies',
  on: ['pglite', 'postgres'],
  async run(arena, tally) {
    tally.of = 'replies and waits'
    const { server, atOnce } = await open(arena)
    const [mallory, ada] = [await arena.visitor(server.base), await arena.visitor(server.base)]
    const bystander = await Bystander.beside(server, ada)
    const threads = await Promise.all(
      Array.from({ length: COMMANDS }, () =>
        mallory.json<{ chat_id: string; thread_id: string }>(`${server.base}/api/commands/create-thread`, {}),
      ),
    )
    // by command
    const sent = threads.map(({ thread_id }) =>
      mallory.json(`${server.base}/api/commands/send-message`, { thread_id, content: 'Work' }),
    )
    await bystander.watch(
      Promise.all(sent).then(() => answeredAll()),
      tally,
    )
    // and by turns, each with a reader
    const chats = Array.from({ length: REPLIES }, () => randomUUID())
    const turns = chats.map(async (chatId) => {
      const follower = await (await mallory.send(server.base, chatId, 'Work')).rest()
      tally.trials++
      if (follower.text !== reply) tally.losses.push(`of ${WORDS} words a reader saw "${follower.text}"`)
    })
    await bystander.watch(Promise.all(turns), tally)
    if (atOnce.most > MOST) tally.losses.push(`${atOnce.most} of one person's replies were written at once`)

    async function answeredAll() {
      for (const { chat_id } of threads) await answered(chat_id)
    }
    async function answered(chatId: string) {
      await (await mallory.follow(server.base, chatId))?.rest()
      const [, last] = await mallory.messages(server.base, chatId)
      tally.trials++
      if (!last || textOf(last) !== reply)
        tally.losses.push(`a command has the reply "${last && textOf(last)}"`)
    }
  },
}

/** A server with the limit, and a provider that counts how many replies it writes at once, `hello`s left out. */
async function open(arena: Arena) {
  const atOnce = { now: 0, most: 0 }
  arena.answer = (request) => {
    if (request.messages.some((message) => textOfRequest(message) === 'hello')) return 'Hello there.'
    atOnce.now++
    atOnce.most = Math.max(atOnce.most, atOnce.now)
    return {
      text: reply,
      chunksPerSecond: 20,
      pace: async (sent) => {
        if (sent === WORDS) atOnce.now--
      },
    }
  }
  return { server: await arena.server({ RAMIFY_REPLIES_PER_PERSON: String(MOST) }), atOnce }
}
