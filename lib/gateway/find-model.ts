/** The models that a name may mean. */
export type NamedModel =
  | { id: string }
  /** several providers list a model of this name */
  | { several: readonly string[] }
  | undefined

/** The date at the end of a name by which a provider tells its versions apart, or the word for the latest. */
const VERSION = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

/**
 * The model that a client means: `provider:model`, `provider/model`, or a name that one provider alone lists, with or
 * without the date of its version.
 *
 * @param ids the models that can answer
 * @returns undefined for a name that none of them has
 * @example findModel('claude-sonnet-5-5-20260901', ids) // { id: 'anthropic:claude-sonnet-5-5' }
 */
export function findModel(name: string, ids: readonly string[]): NamedModel {
  if (ids.includes(name)) return { id: name }
  const named = ids.filter((id) => id.slice(id.indexOf(':') + 1) === name)
  const [only] = named
  if (only !== undefined) return named.length === 1 ? { id: only } : { several: named }
  const slashed = name.replace('/', ':')
  if (ids.includes(slashed)) return { id: slashed }
  const versionless = name.replace(VERSION, '')
  return versionless === name ? undefined : findModel(versionless, ids)
}
