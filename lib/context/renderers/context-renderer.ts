import { FragmentValueError, holdsDeferred } from '../fragments/deferred'
import { fragmentData, isExactFragment, isMessageFragment, isPlainObject } from '../fragments/guards'
import type { ContextFragment } from '../fragments/types'
import { plural, singular } from './inflection'

/** Options of a renderer of any format. */
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
   * Messages are not rendered, nor are `null`, `undefined`, lists or objects with nothing but these in them, and
   * fragments without content. Inside of content an empty list or object says something, and is printed.
   *
   * @throws FragmentValueError for a function or promise: `resolve()` of the engine awaits them
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
    return [{ name: groupName, kind: 'key', shape: 'list', value: members }]
  })
}

/** One named thing to print. */
export interface RenderNode {
  name: string
  /** Source of the name: a fragment, an object's key, or made up for a list item (a format may drop it). */
  kind: 'fragment' | 'key' | 'item'
  /** Kind of the nodes inside: list items, or fragments and keys. Tells an empty list from an empty object. */
  shape: 'scalar' | 'list' | 'object'
  value: RenderValue
}

/** A text or number, or the nodes inside; none for an empty list or object. */
export type RenderValue = RenderScalar | RenderNode[]

/** Well-formed text, any number (NaN and the infinities too), true or false. */
export type RenderScalar = string | number | boolean

/**
 * Fragments as a tree of named nodes, the one shape all formats print.
 *
 * Messages, `null`, `undefined` and what holds nothing but these are left out; text is made well-formed Unicode. An
 * item of a list is named after the list (`steps` → `step`), or `item` where the list has no plural name.
 */
function toRenderNodes(fragments: readonly ContextFragment[]): RenderNode[] {
  return fragments.flatMap((fragment) => {
    if (isMessageFragment(fragment)) return []
    if (holdsDeferred(fragment)) {
      throw new FragmentValueError(
        fragment.name,
        'a function or promise, which resolve() awaits, cannot be printed',
      )
    }
    return fragmentNodes(fragment)
  })
}

function fragmentNodes(fragment: ContextFragment): RenderNode[] {
  if (isMessageFragment(fragment)) return []
  const { name } = fragment
  const data = fragmentData(fragment)
  const content = Array.isArray(data) ? childrenContent(name, data) : contentOf(name, data)
  return isEmpty(content) ? [] : named(name, 'fragment', content)
}

type Content = Pick<RenderNode, 'shape' | 'value'>

/**
 * Children stand beside each other: `fragment('user', hint('a'), { age: 3 })` is a hint and an age, so the keys of a lone
 * object among other children are children too. A lone child is a list of one: what `fragment('user', { age: 3 })`
 * means is no list in its data either.
 */
function childrenContent(name: string, data: unknown[]): Content {
  const children = data.filter((child) => child !== null && child !== undefined)
  const objects = children.filter((child) => isPlainObject(child) && !isExactFragment(child))
  const spreads = objects.length === 1 && children.length > 1
  return nodesContent(
    children.flatMap((child) =>
      spreads && isPlainObject(child) && !isExactFragment(child)
        ? objectNodes(child)
        : itemNodes(name, child).filter((node) => !isEmpty(node)),
    ),
  )
}

function contentOf(name: string, data: unknown): Content | undefined {
  if (isScalar(data)) return { shape: 'scalar', value: scalar(data) }
  if (typeof data !== 'object' || data === null) return undefined
  if (isExactFragment(data)) return nodesContent(fragmentNodes(data))
  const isList = Array.isArray(data)
  const nodes = isList ? data.flatMap((item: unknown) => itemNodes(name, item)) : objectNodes(data)
  if (nodes.length > 0) return nodesContent(nodes)
  return Object.keys(data).length > 0 ? undefined : { shape: isList ? 'list' : 'object', value: [] }
}

const nodesContent = (nodes: RenderNode[]): Content => ({
  shape: nodes.every(({ kind }) => kind === 'item') ? 'list' : 'object',
  value: nodes,
})

function itemNodes(listName: string, item: unknown): RenderNode[] {
  if (isExactFragment(item)) return fragmentNodes(item)
  const name = singular(listName) === listName ? 'item' : singular(listName)
  return named(name, 'item', contentOf(name, item))
}

function objectNodes(object: object): RenderNode[] {
  return Object.entries(object).flatMap(([key, value]) => named(key, 'key', contentOf(key, value)))
}

function named(name: string, kind: RenderNode['kind'], content: Content | undefined): RenderNode[] {
  return content === undefined ? [] : [{ name: name.toWellFormed(), kind, ...content }]
}

const isEmpty = (content: Content | undefined): boolean =>
  content === undefined || (Array.isArray(content.value) && content.value.length === 0)

function isScalar(data: unknown): data is RenderScalar {
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean'
}

const scalar = (value: RenderScalar): RenderScalar =>
  typeof value === 'string' ? value.toWellFormed() : value
