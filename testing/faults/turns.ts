import { setTimeout as pause } from 'node:timers/promises'
import type { AppServer } from '@/testing/machines/app-server'
import type { ChatRequest } from '@/testing/machines/openai-server'
import { textOf as textOfPrompt } from '@/testing/machines/openai-server'
import type { Dice } from '@/testing/worlds/dice'
import { type Follower, words } from '@/testing/worlds/follower'
import { until } from './arena'
import type { Tally } from './fault'
import { RefusedError, textOf, type Visitor } from './visitor'

/** Words in a reply. */
const WORDS = 16

/** The provider's reply to a message, the same on every attempt. */
export const replyTo = (text: string): string => `Re ${text}: ${words(WORDS)}`

/** Answers the last message of a chat, a word every `delayMs`. */
export const answering = (delayMs: number) => (request: ChatRequest) => {
  const last = request.messages.findLast(({ role }) => role === 'user')
  return { text: replyTo(last ? textOfPrompt(last) : ''), delayMs }
}

/** A message that was sent, and the answers its sender has had. */
export class Sent {
  follower: Follower | undefined
  /** it had no reply, and the page said why: a later message hides that */
  failed = false
  /** resolves with the server's first part, or when none will come */
  readonly begun: Promise<void>
  /** resolves when the answer is over, whole or cut off */
  readonly over: Promise<void>

  constructor(
    visitor: Visitor,
    base: string,
    readonly chatId: string,
    readonly text: string,
  ) {
    const heard = Promise.withResolvers<void>()
    this.begun = heard.promise
    this.over = this.#listen(visitor.send(base, chatId, text), heard.resolve)
      // its connection broke, or it was refused
      .catch(() => undefined)
      .finally(heard.resolve)
  }

  async #listen(sent: Promise<Follower>, onFirst: () => void): Promise<void> {
    this.follower = await sent
    await this.follower.next()
    onFirst()
    await this.follower.rest()
  }

  /** Whether the server has acknowledged the message. */
  get acknowledged(): boolean {
    return (this.follower?.runs.length ?? 0) > 0
  }
}

/** Waits as `until` does; what never comes is a loss. */
export const untilOrLost = (
  tally: Tally,
  ...[what, holds, options]: Parameters<typeof until>
): Promise<void> =>
  until(what, holds, options).catch((error: unknown) => {
    tally.losses.push(String(error))
  })

/** `kill -9` of the server at any moment of `span` ms, every fifth round twice; then `look` after each restart. */
export async function killWithin(
  span: number,
  { server, tally, dice, round }: { server: AppServer; tally: Tally; dice: Dice; round: number },
  look: () => Promise<unknown>,
): Promise<void> {
  for (let kills = round % 5 === 4 ? 2 : 1; kills > 0; kills--) {
    await pause(dice.roll(span))
    await server.kill()
    tally.trials++
    await server.start()
    await look()
  }
}

/** Waits until no reply of these chats is being written; a reply that never ends is a loss. */
export async function settle(
  visitor: Visitor,
  base: string,
  chatIds: readonly string[],
  tally: Tally,
): Promise<void> {
  for (const chatId of chatIds) {
    const idle = async () => {
      try {
        return (await visitor.graph(base, chatId)).runs.length === 0
      } catch (error) {
        // a chat whose first message did not arrive
        if (error instanceof RefusedError && error.status === 404) return true
        throw error
      }
    }
    await untilOrLost(tally, `no reply of chat ${chatId} is on its way`, idle)
  }
}

/**
 * Checks messages and their replies: every stored message has exactly one reply, whole, or a failure that the page shows;
 * no acknowledged message is missing. Counts exceptions in `tally`.
 *
 * @returns how many replies have failed visibly
 */
export async function judge(
  visitor: Visitor,
  base: string,
  sent: readonly Sent[],
  tally: Tally,
  expected: (text: string) => string = replyTo,
): Promise<number> {
  let failed = 0
  for (const chatId of new Set(sent.map((turn) => turn.chatId))) {
    const own = sent.filter((turn) => turn.chatId === chatId)
    const graph = await visitor.graph(base, chatId).catch((error: unknown) => {
      if (own.some((turn) => turn.acknowledged)) tally.losses.push(`chat ${chatId}: ${error}`)
    })
    if (!graph) continue
    const messages = await visitor.messages(base, chatId)
    const replies = graph.nodes.filter(({ role }) => role === 'assistant').length
    const questions = graph.nodes.length - replies
    if (replies > questions) tally.doubles.push(`chat ${chatId}: ${replies} replies to ${questions} messages`)
    for (const turn of own) {
      const { text, acknowledged } = turn
      const at = messages.findIndex((message) => message.role === 'user' && textOf(message) === text)
      if (at < 0) {
        if (acknowledged) tally.losses.push(`"${text}" was acknowledged and is not there`)
        continue
      }
      if (messages.filter((message) => textOf(message) === text).length > 1) {
        tally.doubles.push(`"${text}" is there twice`)
      }
      const reply = messages[at + 1]
      const failure = at === messages.length - 1 && graph.branches.some((branch) => branch.failure)
      if (reply?.role !== 'assistant') {
        turn.failed ||= failure
        if (turn.failed) failed++
        else tally.losses.push(`"${text}" has no reply`)
      } else if (reply.metadata?.status === 'failed') failed++
      else if (textOf(reply) !== expected(text)) {
        tally.losses.push(
          `the reply to "${text}" is "${textOf(reply)}" [${reply.metadata?.status ?? 'done'}]`,
        )
      }
    }
  }
  return failed
}
