import { plural } from './inflection'
import type { RenderNode } from './render-node'

/**
 * Puts nodes of one name under one plural parent, at the place of the first of them, at every level.
 *
 * A single node gets its parent too: a prompt then has the same shape however many hints it holds. Left alone are
 * object keys and list items (their parent groups them already), names that are plural already, and children
 * of a parent that already bears the plural name.
 */
export function groupNodes(nodes: readonly RenderNode[]): RenderNode[] {
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
