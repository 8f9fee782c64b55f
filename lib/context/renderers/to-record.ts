import type { RenderNode, RenderScalar } from './render-node'

/** Plain data, as formats for data take it. */
export type RecordValue = RenderScalar | RecordValue[] | { [key: string]: RecordValue }

/**
 * Nodes as one plain object, for formats whose keys must be unique: nodes of one name become an array under it,
 * in their order, at the place of the first.
 */
export function toRecord(nodes: readonly RenderNode[]): { [key: string]: RecordValue } {
  const byName = new Map<string, RecordValue[]>()
  for (const node of nodes) {
    const values = byName.get(node.name)
    if (values) values.push(toValue(node))
    else byName.set(node.name, [toValue(node)])
  }
  return Object.fromEntries(Array.from(byName, ([name, values]) => [name, only(values) ?? values]))
}

function toValue({ value }: RenderNode): RecordValue {
  if (!Array.isArray(value)) return value
  return value.every((node) => node.kind === 'item') ? value.map(toValue) : toRecord(value)
}

function only(values: RecordValue[]): RecordValue | undefined {
  return values.length === 1 ? values[0] : undefined
}
