import { setTimeout as pause } from 'node:timers/promises'
import type { ChatPage } from '@/lib/protocol'
import type { Fault } from './fault'
import { answering, replyTo, untilOrLost } from './turns'
import { textOf } from './visitor'

/** How long a call takes about, in ms: the moment of the kill lies anywhere in it, or after it. */
const SPAN = 400

/** `kill -9` of the server at every call of an agent, which then makes the call again, as client libraries do. */
export const killGateway: Fault = {
  name: 'kill -9 at the calls of an agent',
  on: ['pglite', 'postgres'],
  async run(arena, tally, { rounds, dice }) {
    tally.of = 'kills'
    const server = await arena.shared()
    const visitor = await arena.visitor(server.url)
    const { key } = await visitor.json<{ key: string }>(`${server.url}/api/keys`, { name: 'agent' })
    arena.answer = answering(5)
    const said: { role: 'user' | 'assistant'; content: string }[] = []
    const call = async () => {
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'openai-compatible:scripted', messages: said, stream: true }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 300)}`)
      return wordsIn(text)
    }
    for (let round = 0; round < rounds; round++) {
      said.push({ role: 'user', content: `question ${round}` })
      const cut = call().catch(() => 'the server has died')
      await pause(dice.roll(SPAN))
      await server.kill()
      tally.trials++
      await Promise.all([cut, server.start()])
      const words = await call()
      if (words !== replyTo(`question ${round}`)) tally.losses.push(`call ${round} was answered "${words}"`)
      said.push({ role: 'assistant', content: words })
    }
    const { chats, total } = await visitor.json<ChatPage>(`${server.url}/api/chats`)
    const [chat] = chats
    if (!chat || total !== 1) tally.losses.push(`there are ${total} chats`)
    else {
      const graph = () => visitor.graph(server.url, chat.id)
      // a reply is stored once its last word is out
      await untilOrLost(
        tally,
        'the last reply is stored',
        async () => (await graph()).nodes.length >= said.length,
      )
      const { nodes } = await graph()
      if (nodes.length > said.length) tally.doubles.push(`the graph has ${nodes.length} messages`)
      const stored = (await visitor.messages(server.url, chat.id)).map(textOf)
      const wrong = said.findIndex(({ content }, at) => stored[at] !== content)
      if (wrong >= 0) tally.losses.push(`message ${wrong} is "${stored[wrong]}"`)
    }
  },
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
