import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ContextStore } from '@/lib/context'
import type { AgentPorts } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { useOpened } from '../contracts/use-opened'
import { answering, assistant, calling, drawChat, replyOf, ScriptedAgent, user } from '../worlds/agent-world'

/** What one agent does. Its words are few, so that agents often say the same. */
interface Act {
  verb: (typeof verbs)[number]
  word: number
  reply: number
  other: number
}

const verbs = [
  ...(['ask', 'ask', 'ask', 'tool', 'tool', 'retry', 'rewind', 'reset', 'fork', 'again', 'killed'] as const),
]

const act: fc.Arbitrary<Act> = fc.record({
  verb: fc.constantFrom(...verbs),
  word: fc.nat({ max: 2 }),
  reply: fc.nat({ max: 1 }),
  other: fc.nat({ max: 3 }),
})

/** Four agents act at once. */
const round = fc.tuple(act, act, act, act)

/** Everything that was said, as a tree of lines: the drawn chats hold each line once, however often it was said. */
class Told {
  readonly #below = new Map<string, Told>()

  say(lines: readonly string[]): void {
    const [line, ...rest] = lines
    if (line === undefined) return
    const known = this.#below.get(line) ?? new Told()
    this.#below.set(line, known)
    known.say(rest)
  }

  /** A drawing for every first message; what nothing follows is the head of a branch. */
  draw(depth = 0): string[] {
    return [...this.#below]
      .map(([line, told]) => ({ line, below: told.draw(depth + 1) }))
      .sort((one, other) => (one.line < other.line ? -1 : 1))
      .map(({ line, below }) => [`${'  '.repeat(depth)}${line}`, ...below].join('\n'))
  }
}

function lineOf({ role, content }: ModelMessage): string {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const words = parts.map((part) => {
    if (part.type === 'tool-call') return `${part.toolCallId}?`
    if (part.type === 'tool-result' && part.output.type === 'text')
      return `${part.toolCallId}=${part.output.value}`
    return part.type === 'text' ? part.text : part.type
  })
  return `${role}: ${words.join(' ')}`
}

class Agent extends ScriptedAgent {
  constructor(
    ports: AgentPorts,
    ownerId: string,
    private readonly told: Told,
  ) {
    super(ports, { ownerId })
  }

  async take({ verb, word, reply, other }: Act, agents: readonly Agent[]): Promise<void> {
    const question = user(`word ${word}`)
    switch (verb) {
      case 'ask':
        return this.#say([question], `reply ${reply}`)
      case 'tool': {
        this.messages.push(question)
        await this.#end(calling(`c${word}`))
        return this.#say([answering(`c${word}`, `answer ${reply}`)], `reply ${reply}`)
      }
      case 'retry':
        this.messages.pop()
        return this.messages.length === 0 ? undefined : this.#end(assistant(`reply ${reply}`))
      case 'again': {
        const last = this.messages.pop()
        return last?.role === 'assistant' && this.messages.length > 0 ? this.#end(last) : undefined
      }
      case 'rewind':
        this.messages = this.messages.slice(0, 2 * word)
        return
      case 'reset':
        this.messages = []
        return
      case 'fork':
        this.messages = [...(agents[other]?.messages ?? [])]
        return
      case 'killed':
        this.messages.push(question)
        this.told.say(this.messages.map(lineOf))
        await this.begin()
    }
  }

  #say(said: ModelMessage[], reply: string): Promise<void> {
    this.messages.push(...said)
    return this.#end(assistant(reply))
  }

  async #end(message: ReturnType<typeof assistant>): Promise<void> {
    // what another agent says here was said with its own beginning
    if (this.messages.at(-1)?.role === 'assistant') this.messages.pop()
    this.told.say(this.messages.map(lineOf))
    const begun = await this.begin()
    this.messages.push(message)
    this.told.say(this.messages.map(lineOf))
    const place = await begun.end(replyOf(message))
    expect(place.chatId).toBe(begun.place.chatId)
  }
}

/** A store, and what else holds of a chat on it. */
interface Bench {
  ports: AgentPorts
  store: ContextStore
  findings(chatId: string): Promise<string[]>
  close(): Promise<void>
}

/** Random agents, four at a time, against the tree of everything that they have said. */
export function describeAgentProperties(
  name: string,
  open: () => Promise<Bench>,
  options: { runs: number; length: number },
): void {
  const seed = Number(process.env.AGENT_SEED) || Date.now() % 1_000_000_000
  describe(`agents on ${name}`, () => {
    const getBench = useOpened(open)
    test(`make the tree of what they said in ${options.runs} histories of up to ${options.length} rounds (seed ${seed})`, async () => {
      const bench = getBench()
      const history = fc.array(round, { minLength: 1, maxLength: options.length, size: 'max' })
      await fc.assert(
        fc.asyncProperty(history, async (rounds) => {
          const ownerId = newId()
          const empty = newId()
          await bench.store.upsertChat({ id: empty, userId: ownerId })
          const told = new Told()
          const agents = [0, 1, 2, 3].map(() => new Agent(bench.ports, ownerId, told))
          for (const acts of rounds) {
            await Promise.all(agents.map((agent, index) => agent.take(acts[index] as Act, agents)))
          }
          const chats = (await bench.store.listChats({ userId: ownerId })).filter(({ id }) => id !== empty)
          const drawings = await Promise.all(chats.map(({ id }) => drawChat(bench.ports, id)))
          const plain = drawings.map((drawing) => drawing.replaceAll(' *', '')).sort()
          expect(plain).toEqual(told.draw().sort())
          for (const drawing of drawings)
            expect(endsOf(drawing).every((line) => line.endsWith(' *'))).toBe(true)
          for (const { id } of chats) expect(await bench.findings(id)).toEqual([])
        }),
        { seed, numRuns: options.runs },
      )
    }, 240_000)
  })
}

/** The lines of a drawing that nothing follows. */
function endsOf(drawing: string): string[] {
  const lines = drawing.split('\n')
  const depth = (line: string | undefined) => (line === undefined ? 0 : line.length - line.trimStart().length)
  return lines.filter((line, at) => depth(lines[at + 1]) <= depth(line))
}
