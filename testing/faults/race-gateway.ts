import type { Fault } from './fault'
import { agentsAt, checkChats } from './gateway-agent'
import { answering } from './turns'

/** Calls of a session that are spread over two servers. */
const SESSION = 40

/**
 * The calls of two agents at two servers on one database: at one, at the other, and at both at once, as a client makes a call
 * again that it takes for lost. Each chat is there once, and so is each message.
 */
export const raceGateway: Fault = {
  name: 'two servers at the calls of one session',
  on: ['postgres'],
  async run(arena, tally, { rounds }) {
    tally.of = 'calls'
    const servers = [await arena.shared(), await arena.shared(1)]
    const [{ url }] = servers as [(typeof servers)[0], ...typeof servers]
    const visitor = await arena.visitor(url)
    arena.answer = answering(1)
    const agents = await agentsAt(url, visitor)
    const calls = rounds > 1 ? Math.max(rounds, SESSION) : 6
    for (let call = 0; call < calls; call++) {
      await Promise.all(
        agents.map(async (agent, number) => {
          agent.say(`question ${call} of agent ${number}`)
          const asked = call % 3 === 0 ? servers : servers.slice(call % 2, (call % 2) + 1)
          const [words = ''] = await Promise.all(asked.map((server) => agent.call(`${server.url}/v1`)))
          tally.trials += asked.length
          agent.hear(words)
        }),
      )
    }
    await checkChats({ tally, visitor, url }, agents)
  },
}
