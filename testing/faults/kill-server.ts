import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from './arena'
import type { Fault } from './fault'
import { answering, judge, Sent, settle } from './turns'

/** Chats that are talked in at the same time. */
const CHATS = 4
/** How long a turn takes once it is acknowledged, in ms: the moment of the kill lies anywhere in it, or before. */
const SPAN = 600
/** More kills than a reply has attempts, the first one counted. */
const MORE = 2

/** `kill -9` of the server at any point of a turn; every fifth time again and again, until the attempts are used up. */
export const killServer: Fault = {
  name: 'kill -9 of the server',
  on: ['pglite', 'postgres'],
  async run(arena, tally, { rounds, dice }) {
    tally.of = 'kills'
    const server = await arena.shared()
    const visitor = await arena.visitor(server.url)
    const chats = Array.from({ length: CHATS }, () => randomUUID())
    arena.answer = answering(25)
    const attempts = arena.provider.requests.length
    const all: Sent[] = []
    let failed = 0
    for (let round = 0; round < rounds; round++) {
      const turns = chats.map((chatId, i) => new Sent(visitor, server.url, chatId, `message ${round}.${i}`))
      // one kill in four comes before the first word, never the first: a run of one round acknowledges something too
      if (round % 4 !== 1) await Promise.race(turns.map((turn) => turn.begun))
      await pause(dice.roll(SPAN))
      await server.kill()
      tally.trials++
      await Promise.all(turns.map((turn) => turn.over))
      for (let more = round % 5 === 4 ? MORE : 0; more > 0; more--) {
        // the server that takes the replies over writes little before the next kill
        arena.answer = answering(150)
        const asked = arena.provider.requests.length
        await server.start()
        const begun = () => arena.provider.requests.length > asked
        await until('a reply is begun anew', begun, { timeout: 10_000 }).catch(() => undefined)
        await pause(dice.roll(300))
        await server.kill()
        tally.trials++
      }
      arena.answer = answering(25)
      await server.start()
      await settle(visitor, server.url, chats, tally)
      failed += await judge(visitor, server.url, turns, tally)
      all.push(...turns)
    }
    // and earlier messages are still well
    await judge(visitor, server.url, all, tally)
    const acknowledged = all.filter((turn) => turn.acknowledged).length
    if (acknowledged === 0) tally.losses.push('no message was acknowledged: nothing has been tried')
    tally.of = `kills, ${all.length} messages, ${acknowledged} acknowledged, ${arena.provider.requests.length - attempts} attempts at replies, ${failed} failed and say so`
  },
}
