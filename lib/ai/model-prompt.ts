import { convertToModelMessages, type ModelMessage, type ToolSet, type UIMessage } from 'ai'

/** What a reply is asked with, before it is written for a provider. */
export type PromptParts = {
  /** The system prompt. */
  readonly instructions?: string
  /** The chain the model answers to, root first. */
  readonly messages: readonly UIMessage[]
  readonly tools?: ToolSet
}

/** What a provider receives: every request for a reply is made from this and nothing else. */
export type ModelPrompt = { readonly system: string | undefined; readonly messages: ModelMessage[] }

/**
 * Writes a chain as the messages of a request. System messages of an imported chat join the instructions: as messages the AI
 * SDK refuses them.
 */
export async function modelPrompt({ instructions, messages, tools }: PromptParts): Promise<ModelPrompt> {
  const spoken = messages.filter(({ role }) => role !== 'system')
  const imported = messages
    .filter(({ role }) => role === 'system')
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
  const system = [instructions ?? '', ...imported].filter((text) => text.trim() !== '')
  return {
    system: system.length === 0 ? undefined : system.join('\n\n'),
    messages: await convertToModelMessages([...spoken], { tools, ignoreIncompleteToolCalls: true }),
  }
}
