import type { ContextData } from '@/lib/context'
import type { ChatId, ContextId } from '@/lib/events'
import { InvalidRequestError } from '../errors'
import type { AvailableModels, Ports } from '../ports'

/** The first of some models that is offered, else the default one. */
export const firstOffered = (
  models: AvailableModels,
  ...wished: readonly (string | null | undefined)[]
): string => wished.find((id) => id && models.has(id)) ?? models.defaultId

/** @throws InvalidRequestError for a model that is not offered */
export function checkModel(models: AvailableModels, model: string): void {
  if (models.has(model)) return
  throw new InvalidRequestError(`The model "${model}" is not available here.`, 'unknown_model')
}

/** A context that a request names. @throws InvalidRequestError when the chat does not have it */
export async function chosenContext(
  { reads }: Pick<Ports, 'reads'>,
  chatId: ChatId,
  contextId: ContextId,
): Promise<ContextData> {
  const context = await reads.context(chatId, contextId)
  if (!context) throw new InvalidRequestError('This chat has no such context.', 'unknown_context')
  return context
}
