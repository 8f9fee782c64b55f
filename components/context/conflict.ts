import { jsonEqual } from '@/lib/context'
import type { ContextFragmentJson } from '@/lib/protocol'
import { dataText, kindLabel } from './kinds'
import type { Memory, Parts } from './parts'
import { settingLabel } from './settings'

export type Side = 'yours' | 'theirs'

/** One thing that is different on the two sides. */
export interface Difference {
  /** unique, and the same however often the two are compared */
  key: string
  title: string
  /** its words on each side; null where it is not there */
  yours: string | null
  theirs: string | null
  /** the side that changed it; null where both did */
  changedBy: Side | null
}

/** A thing that can differ: the words of it on a side, and a fragment or memory itself. */
interface Thing {
  title: string
  words: string
  value: unknown
}
type Things = Map<string, Thing>

const fragmentWords = ({ data, enabled, group }: ContextFragmentJson): string =>
  [dataText(data), ...(enabled ? [] : ['(switched off)']), ...(group ? [`(in ${group})`] : [])].join('\n')

/** Everything of a context that can differ, by key. The order of the fragments is one of them. */
function thingsOf(parts: Parts): Things {
  const { fragments, memories, settings, tools, renderer } = parts
  const thing = (key: string, title: string, words: string, value: unknown): [string, Thing] => [
    key,
    { title, words, value },
  ]
  return new Map([
    thing('renderer', 'Format', renderer, renderer),
    ...fragments.map((f) => thing(`fragment ${f.id}`, kindLabel(f.name), fragmentWords(f), f)),
    ...memories.map((m) => thing(`memory ${m.key}`, `Memory ${m.key}`, m.text, m)),
    ...Object.entries(settings).map(([key, value]) =>
      thing(`setting ${key}`, settingLabel(key), String(value), value),
    ),
    ...Object.entries(tools).map(([key, value]) => thing(`tool ${key}`, `Tool ${key}`, value, value)),
  ])
}

const orderKey = 'order'

/** The ids of the fragments that both sides have, as one side orders them. */
const order = (parts: Parts, other: Parts): string[] => {
  const there = new Set(other.fragments.map(({ id }) => id))
  return parts.fragments.map(({ id }) => id).filter((id) => there.has(id))
}

/**
 * Differences of two contexts, each with the side that changed what both had before.
 *
 * @param base the context that both began with
 */
export function differences(base: Parts, yours: Parts, theirs: Parts): Difference[] {
  const [before, left, right] = [thingsOf(base), thingsOf(yours), thingsOf(theirs)]
  const found: Difference[] = []
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const [mine, other, was] = [left.get(key), right.get(key), before.get(key)]
    if (jsonEqual([mine?.value], [other?.value])) continue
    found.push({
      key,
      title: (mine ?? other)?.title ?? key,
      yours: mine?.words ?? null,
      theirs: other?.words ?? null,
      changedBy: jsonEqual([was?.value], [other?.value])
        ? 'yours'
        : jsonEqual([was?.value], [mine?.value])
          ? 'theirs'
          : null,
    })
  }
  const [mine, other] = [order(yours, theirs), order(theirs, yours)]
  if (!jsonEqual(mine, other)) {
    const words = (parts: Parts, ids: string[]) =>
      ids.map((id) => kindLabel(parts.fragments.find((f) => f.id === id)?.name ?? id)).join(', ')
    const wasTheirs = jsonEqual(order(base, { ...base, fragments: pick(theirs, mine) }), other)
    found.push({
      key: orderKey,
      title: 'Order',
      yours: words(yours, mine),
      theirs: words(theirs, other),
      changedBy: wasTheirs ? 'yours' : null,
    })
  }
  return found
}

const pick = ({ fragments }: Parts, ids: readonly string[]) => fragments.filter(({ id }) => ids.includes(id))

/** The side of a difference that is taken by default: the side that changed it, and yours where both did. */
export const proposed = ({ changedBy }: Difference): Side => changedBy ?? 'yours'

/** One context of two, with each difference from the chosen side. Nothing that both have is lost. */
export function merged(
  found: readonly Difference[],
  yours: Parts,
  theirs: Parts,
  sideOf: (difference: Difference) => Side,
): Parts {
  const chosen = new Map(found.map((difference) => [difference.key, sideOf(difference)]))
  const isFrom = (key: string) => chosen.get(key) ?? 'yours'
  const takes = (key: string, side: Side) => isFrom(key) === side
  const both = <T>(left: readonly T[], right: readonly T[], keyOf: (item: T) => string): T[] => {
    const other = new Map(right.map((item) => [keyOf(item), item]))
    const own = new Set(left.map(keyOf))
    const kept = left.flatMap((item) => {
      const key = keyOf(item)
      if (takes(key, 'yours')) return [item]
      return other.get(key) ?? []
    })
    return right.reduce((all, item, at) => {
      const key = keyOf(item)
      if (own.has(key) || !takes(key, 'theirs')) return all
      // behind the one it stands behind on its own side
      const before = right.slice(0, at).findLast((earlier) => all.some((i) => keyOf(i) === keyOf(earlier)))
      const place = before ? all.findIndex((i) => keyOf(i) === keyOf(before)) + 1 : 0
      return all.toSpliced(place, 0, item)
    }, kept)
  }
  const entries = <V>(prefix: string, left: Record<string, V>, right: Record<string, V>) =>
    Object.fromEntries(both(Object.entries(left), Object.entries(right), ([key]) => `${prefix} ${key}`))
  const fragmentKey = ({ id }: ContextFragmentJson) => `fragment ${id}`
  const memoryKey = ({ key }: Memory) => `memory ${key}`
  const fragments = both(yours.fragments, theirs.fragments, fragmentKey)
  return {
    renderer: (takes('renderer', 'yours') ? yours : theirs).renderer,
    fragments: takes(orderKey, 'theirs') ? ordered(fragments, theirs) : fragments,
    memories: both(yours.memories, theirs.memories, memoryKey),
    settings: entries('setting', yours.settings as Record<string, number>, theirs.settings as never),
    tools: entries('tool', yours.tools, theirs.tools),
  }
}

/** Fragments in the order of a side; those it has not keep their place among the others. */
function ordered(fragments: ContextFragmentJson[], { fragments: like }: Parts): ContextFragmentJson[] {
  const place = new Map(like.map(({ id }, at) => [id, at]))
  const known = fragments
    .filter(({ id }) => place.has(id))
    .sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
  return fragments.map((fragment) => (place.has(fragment.id) ? (known.shift() ?? fragment) : fragment))
}
