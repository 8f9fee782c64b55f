import { MODEL_TABLE, type ModelInfo } from './model-table'
import { UnknownModelError } from './unknown-model-error'

/**
 * Price and limits of a model.
 *
 * A dated or `latest` name counts as the model it is a version of (`gpt-4o-2024-11-20`), a gateway's name
 * as the provider's own (`gateway:openai/gpt-4o`), and `groq:gpt-oss-20b` as `groq:openai/gpt-oss-20b`.
 *
 * @param models entries that win over the table, by `provider:model`
 * @throws UnknownModelError
 */
export function findModel(modelId: string, models: Readonly<Record<string, ModelInfo>> = {}): ModelInfo {
  for (const name of namesOf(modelId)) {
    for (const table of [models, MODEL_TABLE]) {
      const found = Object.hasOwn(table, name) ? table[name] : undefined
      if (found) return found
    }
  }
  throw new UnknownModelError(modelId)
}

function namesOf(modelId: string): string[] {
  const undated = modelId.replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '')
  return [modelId, undated].flatMap((name) => [
    name,
    name.replace(/^gateway:([^/]+)\//, '$1:'),
    name.replace(/^groq:gpt-oss/, 'groq:openai/gpt-oss'),
  ])
}
