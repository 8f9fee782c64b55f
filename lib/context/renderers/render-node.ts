import { isExactFragment, isMessageFragment } from '../fragments/guards'
import type { ContextFragment } from '../fragments/types'
import { singular } from './inflection'

/** One named thing to print. */
export interface RenderNode {
  name: string
  /** Where the name comes from: a fragment, an object's key, or made up for an item of a list (a format may drop it). */
  kind: 'fragment' | 'key' | 'item'
  value: RenderScalar | RenderNode[]
}

/** What every format can print as it is. */
export type RenderScalar = string | number | boolean

/**
 * Fragments as a tree of named nodes, the one shape all formats print.
 *
 * Messages, `null`, `undefined` and whatever is empty without them are left out; text is made well-formed Unicode;
 * numbers that no format agrees on (NaN, Infinity) become text. An item of a list is named after the list
 * (`steps` → `step`), or `item` where the list has no plural name.
 */
export function toRenderNodes(fragments: readonly ContextFragment[]): RenderNode[] {
  return fragments.flatMap((fragment) => fragmentNodes(fragment))
}

function fragmentNodes(fragment: ContextFragment): RenderNode[] {
  if (isMessageFragment(fragment)) return []
  const { name, data } = fragment
  // fragment('note', 'text') reads as one text, not as a list that happens to have one item.
  const [only, ...others] = Array.isArray(data)
    ? data.filter((item) => item !== null && item !== undefined)
    : []
  const single = others.length === 0 && isScalar(only)
  return nodes(name, single ? only : data, 'fragment')
}

function nodes(name: string, data: unknown, kind: RenderNode['kind']): RenderNode[] {
  const value = isScalar(data) ? scalar(data) : children(name, data)
  const empty = value === undefined || (Array.isArray(value) && value.length === 0)
  return empty ? [] : [{ name: name.toWellFormed(), kind, value }]
}

function children(name: string, data: unknown): RenderNode[] | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  if (isExactFragment(data)) return fragmentNodes(data)
  if (!Array.isArray(data)) return Object.entries(data).flatMap(([key, value]) => nodes(key, value, 'key'))
  const itemName = singular(name) === name ? 'item' : singular(name)
  return data.flatMap((item: unknown) =>
    isExactFragment(item) ? fragmentNodes(item) : nodes(itemName, item, 'item'),
  )
}

function isScalar(data: unknown): data is RenderScalar {
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean'
}

function scalar(value: RenderScalar): RenderScalar {
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
