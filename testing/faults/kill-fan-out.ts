import { setTimeout as pause } from 'node:timers/promises'
import type { Fault, Tally } from './fault'
import { answering, replyTo, settle } from './turns'
import type { Visitor } from './visitor'

const WIDTH = 8
/** How long storing a fan-out takes at most, in ms: one kill in two comes within it. */
const STORING = 40
/** How long its replies take once it is stored, in ms. */
const SPAN = 700

interface FannedOut {
  message_id: string
  threads: { thread_id: string }[]
}

/** `kill -9` while a fan-out of eight is stored or answered; sent again under its key, every branch has one reply. */
export const killFanOut: Fault = {
  name: 'kill -9 in a fan-out of eight',
  on: ['pglite', 'postgres'],
  repliesEach: WIDTH,
  async run(arena, tally, { rounds, dice }) {
    tally.of = 'kills'
    const server = await arena.shared()
    const visitor = await arena.visitor(server.url)
    arena.answer = answering(25)
    for (let round = 0; round < rounds; round++) {
      const content = `fan out ${round}`
      const { chat_id, thread_id } = await visitor.createThread(server.url)
      const key = { 'idempotency-key': `${chat_id}-${round}` }
      const command = () =>
        visitor.json<FannedOut>(
          `${server.url}/api/commands/fan-out`,
          { thread_id, content, count: WIDTH },
          key,
        )
      // its connection breaks when the kill comes first
      const first = command().catch(() => undefined)
      if (round % 2 === 0) await pause(dice.roll(STORING))
      else {
        await first
        await pause(dice.roll(SPAN))
      }
      // when
      await server.kill()
      tally.trials++
      const acknowledged = await first
      await server.start()
      const answer = await command()
      await settle(visitor, server.url, [chat_id], tally)
      // then
      if (acknowledged && JSON.stringify(acknowledged) !== JSON.stringify(answer)) {
        tally.doubles.push(`${content} was answered twice, and not alike`)
      }
      await judge(visitor, server.url, { chatId: chat_id, content, answer }, tally)
    }
  },
}

/** Eight threads, each with the message and one whole reply of its own. */
async function judge(
  visitor: Visitor,
  base: string,
  { chatId, content, answer }: { chatId: string; content: string; answer: FannedOut },
  tally: Tally,
): Promise<void> {
  const { nodes, branches } = await visitor.graph(base, chatId)
  const replies = new Set<string>()
  for (const { thread_id } of answer.threads) {
    const { messages } = await visitor.json<{ messages: { message_id: string; content: string }[] }>(
      `${base}/api/threads/${encodeURIComponent(thread_id)}/messages`,
    )
    const [question, reply, ...more] = messages
    if (question?.message_id !== answer.message_id)
      tally.losses.push(`${thread_id} does not begin with “${content}”`)
    if (reply?.content !== replyTo(content))
      tally.losses.push(`${thread_id} of “${content}” ends with “${reply?.content}”`)
    if (more.length > 0) tally.doubles.push(`${thread_id} of “${content}” has ${more.length} messages more`)
    if (reply) replies.add(reply.message_id)
  }
  if (replies.size < WIDTH) tally.losses.push(`“${content}” has ${replies.size} replies`)
  if (nodes.length > WIDTH + 1) tally.doubles.push(`“${content}” has made ${nodes.length} messages`)
  if (branches.length !== WIDTH) tally.doubles.push(`“${content}” has made ${branches.length} branches`)
}
