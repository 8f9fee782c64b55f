import type { ContextFragment } from '../fragments/types'
import { plural } from './inflection'
import { type RenderNode, toRenderNodes } from './render-node'

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
