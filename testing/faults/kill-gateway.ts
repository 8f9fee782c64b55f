import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault'
import { agentsAt, checkChats } from './gateway-agent'
import { answering } from './turns'

/** How long a call takes about, in ms: the moment of the kill lies anywhere in it, or after it. */
const SPAN = 400

/** Calls of a session, at each of which the server is killed. */
const SESSION = 40

/**
 * `kill -9` of the server at every call of two agents. A call that was cut is made again, as client libraries do; after one that
 * was answered in time the agent goes on.
 */
export const killGateway: Fault = {
  name: 'kill -9 at the calls of an agent',
  on: ['pglite', 'postgres'],
  async run(arena, tally, { rounds, dice }) {
    tally.of = 'kills'
    const server = await arena.shared()
    const visitor = await arena.visitor(server.url)
    arena.answer = answering(5)
    const agents = await agentsAt(server.url, visitor)
    const calls = rounds > 1 ? Math.max(rounds, SESSION) : rounds
    for (let round = 0; round < calls; round++) {
      const cuts = agents.map((agent, number) => agent.ask(`question ${round} of agent ${number}`))
      await pause(dice.roll(SPAN))
      await server.kill()
      tally.trials++
      await Promise.all([...cuts, server.start()])
      for (const agent of agents) {
        const asked = agent.asked
        if (asked !== undefined) await agent.askAgain()
        if (agent.asked !== undefined) tally.losses.push(`"${asked}" was not answered`)
      }
    }
    // a reply that a client has and the store has not comes back with the client's next call
    for (const agent of agents) await agent.ask('the last question')
    await checkChats({ tally, visitor, url: server.url }, agents)
  },
}
