import { randomUUID } from 'node:crypto'
import type { ReplayReport } from '@/lib/protocol'
import type { Fault } from './fault'
import { answering, killWithin, replyTo, settle, untilOrLost } from './turns'
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
    const visitor = await arena.visitor(server.url)
    const chatId = randomUUID()
    const questions = Array.from({ length: TURNS }, (_, at) => `question ${at}`)
    arena.answer = answering(0)
    for (const question of questions) await (await visitor.send(server.url, chatId, question)).rest()
    const { activeBranchId } = await visitor.graph(server.url, chatId)
    const expected = questions.flatMap((question) => [question, replyTo(question)])
    const seen = new Set<number>()
    for (let round = 0; round < rounds; round++) {
      arena.answer = answering(6)
      const { thread_id, replay_id } = await visitor.json<{ thread_id: string; replay_id: string }>(
        `${server.url}/api/commands/replay-thread`,
        { source_thread_id: activeBranchId },
      )
      const now = async () => {
        const { replays } = await visitor.json<ReplayReport>(`${server.url}/api/chats/${chatId}/replays`)
        const replay = replays.find((other) => other.replay_id === replay_id)
        if (!replay) throw new Error(`Replay ${replay_id} is not there`)
        return replay
      }
      await killWithin(SPAN, { server, tally, dice, round }, async () => seen.add((await now()).asked))
      // what is left need not take its time
      arena.answer = answering(0)
      await untilOrLost(tally, 'the replay is over', async () => (await now()).status !== 'running')
      await settle(visitor, server.url, [chatId], tally)
      const { status, asked, reason } = await now()
      if (status !== 'done') tally.losses.push(`a replay is ${status} at ${asked} of ${TURNS}: ${reason}`)
      const said = (await visitor.messages(server.url, chatId, thread_id)).map(textOf)
      if (said.length > expected.length) tally.doubles.push(`a replay has ${said.length} messages`)
      const wrong = expected.findIndex((text, at) => said[at] !== text)
      if (wrong >= 0) tally.losses.push(`message ${wrong} is "${said[wrong]}" and not "${expected[wrong]}"`)
    }
    tally.of = `kills of replays of ${TURNS} questions, at ${seen.size} different ones`
  },
}
