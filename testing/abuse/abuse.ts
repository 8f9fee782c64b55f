import { inspect } from 'node:util'
import type { Arena } from '@/testing/faults/arena'
import type { Fault, FaultGroup } from '@/testing/faults/fault'
import { freePort } from '@/testing/machines/free-port'
import { type Attack, ask } from './attack'
import { Bystander, type Worst } from './bystander'
import { bodies, pages, searches } from './costly-requests'
import { commands, guesses, replies, revoked, sameIds, streams } from './crowds'
import { heavyReads } from './heavy-reads'
import { hostileFiles } from './hostile-files'
import { hostileRequests } from './hostile-requests'
import { slowPeers } from './peers'
import { type Memory, ServerMemory } from './server-memory'

/** How long any request of the bystander may take while one person attacks on a machine without other work, in ms. */
const AT_MOST = 1000
/** How long the slowest of some pages takes without an attack on the machine that these times are meant for, in ms. */
const QUIET_PAGE = 100
/** How long the person is alone on the server before the attacks, in ms: about ten pages. */
const QUIET = 3000
/** Between two rounds of the person, in ms, below every limit of writes; in a short run, where a round takes time from the attacks. */
const [PAUSE, SHORT_PAUSE] = [200, 1000]
/** By how much a server's memory may have grown once an attack is over, as a part of the memory before. */
const MORE_MEMORY = 0.2
/** Attacks come in quick succession, and copy long chats: the limits of writes and of messages are not under test. */
const settings = {
  // the bystander waits for whole replies: their words need not come as slowly as people read
  RAMIFY_DEMO_DELAY_MS: '0',
  RAMIFY_RATE_LIMIT: '6000',
  RAMIFY_READ_LIMIT: '60000',
  RAMIFY_QUOTA_MESSAGES: 'off',
  RAMIFY_QUOTA_ADDRESS_MESSAGES: 'off',
  RAMIFY_QUOTA_TOKENS: 'off',
  RAMIFY_QUOTA_ADDRESS_TOKENS: 'off',
}

/** One server for all attacks of an arena. */
const stages = new WeakMap<Arena, ReturnType<typeof open>>()

async function open(arena: Arena, patience: number, env: Record<string, string>) {
  const memory = new ServerMemory(await freePort())
  const server = await arena.server({ ...settings, ...env, ...memory.env })
  // memory that the first of everything loads stays, and does not count
  const guest = await arena.visitor(server.url)
  await ask(guest, `${server.url}/api/search?q=hello`)
  const bystander = await Bystander.at(server.url, patience > 1 ? SHORT_PAUSE : PAUSE)
  arena.atEnd(() => bystander.leave())
  /** the memory that the last attack has left */
  const left = await memory.read(2)
  if (patience > 1) return { bystander, memory, server, left, slowness: 1 }
  await bystander.worst()
  await new Promise((resolve) => setTimeout(resolve, QUIET))
  const { page } = await bystander.worst()
  console.log(`     without an attack: page ${page.toFixed(0)} ms at worst`)
  // how many times slower the machine is at this moment than the one that times are meant for
  return { bystander, memory, server, left, slowness: Math.max(1, page / QUIET_PAGE) }
}

/**
 * An attack as a fault: it must not slow the bystander, and cost the server no memory. In a short run the machine slows
 * the bystander too, and so a time is judged only when it is ten times too long: what is broken here stops everything.
 */
const faultOf = (attack: Attack, env: Record<string, string> = {}): Fault => ({
  name: `abuse: ${attack.name}`,
  on: attack.on ? [attack.on] : ['pglite', 'postgres'],
  ...(attack.repliesEach !== undefined && { repliesEach: attack.repliesEach }),
  async run(arena, tally, { rounds, dice, patience }) {
    const opening = stages.get(arena) ?? open(arena, patience, env)
    stages.set(arena, opening)
    const opened = await opening
    const { bystander, server, memory, slowness } = opened
    const scene = { base: server.url, arena, dice, rounds, patience }
    await attack.prepare?.(scene)
    // what the attack before has left, unless more was loaded since: to collect garbage takes a second
    const before = attack.prepare ? await memory.read(2) : opened.left
    await bystander.worst()
    const problems = await attack.run(scene).catch((error: unknown) => [inspect(error)])
    const worst = await bystander.worst()
    const after = await settled(memory, before)
    opened.left = after
    tally.trials += worst.rounds
    tally.of = `rounds of a chat beside it, at worst ${times(worst)}; ${inMegabytes(before)} before, ${inMegabytes(after)} after`
    tally.losses.push(
      ...problems,
      ...judge(worst, (attack.atMost ?? AT_MOST) * slowness * patience),
      // which also means slow: its database answers late
      ...(patience === 1 && worst.unwell > 0 ? [`the server was unwell ${worst.unwell} times`] : []),
      ...grown(before, after),
      ...uncaughtIn(server.errors),
    )
  },
})

export const abuses: FaultGroup[] = [
  {
    short: 'pglite',
    faults: [searches, pages, replies, sameIds, hostileFiles].map((attack) => faultOf(attack)),
  },
  {
    short: 'postgres',
    faults: [bodies, commands, streams, revoked, guesses, ...heavyReads].map((attack) => faultOf(attack)),
  },
]

/** Attempts to sign in come as often as all else that an attack asks for. */
const unlimited = { RAMIFY_SIGN_IN_LIMIT: 'off' }

/** Connections that do nothing, and so nothing but waiting; and requests that take little to refuse. */
export const idleAbuses: FaultGroup[] = [
  { short: 'postgres', faults: [slowPeers, hostileRequests].map((attack) => faultOf(attack, unlimited)) },
]

function judge(worst: Worst, atMost: number): string[] {
  const late = (['page', 'send', 'firstWord', 'health'] as const).filter((what) => worst[what] > atMost)
  return [
    ...worst.problems.map((problem) => `beside it: ${problem}`),
    ...late.map((what) => `beside it, ${what} took ${worst[what].toFixed(0)} ms`),
  ]
}

/** What a server's code has let fall: nothing of it says what was asked, so the log is looked at for all attacks so far. */
const uncaughtIn = (errors: string): string[] =>
  errors
    .split('\n')
    .filter((line) => /unhandled|uncaught/i.test(line))
    .map((line) => `in its log: ${line}`)

/** The memory once the attack's leftovers are done; the last reading of some when it stays above. */
async function settled(memory: ServerMemory, before: Memory): Promise<Memory> {
  const until = performance.now() + 20_000
  for (;;) {
    const now = await memory.read()
    if (grown(before, now).length === 0 || performance.now() > until) return now
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

function grown(before: Memory, after: Memory): string[] {
  return after.held <= before.held * (1 + MORE_MEMORY)
    ? []
    : [`the server holds ${inMegabytes(after)}, and held ${inMegabytes(before)}`]
}

const times = ({ page, send, firstWord, health }: Worst): string =>
  `page ${page.toFixed(0)}, send ${send.toFixed(0)}, first word ${firstWord.toFixed(0)}, health ${health.toFixed(0)} ms`

const inMegabytes = ({ held, resident }: Memory): string =>
  `${(held / 1e6).toFixed(0)} MB (${(resident / 1e6).toFixed(0)} resident)`
