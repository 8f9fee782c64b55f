import { randomUUID } from 'node:crypto'
import type { BisectReport } from '@/lib/protocol'
import { type ChatRequest, textOf as textOfPrompt } from '@/testing/machines/openai-server'
import { words } from '@/testing/worlds/follower'
import type { Fault } from './fault'
import { answering, killWithin, settle, untilOrLost } from './turns'
import { textOf } from './visitor'

/** The turns above the question that is asked again. */
const TURNS = 15
/** The most runs that a search among them takes: none of them, halving, and one without the turn that was found. */
const MOST_RUNS = 1 + Math.ceil(Math.log2(TURNS)) + 1
/** How long a bisect takes about, in ms: the moment of the kill lies anywhere in it. */
const SPAN = 2500

const QUESTION = 'which colour'
const said = (turn: number) => `question ${turn}`
/** The reply to the question, whether the turn that makes the difference stands above it or not. */
const replies = { with: `blue ${words(16)}`, without: `red ${words(16)}` }

/** Answers the question by whether a turn stands above it, a word every `delayMs`. */
const answeringBy = (turn: number, delayMs: number) => (request: ChatRequest) => {
  const isThere = request.messages.some((message) => textOfPrompt(message) === said(turn))
  return { text: isThere ? replies.with : replies.without, delayMs }
}

/** `kill -9` of the server in the middle of a bisect; every fifth time twice. */
export const killBisect: Fault = {
  name: 'kill -9 in the middle of a bisect',
  on: ['pglite', 'postgres'],
  async run(arena, tally, { rounds, dice }) {
    tally.of = 'kills'
    const server = await arena.shared()
    const { url: base } = server
    const visitor = await arena.visitor(base)
    const chatId = randomUUID()
    const say = async (text: string) => (await visitor.send(base, chatId, text)).rest()
    arena.answer = answering(0)
    for (let turn = 1; turn <= TURNS; turn++) await say(said(turn))
    arena.answer = answeringBy(1, 0)
    await say(QUESTION)
    const chain = await visitor.messages(base, chatId)
    const reply = chain.at(-1)
    const url = `${base}/api/chats/${chatId}/bisects`
    const seen = new Set<number>()
    for (let round = 0; round < rounds; round++) {
      const turn = 1 + dice.roll(TURNS)
      const before = await visitor.graph(base, chatId)
      arena.answer = answeringBy(turn, 15)
      const judge = { kind: 'text', text: 'blue' }
      const { bisect_id } = await visitor.json<{ bisect_id: string }>(url, { message_id: reply?.id, judge })
      const now = async () => {
        const { bisects } = await visitor.json<BisectReport>(url)
        const bisect = bisects.find((other) => other.bisect_id === bisect_id)
        if (!bisect) throw new Error(`Bisect ${bisect_id} is not there`)
        return bisect
      }
      await killWithin(SPAN, { server, tally, dice, round }, async () => seen.add((await now()).runs))
      // the rest need not take its time
      arena.answer = answeringBy(turn, 0)
      await untilOrLost(tally, 'the bisect is over', async () => (await now()).status !== 'running')
      await settle(visitor, base, [chatId], tally)

      const { status, reason, runs, found_message_id, confirmed } = await now()
      const found = chain.find(({ id }) => id === found_message_id)
      if (status !== 'done' || !found || textOf(found) !== said(turn) || !confirmed) {
        tally.losses.push(`a bisect for turn ${turn} is ${status} at ${found && textOf(found)}: ${reason}`)
      }
      const after = await visitor.graph(base, chatId)
      const opened = after.branches.filter(({ id }) => before.branches.every((branch) => branch.id !== id))
      if (opened.length !== runs || runs > MOST_RUNS) {
        tally.doubles.push(`a bisect of ${runs} runs has opened ${opened.length} branches`)
      }
      for (const { id, name, archivedAt } of opened) {
        if (archivedAt === null) tally.losses.push(`branch ${name} is not folded away`)
        const told = (await visitor.messages(base, chatId, id)).map(textOf)
        const [asked, answer] = told.slice(-2)
        const expected = told.includes(said(turn)) ? replies.with : replies.without
        if (asked !== QUESTION || answer !== expected) {
          tally.losses.push(`branch ${name} ends with "${asked}" and "${answer}"`)
        }
        if (told.filter((text) => text === QUESTION).length !== 1) {
          tally.doubles.push(`branch ${name} has the question more than once`)
        }
      }
      const marks = after.checkpoints.length - before.checkpoints.length
      if (marks !== 1) tally.losses.push(`a bisect has set ${marks} checkpoints`)
    }
    const still = (await visitor.messages(base, chatId)).map(({ id }) => id)
    if (still.join() !== chain.map(({ id }) => id).join()) tally.losses.push('the branch itself has changed')
    tally.of = `kills of bisects of ${TURNS} turns, after ${seen.size} different numbers of runs`
  },
}
