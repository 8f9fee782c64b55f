import type { ContextData } from '@/lib/context'
import type { ChatId, ContextId } from '@/lib/events'
import { findModel } from '@/lib/gateway/find-model'
import { InvalidRequestError } from '../errors'
import type { AvailableModels, Ports } from '../ports'

/**
 * The model that answers in a context: its own, or the default if none was ever chosen. A model that is no
 * longer offered stays: only a person can choose another.
 */
export const modelOf = (
  { defaultId }: Pick<AvailableModels, 'defaultId'>,
  context: Pick<ContextData, 'model'> | null | undefined,
): string => context?.model ?? defaultId

/**
 * The model that the last reply of an imported chat names; undefined when it is not offered here.
 *
 * @param names of all replies, in order
 */
export function namedModel(
  { ids }: Pick<AvailableModels, 'ids'>,
  names: readonly (string | null | undefined)[],
): string | undefined {
  const last = names.findLast((name) => name)
  const found = last ? findModel(last, ids) : undefined
  return found && 'id' in found ? found.id : undefined
}

/** @throws InvalidRequestError for the model of a branch that is not offered any more */
export function checkModelOfBranch(models: AvailableModels, model: string): void {
  if (!models.has(model)) throw new InvalidRequestError(goneModel(model), 'unknown_model')
}

const goneModel = (model: string): string =>
  `The model "${model}", which answers on this branch, is not available now. Choose another one, or make it available again.`

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
