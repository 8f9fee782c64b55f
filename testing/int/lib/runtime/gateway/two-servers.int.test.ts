// The calls of one session at two servers on one database, in turns and at once.

import { expect, it } from 'vitest'
import type { AgentSession } from '@/lib/gateway/session'
import type { Services } from '@/lib/runtime'
import { drawChat, ScriptedAgent, user } from '@/testing/worlds/agent-world'
import { onPostgres } from '@/testing/worlds/open-stores'
import { givenProcesses, isSound } from '@/testing/worlds/turn-world'

/** Turns of a conversation. */
const TURNS = 20

onPostgres('the calls of a session at two servers', () => {
  const { here, there } = givenProcesses('postgres')
  const agentAt = ({ ports }: Services, session: AgentSession | undefined) =>
    new ScriptedAgent(ports, { ownerId: 'ada', session })

  it.each([
    { named: 'a client that names its session', session: 'one-session' },
    { named: 'a client that sends words alone', session: undefined },
  ])(
    'given $named, when they come in turns and at both at once, then there is one chat, and each message once',
    async ({ named, session }) => {
      const of = session === undefined ? undefined : { thread: [session], isShared: true, asksTitle: false }
      const agents = [agentAt(here, of), agentAt(there, of)]
      const chats = new Set<string>()
      for (let turn = 0; turn < TURNS; turn += 1) {
        const said = user(`Question ${turn} of ${named}`)
        const asked = turn % 3 === 0 ? agents : agents.slice(turn % 2, (turn % 2) + 1)
        for (const { chatId } of await Promise.all(asked.map((agent) => agent.ask(said, `Reply ${turn}`))))
          chats.add(chatId)
        const [{ messages = [] } = {}] = asked
        for (const agent of agents) agent.messages = [...messages]
      }

      expect([...chats]).toHaveLength(1)
      const lines = Array.from({ length: TURNS }, (_, turn) => [
        `user: Question ${turn} of ${named}`,
        `assistant: Reply ${turn}`,
      ]).flat()
      const drawing = lines.map((line, depth) => '  '.repeat(depth) + line).join('\n')
      const [chatId = ''] = chats
      expect(await drawChat(here.ports, chatId)).toBe(`${drawing} *`)
      await isSound(here)
    },
  )
})
