import type { ChatMessage, ModelInfo } from '@/lib/protocol'

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dateOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** The name of a model; of one that is no longer offered, the end of its id. */
export function modelName(models: readonly ModelInfo[], id: string): string {
  const label = models.find((model) => model.id === id)?.label ?? id.slice(id.indexOf(':') + 1)
  // what stands in brackets is for the one who chooses
  return label.replace(/\s*\([^)]*\)$/, '')
}

/** A time as short as it is clear: `14:03` today, `3 Feb, 18:20`, with the year unless it is this year. */
export function timeWords(at: number, now: Date): string {
  const then = new Date(at)
  if (then.toDateString() === now.toDateString()) return clock.format(then)
  const day = then.getFullYear() === now.getFullYear() ? date : dateOfYear
  return `${day.format(then)}, ${clock.format(then)}`
}

/** How many tokens a reply was made of: `1,204 tokens in, 512 out`; null where its model told none. */
export function tokenWords(usage: NonNullable<ChatMessage['metadata']>['usage']): string | null {
  const { inputTokens, outputTokens } = usage ?? {}
  const number = (count: number) => count.toLocaleString('en')
  if (inputTokens === undefined) return outputTokens === undefined ? null : `${number(outputTokens)} tokens`
  if (outputTokens === undefined) return `${number(inputTokens)} tokens in`
  return `${number(inputTokens)} tokens in, ${number(outputTokens)} out`
}
