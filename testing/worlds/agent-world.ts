import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'
import { type AgentPorts, type BegunCall, beginCall, type CallRequest } from '@/lib/conversations'
import type { AgentCall, AgentPlace, AgentReply } from '@/lib/gateway/agent-call'

/** A call of an agent with these messages. */
export const callOf = (messages: ModelMessage[], over: Partial<AgentCall> = {}): AgentCall => ({
  protocol: 'chat-completions',
  model: 'scripted',
  system: ['Be brief.'],
  tools: [],
  settings: {},
  messages,
  streamed: false,
  ...over,
})

export const user = (text: string): ModelMessage => ({ role: 'user', content: text })

export const assistant = (text: string): AssistantModelMessage => ({ role: 'assistant', content: text })

/** A reply that calls tools, by the ids of the calls. */
export const calling = (...ids: string[]): AssistantModelMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'look_up',
    input: { word: id },
  })),
})

export const answering = (id: string, text: string): ToolModelMessage => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: id, toolName: 'look_up', output: { type: 'text', value: text } },
  ],
})

export const replyOf = (
  message: AssistantModelMessage | string,
  over: Partial<AgentReply> = {},
): AgentReply => ({
  message: typeof message === 'string' ? assistant(message) : message,
  model: 'scripted-1',
  finishReason: 'stop',
  usage: { input: 10, output: 5 },
  ...over,
})

/** An agent that remembers what it said and was answered, as client libraries do, and sends all of it with every call. */
export class ScriptedAgent {
  messages: ModelMessage[] = []

  constructor(
    private readonly ports: AgentPorts,
    private readonly options: Omit<CallRequest, 'call'> & { call?: Partial<AgentCall> },
  ) {}

  /** Asks with what was said so far and these messages; the reply is remembered. */
  async ask(said: ModelMessage | ModelMessage[], reply: AssistantModelMessage | string): Promise<AgentPlace> {
    this.messages.push(...(Array.isArray(said) ? said : [said]))
    const begun = await this.begin()
    const answered = replyOf(reply)
    this.messages.push(answered.message)
    return begun.end(answered)
  }

  /** The call as it stands, without its end. */
  begin(): Promise<BegunCall> {
    const { call, ...options } = this.options
    return beginCall(this.ports, { ...options, call: callOf([...this.messages], call) })
  }

  /** Another agent that begins with what this one has said. */
  fork(): ScriptedAgent {
    const other = new ScriptedAgent(this.ports, this.options)
    other.messages = [...this.messages]
    return other
  }
}

/**
 * A chat as a drawing: a line per message, two spaces for each message above it, siblings in the order of their words, and the
 * branches that end there.
 */
export async function drawChat({ store }: Pick<AgentPorts, 'store'>, chatId: string): Promise<string> {
  const [messages, branches] = await Promise.all([store.getMessages(chatId), store.listBranches(chatId)])
  const textOf = (data: unknown) =>
    ((data as { parts: Record<string, unknown>[] }).parts ?? [])
      .map((part) =>
        part.type === 'dynamic-tool'
          ? `${part.toolCallId}${part.output === undefined ? '?' : `=${String(part.output)}`}`
          : String(part.text ?? part.url ?? part.type),
      )
      .join(' ')
  const below = (parentId: string | null, depth: number): string[] =>
    messages
      .filter((message) => message.parentId === parentId)
      .map(({ id, name, data, status }) => {
        const ends = branches.filter(({ headMessageId }) => headMessageId === id).length
        const line = `${name}: ${textOf(data)}${status ? ` [${status}]` : ''}${' *'.repeat(ends)}`
        return { line, children: below(id, depth + 1) }
      })
      .sort((one, other) => (one.line < other.line ? -1 : 1))
      .flatMap(({ line, children }) => [`${'  '.repeat(depth)}${line}`, ...children])
  return below(null, 0).join('\n')
}

/** A drawing in a test, without its indentation. */
export const drawn = (text: string): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length))
  return lines.map((line) => line.slice(margin).trimEnd()).join('\n')
}
