import {
  type ContextData,
  deserializeFragment,
  isHiddenMessage,
  type MessageData,
  type SerializedFragment,
} from '@/lib/context'
import type { ChatId } from '@/lib/events'
import type { ExportPart } from '@/lib/protocol'
import type { Ports } from '../ports'
import { compilePrompt } from '../replies/prompt'
import { choicesIn, idleWork, toolsFor } from '../replies/reply-tools'
import { type ReadablePart, readableParts, wordsOf } from './readable-parts'

/** A message of OpenAI's chat format, as its fine-tuning takes it. */
export type TrainingMessage =
  | { role: 'system' | 'user'; content: string }
  | {
      role: 'assistant'
      content: string | null
      tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
    }
  | { role: 'tool'; tool_call_id: string; content: string }

/** A tool of OpenAI's chat format. */
export interface TrainingTool {
  type: 'function'
  function: { name: string; description?: string; parameters: unknown }
}

/** A reply with tools is several messages: the call, its answers, and the text after them. */
export function trainingMessages(message: MessageData, without: readonly ExportPart[]): TrainingMessage[] {
  if (isHiddenMessage(message.data)) return []
  const role = message.name === 'assistant' ? 'assistant' : message.name === 'system' ? 'system' : 'user'
  const parts = readableParts(message, without)
  if (role !== 'assistant') {
    const content = parts.map(wordsOf).filter(Boolean).join('\n\n')
    return content === '' ? [] : [{ role, content }]
  }
  const messages: TrainingMessage[] = []
  let said: string[] = []
  let tools: Extract<ReadablePart, { kind: 'tool' }>[] = []
  const close = () => {
    const content = said.join('\n\n')
    if (content === '' && tools.length === 0) return
    messages.push({
      role: 'assistant',
      content: content === '' ? null : content,
      ...(tools.length > 0 && {
        tool_calls: tools.map(({ id, name, input }) => ({
          id,
          type: 'function' as const,
          function: { name, arguments: plainText(input) },
        })),
      }),
    })
    for (const { id, output, error } of tools) {
      const content = error ?? (output === undefined ? '' : plainText(output))
      messages.push({ role: 'tool', tool_call_id: id, content })
    }
    said = []
    tools = []
  }
  for (const part of parts) {
    if (part.kind === 'tool') tools.push(part)
    else {
      if (tools.length > 0) close()
      const words = wordsOf(part)
      if (words !== '') said.push(words)
    }
  }
  close()
  return messages
}

const plainText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** The context that a model was given besides the messages. */
export interface TrainingContext {
  system: TrainingMessage[]
  tools: TrainingTool[]
}

/** Reads contexts for training data, each once. */
export class TrainingContexts {
  readonly #read = new Map<string, TrainingContext>()

  constructor(
    private readonly ports: Pick<Ports, 'reads' | 'tools' | 'models'>,
    private readonly chatId: ChatId,
    private readonly without: readonly ExportPart[],
  ) {}

  async of(contextId: string | undefined): Promise<TrainingContext> {
    if (contextId === undefined || this.without.includes('context')) return { system: [], tools: [] }
    const known = this.#read.get(contextId)
    if (known) return known
    const context = (await this.ports.reads.context(this.chatId, contextId)) ?? null
    const { instructions } = compilePrompt([], context)
    const read: TrainingContext = {
      system: instructions.trim() === '' ? [] : [{ role: 'system', content: instructions }],
      tools: this.without.includes('tools')
        ? []
        : [...agentTools(context), ...(await this.#ownTools(context))],
    }
    this.#read.set(contextId, read)
    return read
  }

  /** The tools that are switched on, as a reply is asked with them. */
  async #ownTools(context: ContextData | null): Promise<TrainingTool[]> {
    const { sent, close } = await toolsFor(this.ports, {
      chatId: this.chatId,
      model: context?.model ?? this.ports.models.defaultId,
      choices: choicesIn(context),
      work: idleWork,
    })
    await close()
    return sent.map(({ name, description, input_schema }) => ({
      type: 'function',
      function: { name, description, parameters: input_schema },
    }))
  }
}

/** The tools that an agent carries out itself: its context keeps them as fragments. */
function agentTools(context: ContextData | null): TrainingTool[] {
  const fragments = (context?.fragments ?? []) as SerializedFragment[]
  return fragments.flatMap((stored) => {
    const { name, data } = deserializeFragment(stored)
    if (name !== 'tool' || typeof data !== 'object' || data === null) return []
    const tool = data as Readonly<Record<string, unknown>>
    if (typeof tool.name !== 'string' || typeof tool.schema !== 'string') return []
    return [
      {
        type: 'function' as const,
        function: {
          name: tool.name,
          ...(typeof tool.description === 'string' && { description: tool.description }),
          parameters: jsonIn(tool.schema),
        },
      },
    ]
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // a schema that was cut is no schema: any input fits
    return { type: 'object' }
  }
}

/** Tools of a line: the given ones, and called ones that are no longer given. */
export function toolsWith(
  given: readonly TrainingTool[],
  messages: readonly TrainingMessage[],
): { tools?: TrainingTool[] } {
  const tools = new Map(given.map((tool) => [tool.function.name, tool]))
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const { function: called } of message.tool_calls ?? []) {
      if (tools.has(called.name)) continue
      tools.set(called.name, {
        type: 'function',
        function: { name: called.name, parameters: { type: 'object' } },
      })
    }
  }
  return tools.size === 0 ? {} : { tools: [...tools.values()] }
}
