import { convertToModelMessages, type ModelMessage, type ToolSet, type UIMessage } from 'ai'
import { readBy } from '@/lib/events/read-by'
import { type Receiver, takesOf } from './prompt/takes'
import { cutMark, wellFormed } from './prompt/well-formed'

/** The parts of a reply's prompt, before it is written for a provider. */
export type PromptParts = {
  /** The system prompt. */
  readonly instructions?: string
  /** The chain the model answers to, root first. */
  readonly messages: readonly UIMessage[]
  readonly tools?: ToolSet
  /** The id of the model that is asked: thoughts and data of other models are nothing to it. */
  readonly modelId?: string
  /** the last message is a cut reply, to be gone on with */
  readonly continues?: boolean | undefined
}

/** A prompt as the messages of a request. */
export type ModelPrompt = {
  readonly system: string | undefined
  readonly messages: ModelMessage[]
  /** for each message, the one of the chain that it is made from */
  readonly from: readonly UIMessage[]
}

/**
 * Writes a chain as the messages of a request. System messages of an imported chat join the instructions: as messages the AI
 * SDK refuses them.
 */
export async function modelPrompt({
  instructions,
  messages,
  tools,
  modelId,
  continues = false,
}: PromptParts): Promise<ModelPrompt> {
  const spoken = messages.filter(({ role }) => role !== 'system')
  const imported = messages
    .filter(({ role }) => role === 'system')
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
  const system = [instructions ?? '', ...imported].filter((text) => text.trim() !== '')
  const written = await Promise.all(
    spoken.map(async (message) => {
      const said = modelId === undefined ? message : readBy(modelId, message)
      const each = await convertToModelMessages([said], { tools, ignoreIncompleteToolCalls: true })
      return each.map((one) => ({ one, message }))
    }),
  )
  const sent = written.flat()
  const said = sent.map(({ one }) => one)
  return {
    system: system.length === 0 ? undefined : system.join('\n\n'),
    messages: continues ? marked(said) : said,
    from: sent.map(({ message }) => message),
  }
}

/** The messages of a prompt whose last reply is gone on with. After the result of a tool a model goes on by itself. */
function marked(messages: ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1)
  const says =
    last?.role === 'assistant' &&
    (typeof last.content === 'string' ||
      last.content.some((part) => part.type === 'text' && part.text.trim() !== ''))
  return last && says ? [...messages.slice(0, -1), { ...last, providerOptions: cutMark }] : messages
}

/**
 * A prompt as a model receives it: `taking` sends it.
 *
 * @param receiver undefined for the demo model, which takes everything
 */
export async function sentPrompt(parts: PromptParts, receiver: Receiver | undefined): Promise<ModelPrompt> {
  // the demo model goes on by itself
  if (receiver === undefined) return modelPrompt({ ...parts, continues: false })
  const prompt = await modelPrompt(parts)
  const { system, messages, from } = prompt
  const instructions: ModelMessage[] = system === undefined ? [] : [{ role: 'system', content: system }]
  const sent = wellFormed([...instructions, ...messages], takesOf(receiver))
  const [first] = sent
  const rest = first?.message.role === 'system' ? sent.slice(1) : sent
  return {
    system: first?.message.role === 'system' ? first.message.content : undefined,
    messages: rest.map(({ message }) => message),
    from: rest.flatMap((placed) => from[Math.max(0, placed.from - instructions.length)] ?? []),
  }
}
