/** The models that a name may mean. */
export type NamedModel =
  /** the listed model, and the id that its provider is asked with: a version of it keeps its own name */
  | { id: string; asked: string }
  /** several providers list a model of this name */
  | { several: readonly string[] }
  | undefined

/** The date at the end of a name by which a provider tells its versions apart, or the word for the latest. */
const VERSION = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

/** Claude Code's mark of a window of a million tokens. */
const LONG_WINDOW = /\[1m\]$/

/** The name of a model without its version. */
export const versionless = (name: string): string => name.replace(LONG_WINDOW, '').replace(VERSION, '')

/**
 * The listed model that a client means: `provider:model`, `provider/model`, or a name that one provider alone lists, with or
 * without the date of its version.
 *
 * @param ids the models that can answer
 * @returns undefined for a name that none of them has
 * @example findModel('gpt-5.5-2026-04-24', ids) // { id: 'openai:gpt-5.5', asked: 'openai:gpt-5.5-2026-04-24' }
 */
export function findModel(name: string, ids: readonly string[]): NamedModel {
  if (ids.includes(name)) return { id: name, asked: name }
  const named = ids.filter((id) => id.slice(id.indexOf(':') + 1) === name)
  const [only] = named
  if (only !== undefined) return named.length === 1 ? { id: only, asked: only } : { several: named }
  const slashed = name.replace('/', ':')
  if (ids.includes(slashed)) return { id: slashed, asked: slashed }
  const bare = versionless(name)
  const found = bare === name ? undefined : findModel(bare, ids)
  return found && 'id' in found ? { id: found.id, asked: found.id + name.slice(bare.length) } : found
}
