import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresServer } from '@/testing/machines/postgres-cluster'
import type { Arena } from './arena'
import type { Fault, Tally } from './fault'
import { answering, judge, Sent, settle, untilOrLost } from './turns'
import { RefusedError, type Visitor } from './visitor'

/** How soon after the database is back everything has to work again, in ms. */
const SOON = 5000
/** How soon a request is refused while it is away, in ms. */
const TOLD = 5000
/** How long it is away: at least, and how much more when there are many rounds, in ms. */
const AWAY = 3000
const MORE = 8000

type Restart = NonNullable<PostgresServer['restart']>

/** Postgres is restarted in the middle of a chat, at once (`-m immediate`). */
export const restartDatabase = (restart: Restart): Fault => ({
  name: 'the database restarted mid-chat',
  on: ['postgres'],
  run: (arena, tally, { rounds, dice, patience }) =>
    disturb(arena, tally, { rounds, patience }, async () => {
      await pause(dice.roll(700))
      await restart()
    }),
})

/** Postgres is away for some seconds while replies are written: requests meanwhile are refused, and no reply is lost. */
export const loseDatabase = (restart: Restart): Fault => ({
  name: 'the database away for seconds',
  on: ['postgres'],
  run: (arena, tally, { rounds, dice, patience }) =>
    disturb(arena, tally, { rounds: Math.ceil(rounds / 3), patience }, async (visitor, base) => {
      await pause(dice.roll(500))
      await restart(async () => {
        const back = pause(AWAY + (rounds > 5 ? dice.roll(MORE) : 0))
        const asked = performance.now()
        const refusal = await visitor.send(base, randomUUID(), 'Are you there?').then(
          () => 'it was taken',
          (error: unknown) => (error instanceof RefusedError && error.isProblem ? undefined : String(error)),
        )
        const took = performance.now() - asked
        if (refusal !== undefined) tally.losses.push(`a message while the database is away: ${refusal}`)
        if (took > TOLD * patience)
          tally.losses.push(`it took ${took.toFixed(0)} ms to say that the database is away`)
        await back
      })
    }),
})

/** Talks in three chats, disturbs the database, and expects the server to recover soon. */
async function disturb(
  arena: Arena,
  tally: Tally,
  { rounds, patience }: { rounds: number; patience: number },
  fault: (visitor: Visitor, base: string) => Promise<void>,
): Promise<void> {
  const server = await arena.shared()
  const { url: base } = server
  const visitor = await arena.visitor(base)
  const chats = [randomUUID(), randomUUID(), randomUUID()]
  arena.answer = answering(30)
  const all: Sent[] = []
  for (let round = 0; round < rounds; round++) {
    const turns = chats.map((chatId, i) => new Sent(visitor, base, chatId, `message ${round}.${i}`))
    await fault(visitor, base)
    tally.trials++
    // then the server is well again by itself, and the next turn works
    const healthy = async () => (await visitor.json<{ status: string }>(`${base}/api/health`)).status === 'ok'
    await untilOrLost(tally, 'the server is well again', healthy, { timeout: SOON * patience })
    await settle(visitor, base, chats, tally)
    await Promise.all(turns.map((turn) => turn.over))
    const next = new Sent(visitor, base, randomUUID(), `message after ${round}`)
    await next.over
    if (!next.acknowledged) tally.losses.push(`the message after round ${round} was not taken`)
    all.push(...turns, next)
  }
  if (server.pid === undefined) tally.losses.push('the server did not live through it')
  const failed = await judge(visitor, base, all, tally)
  if (failed > 0) tally.losses.push(`${failed} replies have failed`)
  const acknowledged = all.filter((turn) => turn.acknowledged).length
  tally.of = `times, ${all.length} messages, ${acknowledged} acknowledged`
}
