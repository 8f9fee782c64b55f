import { setTimeout as pause } from 'node:timers/promises'
import type { ChatPage } from '@/lib/protocol'
import type { Fault, Tally } from './fault'
import { answering, replyTo, untilOrLost } from './turns'
import { textOf, type Visitor } from './visitor'

/** How long a call takes about, in ms: the moment of the kill lies anywhere in it, or after it. */
const SPAN = 400

/** The clients that are killed: one that sends words alone, and one that names its session. */
const sessions: readonly Record<string, string>[] = [{}, { 'x-session-id': 'session-of-the-agent' }]

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
    const { key } = await visitor.json<{ key: string }>(`${server.url}/api/keys`, { name: 'agent' })
    arena.answer = answering(5)
    const agents = sessions.map(
      (headers) => new Agent(`${server.url}/v1`, { ...headers, authorization: `Bearer ${key}` }),
    )
    for (let round = 0; round < rounds; round++) {
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
    const { chats, total } = await visitor.json<ChatPage>(`${server.url}/api/chats`)
    if (total !== agents.length) tally.doubles.push(`there are ${total} chats of ${agents.length} agents`)
    const place = { tally, visitor, url: server.url }
    for (const { id } of chats) await checkChat(place, id, agents)
  },
}

/** A client that remembers what it said and was answered, and sends all of it with every call. */
class Agent {
  readonly said: { role: 'user' | 'assistant'; content: string }[] = []
  /** what is not answered yet */
  asked: string | undefined

  constructor(
    private readonly base: string,
    private readonly headers: Record<string, string>,
  ) {}

  /** Asks; a call that is cut stays unanswered. */
  async ask(question: string): Promise<void> {
    this.said.push({ role: 'user', content: question })
    this.asked = question
    await this.askAgain().catch(() => undefined)
  }

  /** Makes the last call again. Rejects when it is cut or refused. */
  async askAgain(): Promise<void> {
    const response = await fetch(`${this.base}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.headers },
      body: JSON.stringify({ model: 'openai-compatible:scripted', messages: this.said, stream: true }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 300)}`)
    const words = wordsIn(text)
    if (words !== replyTo(this.asked ?? '')) throw new Error(`"${this.asked}" was answered "${words}"`)
    this.asked = undefined
    this.said.push({ role: 'assistant', content: words })
  }
}

/** The graph of a chat is what one of the agents has said and was answered, once. */
async function checkChat(
  { tally, visitor, url }: { tally: Tally; visitor: Visitor; url: string },
  chatId: string,
  agents: readonly Agent[],
): Promise<void> {
  const graph = () => visitor.graph(url, chatId)
  const [first] = (await visitor.messages(url, chatId)).map(textOf)
  const said = agents.find((agent) => agent.said[0]?.content === first)?.said
  if (!said) return void tally.doubles.push(`a chat begins with "${first}"`)
  // a reply is stored once its last word is out
  await untilOrLost(
    tally,
    'the last reply is stored',
    async () => (await graph()).nodes.length >= said.length,
  )
  const { nodes } = await graph()
  if (nodes.length > said.length)
    tally.doubles.push(`the graph has ${nodes.length} messages of ${said.length}`)
  const stored = (await visitor.messages(url, chatId)).map(textOf)
  const wrong = said.findIndex(({ content }, at) => stored[at] !== content)
  if (wrong >= 0) tally.losses.push(`message ${wrong} is "${stored[wrong]}"`)
}

/** The words of a streamed chat completion. */
const wordsIn = (stream: string): string =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => (JSON.parse(line.slice(6)) as Chunk).choices[0]?.delta?.content ?? '')
    .join('')

interface Chunk {
  choices: { delta?: { content?: string | null } }[]
}
