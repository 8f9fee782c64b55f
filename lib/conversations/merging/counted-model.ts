import { QuotaExceededError } from '@/lib/context'
import type { ChatId } from '@/lib/events'
import type { Ports } from '../ports'

/** The same ports; each question to a model is counted against the quotas of the chat's owner, stored or not. */
export const counted = (ports: Ports, chatId: ChatId): Ports => ({
  ...ports,
  async summarise(request) {
    await ports.store.spend(chatId, { calls: 1, tokens: 0 })
    const answer = await ports.summarise(request)
    await ports.store.spend(chatId, { calls: 0, tokens: answer.tokens })
    return answer
  },
})

/** Why a model wrote nothing, for the person; an unexpected error is logged. */
export function failureOf(
  { logError }: Pick<Ports, 'logError'>,
  error: unknown,
  { what, chatId, model, signal }: { what: string; chatId: ChatId; model: string; signal: AbortSignal },
): string {
  if (error instanceof QuotaExceededError) return 'The limit for models is reached.'
  if (!signal.aborted) logError(`writing a ${what} in chat ${chatId} with ${model}`, error)
  return `The model could not write a ${what}.`
}
