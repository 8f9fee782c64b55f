import { randomUUID } from 'node:crypto'
import type { AppServer } from '@/testing/machines/app-server'
import { words } from '@/testing/worlds/follower'
import type { Fault, Tally } from './fault'
import { settle } from './turns'
import { textOf, type Visitor } from './visitor'

const WORDS = 20

/** A reader's connection is cut after every part; the reader returns to the same server and to another. */
export const cutConnection: Fault = {
  name: 'the connection cut at every part',
  on: ['pglite', 'postgres'],
  async run(arena, tally, { rounds }) {
    tally.of = 'connections'
    const server = await arena.shared()
    const others = arena.kind === 'postgres' ? [server, await arena.shared(1)] : [server]
    const visitor = await arena.visitor(server.url)
    arena.answer = () => ({ text: words(WORDS), delayMs: 15 })
    for (let round = 0; round < Math.ceil(rounds / 5); round++) {
      for (const other of others) {
        for (let longer = true, count = 0; longer; count += 6) {
          const some = [0, 1, 2, 3, 4, 5].map((n) => cutAfter(count + n, visitor, server, other, tally))
          longer = (await Promise.all(some)).every(Boolean)
        }
      }
    }
  },
}

/** @returns false when the reply has fewer parts than `count` */
async function cutAfter(
  count: number,
  visitor: Visitor,
  server: AppServer,
  other: AppServer,
  tally: Tally,
): Promise<boolean> {
  const chatId = randomUUID()
  const first = await visitor.send(server.url, chatId, 'Count')
  // a reader that leaves before the first part cannot know that the message has arrived
  await first.next()
  while (first.parts.length < count) if ((await first.next()) === undefined) return false
  await first.leave()
  tally.trials++
  const again = await visitor.follow(other.url, chatId)
  await again?.rest()
  await settle(visitor, other.url, [chatId], tally)
  const [, reply] = await visitor.messages(other.url, chatId)
  const stored = reply && textOf(reply)
  if (stored !== words(WORDS)) tally.losses.push(`cut after ${count} parts, stored is "${stored}"`)
  if (!again) return true
  if (again.text !== stored) tally.losses.push(`cut after ${count} parts, read was "${again.text}"`)
  if (again.messageIds.join() !== reply?.id) {
    tally.doubles.push(
      `cut after ${count} parts, ${again.messageIds.length} messages began: ${again.messageIds}`,
    )
  }
  return true
}
