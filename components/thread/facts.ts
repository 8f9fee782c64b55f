import type { ChatMessage, ModelInfo } from '@/lib/protocol'

/** The name of a model; the end of its id when it is no longer offered. */
export function modelName(models: readonly ModelInfo[], id: string): string {
  const label = models.find((model) => model.id === id)?.label ?? id.slice(id.indexOf(':') + 1)
  // the part in parentheses is only for the model picker
  return label.replace(/\s*\([^)]*\)$/, '')
}

/** Number of tokens of a reply: `1,204 tokens in, 512 out`; null where its model told none. */
export function tokenWords(usage: NonNullable<ChatMessage['metadata']>['usage']): string | null {
  const { inputTokens, outputTokens } = usage ?? {}
  const number = (count: number) => count.toLocaleString('en')
  if (inputTokens === undefined) return outputTokens === undefined ? null : `${number(outputTokens)} tokens`
  if (outputTokens === undefined) return `${number(inputTokens)} tokens in`
  return `${number(inputTokens)} tokens in, ${number(outputTokens)} out`
}
