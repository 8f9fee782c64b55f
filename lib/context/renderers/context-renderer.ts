import { isExactFragment, isMessageFragment, isPlainObject } from '../fragments/guards'
import type { ContextFragment, FragmentData } from '../fragments/types'
import { plural, singular } from './inflection'

/** How a renderer treats fragments, whatever its format. */
export interface RendererOptions {
  /** Put fragments of one name under one plural parent: `<hints><hint>…</hint></hints>`. Default false. */
  groupFragments?: boolean
}

/**
 * Turns context fragments into a system prompt; a subclass per format prints the prepared tree (template method).
 *
 * @example
 * class PlainRenderer extends ContextRenderer {
 *   protected override print(nodes: RenderNode[]) { return nodes.map((node) => node.name).join('\n') }
 * }
 */
export abstract class ContextRenderer {
  readonly #groupFragments: boolean

  constructor(options: RendererOptions = {}) {
    this.#groupFragments = options.groupFragments ?? false
  }

  /**
   * The fragments as text, in their order, without a trailing line break; nothing to say is an empty string.
   *
   * Messages are not rendered, nor are `null`, `undefined` and lists or objects with nothing else in them.
   */
  render(fragments: readonly ContextFragment[]): string {
    const nodes = toRenderNodes(fragments)
    if (nodes.length === 0) return ''
    return this.print(this.#groupFragments ? groupNodes(nodes) : nodes)
  }

  /** Prints at least one node in the format of the subclass. */
  protected abstract print(nodes: RenderNode[]): string
}

/**
 * Puts nodes of one name under one plural parent, at the place of the first of them, at every level.
 *
 * A single node gets its parent too: a prompt then has the same shape however many hints it holds. Left alone are
 * object keys and list items (their parent groups them already), names that are plural already, and children
 * of a parent that already bears the plural name.
 */
function groupNodes(nodes: readonly RenderNode[]): RenderNode[] {
  return groupSiblings(nodes, undefined)
}

function groupSiblings(nodes: readonly RenderNode[], parent: string | undefined): RenderNode[] {
  const groups = new Map<string, RenderNode[]>()
  return nodes.flatMap((node) => {
    const { name, kind, value } = node
    const inner = Array.isArray(value) ? { ...node, value: groupSiblings(value, name) } : node
    const groupName = plural(name)
    if (kind !== 'fragment' || groupName === name || groupName === parent) return [inner]
    const member: RenderNode = { ...inner, kind: 'item' }
    const group = groups.get(groupName)
    group?.push(member)
    if (group) return []
    const members = [member]
    groups.set(groupName, members)
    return [{ name: groupName, kind: 'key', value: members }]
  })
}

/** One named thing to print. */
export interface RenderNode {
  name: string
  /** Where the name comes from: a fragment, an object's key, or made up for an item of a list (a format may drop it). */
  kind: 'fragment' | 'key' | 'item'
  value: RenderValue
}

/** A text or number, or the nodes inside. */
export type RenderValue = RenderScalar | RenderNode[]

/** What every format can print as it is. */
export type RenderScalar = string | number | boolean

/**
 * Fragments as a tree of named nodes, the one shape all formats print.
 *
 * Messages, `null`, `undefined` and whatever is empty without them are left out; text is made well-formed Unicode;
 * numbers that no format agrees on (NaN, Infinity) become text. An item of a list is named after the list
 * (`steps` → `step`), or `item` where the list has no plural name.
 */
function toRenderNodes(fragments: readonly ContextFragment[]): RenderNode[] {
  return fragments.flatMap((fragment) => fragmentNodes(fragment))
}

function fragmentNodes(fragment: ContextFragment): RenderNode[] {
  if (isMessageFragment(fragment)) return []
  const { name, data } = fragment
  return named(name, 'fragment', Array.isArray(data) ? childrenValue(name, data) : toValue(name, data))
}

/**
 * `fragment('note', 'text')` reads as one text, and `fragment('user', { age: 3 })` as one object with its keys: neither
 * is meant as a list that happens to have one item.
 */
function childrenValue(name: string, data: FragmentData[]): RenderValue | undefined {
  const children = data.filter((child) => child !== null && child !== undefined)
  const [only] = children
  if (children.length === 1 && isScalar(only)) return scalar(only)
  const objects = children.filter((child) => isPlainObject(child) && !isExactFragment(child))
  return children.flatMap((child) =>
    objects.length === 1 && isPlainObject(child) && !isExactFragment(child)
      ? objectNodes(child)
      : itemNodes(name, child),
  )
}

function toValue(name: string, data: unknown): RenderValue | undefined {
  if (isScalar(data)) return scalar(data)
  if (typeof data !== 'object' || data === null) return undefined
  if (isExactFragment(data)) return fragmentNodes(data)
  return Array.isArray(data) ? data.flatMap((item: unknown) => itemNodes(name, item)) : objectNodes(data)
}

function itemNodes(listName: string, item: unknown): RenderNode[] {
  if (isExactFragment(item)) return fragmentNodes(item)
  const name = singular(listName) === listName ? 'item' : singular(listName)
  return named(name, 'item', toValue(name, item))
}

function objectNodes(object: object): RenderNode[] {
  return Object.entries(object).flatMap(([key, value]) => named(key, 'key', toValue(key, value)))
}

function named(name: string, kind: RenderNode['kind'], value: RenderValue | undefined): RenderNode[] {
  const empty = value === undefined || (Array.isArray(value) && value.length === 0)
  return empty ? [] : [{ name: name.toWellFormed(), kind, value }]
}

function isScalar(data: unknown): data is RenderScalar {
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean'
}

function scalar(value: RenderScalar): RenderScalar {
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
