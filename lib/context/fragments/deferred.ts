import { fragmentData, isExactFragment, isMessageFragment, isPlainObject } from './guards'
import type { ContextFragment, FragmentData, FragmentLoader, LoadContext } from './types'

/** Deeper than any real content; a cycle, or a loader that answers with itself, ends here. */
const MAX_DEPTH = 256

/** True when a value is not there yet: a function that makes it, or a promise of it. */
const isDeferred = (value: unknown): value is FragmentLoader | PromiseLike<unknown> =>
  typeof value === 'function' || isPromise(value)

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** Every function and promise in the data of fragments, at any depth; messages have none. */
function* deferredIn(value: unknown, depth = 0): Generator<FragmentLoader | PromiseLike<unknown>> {
  if (isDeferred(value)) yield value
  else if (depth > MAX_DEPTH) return
  else if (isExactFragment(value)) {
    if (!isMessageFragment(value)) yield* deferredIn(fragmentData(value), depth + 1)
  } else if (Array.isArray(value) || isPlainObject(value)) {
    for (const inner of Object.values(value)) yield* deferredIn(inner, depth + 1)
  }
}

/** True when a fragment is not whole yet. */
export const holdsDeferred = (fragment: ContextFragment): boolean => isUnfinished(fragmentData(fragment), 0)

/** True when `deferredIn` finds anything. Asked for every fragment of every prompt, so it makes no generators. */
function isUnfinished(value: unknown, depth: number): boolean {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null) return false
  if (isPromise(value)) return true
  if (depth > MAX_DEPTH) return false
  if (isExactFragment(value)) return !isMessageFragment(value) && isUnfinished(fragmentData(value), depth + 1)
  if (!Array.isArray(value) && !isPlainObject(value)) return false
  return Object.values(value).some((inner) => isUnfinished(inner, depth + 1))
}

/**
 * Lets promises in fragments fail while no prompt is being made. Their failure is not lost: `resolveValues` rejects with
 * it. Without this, a promise that fails before the first prompt would end the process.
 */
export function awaitLater(fragments: readonly ContextFragment[]): void {
  for (const fragment of fragments) {
    for (const value of deferredIn(fragmentData(fragment)))
      if (isPromise(value)) value.then(undefined, () => undefined)
  }
}

/**
 * The fragments with values in the place of every function and promise in them, at any depth, what those answer with
 * included. All of them run at once; the same function is called once. The fragments given are left alone, so the next
 * prompt has new values.
 *
 * @throws FragmentValueError with the fragment's name for the first that fails, its reason as `cause`
 *
 * @example await resolveValues([fragment('readme', async () => readFile('README.md', 'utf8'))], context)
 */
export function resolveValues(
  fragments: readonly ContextFragment[],
  context: LoadContext,
): Promise<ContextFragment[]> {
  const loaded = new Map<unknown, Promise<unknown>>()

  const load = (loader: (context: LoadContext) => unknown): Promise<unknown> => {
    const answer = loaded.get(loader) ?? (async () => loader(context))()
    loaded.set(loader, answer)
    return answer
  }

  const settle = async (value: unknown, path: string, depth: number): Promise<unknown> => {
    if (depth > MAX_DEPTH) throw new FragmentValueError(path, `more than ${MAX_DEPTH} levels (a cycle?)`)
    if (isDeferred(value)) {
      const pending: unknown = typeof value === 'function' ? load(value) : value
      const answer = await Promise.resolve(pending).catch((cause) => {
        throw new FragmentValueError(path, cause instanceof Error ? cause.message : String(cause), { cause })
      })
      return settle(answer, path, depth + 1)
    }
    if (isExactFragment(value)) return resolved(value, `${path}.${value.name}`, depth + 1)
    if (Array.isArray(value)) return Promise.all(value.map((item) => settle(item, path, depth + 1)))
    if (!isPlainObject(value)) return value
    const entries = Object.entries(value).map(
      async ([key, inner]) => [key, await settle(inner, path, depth + 1)] as const,
    )
    return Object.fromEntries(await Promise.all(entries))
  }

  const resolved = async (
    fragment: ContextFragment,
    path: string,
    depth: number,
  ): Promise<ContextFragment> => {
    if (isMessageFragment(fragment) || !holdsDeferred(fragment)) return fragment
    const { codec: _, ...rest } = fragment
    // renderers check a loader's result, like any other data
    return { ...rest, data: (await settle(fragmentData(fragment), path, depth)) as FragmentData }
  }

  // mostly every value is there
  if (!fragments.some((fragment) => !isMessageFragment(fragment) && holdsDeferred(fragment))) {
    return Promise.resolve([...fragments])
  }
  return Promise.all(fragments.map((fragment) => resolved(fragment, fragment.name, 0)))
}

/** A fragment's function or promise that failed, or a value that is not there yet where one is needed. */
export class FragmentValueError extends Error {
  override readonly name = 'FragmentValueError'

  constructor(
    /** The fragment's name, below the names around it: `database.constraints`. */
    readonly path: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`Fragment "${path}" has no value: ${reason}`, options)
  }
}
