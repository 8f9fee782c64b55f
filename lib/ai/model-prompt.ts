import { convertToModelMessages, type ModelMessage, type ToolSet, type UIMessage } from 'ai'
import { type Receiver, takesOf } from './prompt/takes'
import { wellFormed } from './prompt/well-formed'

/** What a reply is asked with, before it is written for a provider. */
export type PromptParts = {
  /** The system prompt. */
  readonly instructions?: string
  /** The chain the model answers to, root first. */
  readonly messages: readonly UIMessage[]
  readonly tools?: ToolSet
  /** The id of the model that is asked: thoughts and data of other models are nothing to it. */
  readonly modelId?: string
}

/** A prompt as the messages of a request. */
export type ModelPrompt = {
  readonly system: string | undefined
  readonly messages: ModelMessage[]
  /** of each message, the one of the chain that it is made from */
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
  return {
    system: system.length === 0 ? undefined : system.join('\n\n'),
    messages: written.flat().map(({ one }) => one),
    from: written.flat().map(({ message }) => message),
  }
}

/** A message as another model than its own reads it: signatures and ids of providers mean nothing there, thoughts least. */
function readBy(modelId: string, message: UIMessage): UIMessage {
  const { model } = (message.metadata ?? {}) as { model?: unknown }
  if (message.role !== 'assistant' || model === modelId) return message
  const parts = message.parts.filter(({ type }) => type !== 'reasoning' && type !== 'reasoning-file')
  return { ...message, parts: parts.map(withoutMetadata) }
}

function withoutMetadata(part: UIMessage['parts'][number]): UIMessage['parts'][number] {
  const { providerMetadata, callProviderMetadata, resultProviderMetadata, ...rest } = part as typeof part & {
    providerMetadata?: unknown
    callProviderMetadata?: unknown
    resultProviderMetadata?: unknown
  }
  return rest as typeof part
}

/**
 * A prompt as a model receives it: what `taking` sends.
 *
 * @param receiver undefined for the demo model, which takes everything
 */
export async function sentPrompt(parts: PromptParts, receiver: Receiver | undefined): Promise<ModelPrompt> {
  const prompt = await modelPrompt(parts)
  if (receiver === undefined) return prompt
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
