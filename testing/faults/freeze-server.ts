import { randomUUID } from 'node:crypto'
import { words } from '@/testing/worlds/follower'
import { LEASE, until } from './arena'
import type { Fault } from './fault'
import { settle } from './turns'
import { textOf } from './visitor'

/** A server stands still for longer than its lease; another takes its reply over, and the first wakes late. */
export const freezeServer: Fault = {
  name: 'a server that sleeps and wakes late',
  on: ['postgres'],
  async run(arena, tally, { rounds, dice }) {
    tally.of = 'takeovers'
    const [sleeper, other] = [await arena.shared(0), await arena.shared(1)]
    const visitor = await arena.visitor(sleeper.url)
    let longest = 0
    for (let round = 0; round < rounds; round++) {
      const chatId = randomUUID()
      let asked = 0
      arena.answer = () => ({ text: words(20, asked++ === 0 ? 'first' : 'second'), delayMs: 40 })
      const first = await visitor.send(sleeper.url, chatId, 'Count')
      await first.untilWords(1 + dice.roll(6))
      const reader = await visitor.follow(other.url, chatId)
      if (!reader) throw new Error('The other server knows of no reply')
      await reader.untilWords(1)
      void sleeper.kill('SIGSTOP')
      const asleep = performance.now()
      // when
      await reader.until(() => reader.runs.length > 1, 'the reply begins anew')
      longest = Math.max(longest, performance.now() - asleep)
      // it wakes while the other is still writing, or long after, and has all of its own reply to store at once
      await (round % 2 === 0 ? reader.untilWords(1) : reader.rest())
      void sleeper.kill('SIGCONT')
      await reader.rest()
      await first.rest()
      await until('the server that slept answers', async () =>
        Boolean(await visitor.graph(sleeper.url, chatId)),
      )
      await settle(visitor, sleeper.url, [chatId], tally)
      tally.trials++
      // then
      const [, ...replies] = (await visitor.messages(sleeper.url, chatId)).map(textOf)
      if (replies.length > 1) tally.doubles.push(`${replies.length} replies`)
      if (replies[0] !== words(20, 'second')) tally.losses.push(`stored is "${replies[0]}"`)
      for (const { text } of [first, reader]) {
        if (text !== replies[0]) tally.losses.push(`read was "${text}", stored is "${replies[0]}"`)
      }
    }
    if (longest > LEASE + 5000) tally.losses.push(`the takeover came after ${longest.toFixed(0)} ms`)
    tally.of = `takeovers, after ${(longest / 1000).toFixed(1)} s at most with a lease of ${LEASE / 1000} s`
  },
}
