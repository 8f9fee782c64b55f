import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReplayReport } from '@/lib/protocol'
import { until } from './arena'
import type { Fault } from './fault'
import { answering, replyTo, settle } from './turns'
import { textOf } from './visitor'

/** The questions of the chat that is replayed. */
const TURNS = 20
/** How long a replay takes at least, in ms: the moment of the kill lies anywhere in it. */
const SPAN = 2500

/** `kill -9` of the server in the middle of a replay; every fifth time twice. */
export const killReplay: Fault = {
  name: 'kill -9 in the middle of a replay',
  on: ['pglite', 'postgres'],
  async run(arena, tally, { rounds, dice }) {
    tally.of = 'kills'
    const server = await arena.shared()
    const visitor = await arena.visitor(server.base)
    const chatId = randomUUID()
    const questions = Array.from({ length: TURNS }, (_, at) => `question ${at}`)
    arena.answer = answering(0)
    for (const question of questions) await (await visitor.send(server.base, chatId, question)).rest()
    const { activeBranchId } = await visitor.graph(server.base, chatId)
    const expected = questions.flatMap((question) => [question, replyTo(question)])
    const seen = new Set<number>()
    for (let round = 0; round < rounds; round++) {
      arena.answer = answering(6)
      const { thread_id, replay_id } = await visitor.json<{ thread_id: string; replay_id: string }>(
        `${server.base}/api/commands/replay-thread`,
        { source_thread_id: activeBranchId },
      )
      const now = async () => {
        const { replays } = await visitor.json<ReplayReport>(`${server.base}/api/chats/${chatId}/replays`)
        const replay = replays.find((other) => other.replay_id === replay_id)
        if (!replay) throw new Error(`Replay ${replay_id} is not there`)
        return replay
      }
      for (let kills = round % 5 === 4 ? 2 : 1; kills > 0; kills--) {
        await pause(dice.roll(SPAN))
        await server.process.kill()
        tally.trials++
        await server.restart()
        seen.add((await now()).asked)
      }
      // what is left need not take its time
      arena.answer = answering(0)
      await until('the replay is over', async () => (await now()).status !== 'running').catch(
        (error: unknown) => tally.losses.push(String(error)),
      )
      await settle(visitor, server.base, [chatId], tally)
      const { status, asked, reason } = await now()
      if (status !== 'done') tally.losses.push(`a replay is ${status} at ${asked} of ${TURNS}: ${reason}`)
      const said = (await visitor.messages(server.base, chatId, thread_id)).map(textOf)
      if (said.length > expected.length) tally.doubles.push(`a replay has ${said.length} messages`)
      const wrong = expected.findIndex((text, at) => said[at] !== text)
      if (wrong >= 0) tally.losses.push(`message ${wrong} is "${said[wrong]}" and not "${expected[wrong]}"`)
    }
    tally.of = `kills of replays of ${TURNS} questions, at ${seen.size} different ones`
  },
}
