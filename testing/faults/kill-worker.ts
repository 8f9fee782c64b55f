import type { Fault } from './fault'
import { answering, replyTo, settle } from './turns'
import { textOf } from './visitor'

/** `kill -9` of `npm run worker` while it answers what commands have queued; another one goes on. */
export const killWorker: Fault = {
  name: 'kill -9 of a worker',
  on: ['postgres'],
  async run(arena, tally, { rounds, dice }) {
    tally.of = 'kills'
    const server = await arena.server({ RAMIFY_WORKER: 'off' })
    const visitor = await arena.visitor(server.url)
    arena.answer = answering(30)
    for (let round = 0; round < rounds; round++) {
      const text = `question ${round}`
      const { chat_id, thread_id } = await visitor.createThread(server.url)
      await visitor.json(`${server.url}/api/commands/send-message`, { thread_id, content: text })
      const follower = await visitor.follow(server.url, chat_id)
      if (!follower) throw new Error('No reply is queued')
      const first = arena.worker()
      await follower.untilWords(1 + dice.roll(8))
      await first.kill()
      tally.trials++
      // when
      const second = arena.worker()
      await follower.until(() => follower.runs.length > 1, 'the reply begins anew')
      await follower.rest()
      await settle(visitor, server.url, [chat_id], tally)
      await second.kill()
      // then
      const replies = (await visitor.messages(server.url, chat_id)).slice(1).map(textOf)
      if (replies.length > 1) tally.doubles.push(`${replies.length} replies to "${text}"`)
      if (replies[0] !== replyTo(text)) tally.losses.push(`the reply to "${text}" is "${replies[0]}"`)
      if (follower.text !== replies[0]) tally.losses.push(`a follower has read "${follower.text}"`)
    }
  },
}
