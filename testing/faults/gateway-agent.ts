import type { ChatPage } from '@/lib/protocol'
import type { Tally } from './fault'
import { replyTo, untilOrLost } from './turns'
import { textOf, type Visitor } from './visitor'

/** The agents that are disturbed: one that sends words alone, and one that names its session. */
const sessions: readonly Record<string, string>[] = [{}, { 'x-session-id': 'session-of-the-agent' }]

/** The agents of a visitor, at a server. */
export async function agentsAt(url: string, visitor: Visitor): Promise<Agent[]> {
  const { key } = await visitor.json<{ key: string }>(`${url}/api/keys`, { name: 'agent' })
  return sessions.map((headers) => new Agent(`${url}/v1`, { ...headers, authorization: `Bearer ${key}` }))
}

/** Then each agent has one chat, and that is what it has said and was answered, once. */
export async function checkChats(
  place: { tally: Tally; visitor: Visitor; url: string },
  agents: readonly Agent[],
): Promise<void> {
  const { tally, visitor, url } = place
  const { chats, total } = await visitor.json<ChatPage>(`${url}/api/chats`)
  if (total !== agents.length) tally.doubles.push(`there are ${total} chats of ${agents.length} agents`)
  for (const { id } of chats) await checkChat(place, id, agents)
}

/** A client that remembers what it said and was answered, and sends all of it with every call. */
export class Agent {
  readonly said: { role: 'user' | 'assistant'; content: string }[] = []
  /** what is not answered yet */
  asked: string | undefined

  constructor(
    private readonly base: string,
    private readonly headers: Record<string, string>,
  ) {}

  /** Has something to ask. */
  say(question: string): void {
    this.said.push({ role: 'user', content: question })
    this.asked = question
  }

  /** Asks; a call that is cut stays unanswered. */
  async ask(question: string): Promise<void> {
    this.say(question)
    await this.askAgain().catch(() => undefined)
  }

  /** Makes the last call again. Rejects when it is cut or refused. */
  async askAgain(): Promise<void> {
    this.hear(await this.call())
  }

  /** Takes in the reply to what it has asked. */
  hear(words: string): void {
    this.asked = undefined
    this.said.push({ role: 'assistant', content: words })
  }

  /**
   * The words that answer its call. Rejects when that is cut or refused.
   *
   * @param base of another server
   */
  async call(base = this.base): Promise<string> {
    const response = await fetch(`${base}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.headers },
      body: JSON.stringify({ model: 'openai-compatible:scripted', messages: this.said, stream: true }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 300)}`)
    const words = wordsIn(text)
    if (words !== replyTo(this.asked ?? '')) throw new Error(`"${this.asked}" was answered "${words}"`)
    return words
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
