import { beforeAll, describe, expect, it } from 'vitest'
import {
  chatStream,
  chatWhole,
  type GivenReply,
  messagesStream,
  messagesWhole,
  responsesWhole,
} from '@/testing/fixtures/provider-replies'
import type { ProviderRequest } from '@/testing/machines/provider-server'
import { type Ask, clients, type Said } from '@/testing/worlds/agent-clients'
import { tasksAfter } from '@/testing/worlds/framework'
import { linesOf, useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

/** The words of the last message of a request, in any of the protocols. */
function lastWords({ body }: ProviderRequest): { text: string; isResult: boolean } {
  const last = (body.messages ?? body.input).at(-1)
  const part = Array.isArray(last.content) ? last.content.at(-1) : last
  const isResult = last.role === 'tool' || last.type === 'function_call_output' || part.type === 'tool_result'
  const said = part.output ?? part.text ?? part.content
  return {
    text: typeof said === 'string' ? said : said.map((one: { text: string }) => one.text).join(''),
    isResult,
  }
}

/** One line of a chat, as the graph shows a message. */
function lineOf(said: Said): string {
  if ('user' in said) return `user: ${said.user}`
  if ('assistant' in said) return `assistant: ${said.assistant}`
  const what = 'call' in said ? said.what : said.result.slice('call '.length)
  return `assistant: look(${JSON.stringify({ what })})${'result' in said ? ` = ${said.text}` : ''}`
}

/** The agent: what it has said, and each message with all that stands before it, once. */
class Agent {
  calls = 0
  readonly drawn = new Set<string>()

  constructor(private readonly ask: Ask) {}

  /** Says something after a conversation, and carries out what the model calls. Returns the conversation. */
  async say(before: readonly Said[], user: string): Promise<Said[]> {
    const said: Said[] = [...before, { user }]
    for (;;) {
      this.calls += 1
      const reply = await this.ask(said)
      said.push(reply)
      const lines = said.map(lineOf)
      for (const [at] of lines.entries()) this.drawn.add(lines.slice(0, at + 1).join('\n'))
      if (!('call' in reply)) return said
      said.push({ result: reply.call, text: `seen ${reply.what}` })
    }
  }
}

onOneDatabase('an agent of many calls', ({ name }) => {
  const gateway = useGateway(name)
  /** makes the provider answer otherwise than before */
  let mood = ''
  beforeAll(() => {
    gateway.given.answer = (request, index) => {
      const { text, isResult } = lastWords(request)
      const looks = text.startsWith('look') && !isResult
      const reply: GivenReply = looks
        ? { id: `reply-${index}`, calls: [{ id: `call ${text}`, name: 'look', input: { what: text } }] }
        : { id: `reply-${index}`, text: `${isResult ? 'done' : 'said'} ${text}${mood}` }
      const { path, body } = request
      const stream = path.includes('messages') ? messagesStream : chatStream
      const whole = path.includes('responses')
        ? responsesWhole
        : path.includes('messages')
          ? messagesWhole
          : chatWhole
      return { pieces: (body.stream ? stream : whole)(reply) }
    }
  })

  // for the rest of them, the same on a smaller scale shows that their protocol is read
  const [first = '', ...others] = Object.keys(clients)
  describe.each([
    [
      first,
      process.env.RAMIFY_TEST_LONG
        ? { steps: 50, asked: 10, subs: 20, atOnce: 10, anew: 45, calls: 200 }
        : { steps: 20, asked: 4, subs: 6, atOnce: 10, anew: 12, calls: 82 },
    ],
    ...others.map(
      (client) => [client, { steps: 8, asked: 1, subs: 2, atOnce: 2, anew: 3, calls: 25 }] as const,
    ),
  ] as const)('through %s', (client, { steps, asked, subs, atOnce, anew, calls }) => {
    it('given tools, retries, two sub-agents, parallel calls and a reset, then the graph is the one drawn', async () => {
      const { id, key } = gateway.person
      const open = clients[client]
      if (!open) throw new Error(client)
      const agent = new Agent(open(gateway.world.url, key))

      let main: Said[] = []
      const stops: Said[][] = []
      for (let step = 1; step <= steps; step++) {
        stops.push(main)
        main = await agent.say(main, step % 2 === 0 ? `look ${step}` : `say ${step}`)
      }
      // the same question again: with the same answer the same message, with another one a sibling
      for (let step = 3; step < 3 + 4 * asked; step += 4) {
        await agent.say(stops[step - 1] ?? [], `say ${step}`)
        mood = ', again'
        await agent.say(stops[step - 1] ?? [], `say ${step}`)
        mood = ''
      }
      // two sub-agents that share how the conversation began
      for (const sub of ['one', 'two']) {
        let line = stops[4] ?? []
        for (let step = 1; step <= subs; step++) line = await agent.say(line, `${sub} ${step}`)
      }
      // ten at once after the same message, and each goes on
      const lines = await Promise.all(
        Array.from({ length: atOnce }, (_, at) => agent.say(main, `at once ${at}`)),
      )
      await Promise.all(lines.map((line, at) => agent.say(line, `next ${at}`)))
      // the context is summed up, and the agent begins anew
      let reset: Said[] = []
      for (let step = 1; step <= anew; step++) reset = await agent.say(reset, `after the reset ${step}`)
      await Promise.all(tasks)

      expect(agent.calls).toBe(calls)
      const stored = await linesOf(gateway.world.services, id)
      expect(stored.chats).toBe(2)
      expect(stored.lines.toSorted()).toEqual([...agent.drawn].toSorted())
    })
  })
})
