import type { Graph, GraphNode, PackedGraph } from '@/lib/protocol'

/** Puts the messages of a graph into columns; times become distances from the one before. Linear. */
export function packGraph({ nodes, ...graph }: Graph): PackedGraph {
  const column = <Key extends keyof GraphNode>(key: Key) => nodes.map((node) => node[key])
  // most messages have none of these
  const byId = <Key extends 'holds' | 'mergeParentId' | 'copiedFromId'>(key: Key) => {
    const having = nodes.flatMap(({ id, [key]: value }) =>
      value === undefined ? [] : [[id, value] as const],
    )
    return having.length === 0 ? {} : { [key]: Object.fromEntries(having) }
  }
  return {
    ...graph,
    nodes: {
      id: column('id'),
      lane: column('lane'),
      depth: column('depth'),
      role: column('role'),
      preview: column('preview'),
      status: column('status'),
      createdAt: nodes.map((node, at) => node.createdAt - (nodes[at - 1]?.createdAt ?? 0)),
      ...byId('holds'),
      ...byId('mergeParentId'),
      ...byId('copiedFromId'),
    },
  }
}

/** The graph that was packed. Throws when a column is shorter than the column of ids. */
export function unpackGraph({ nodes: columns, ...graph }: PackedGraph): Graph {
  let time = 0
  const nodes = columns.id.map((id, at): GraphNode => {
    const atRow = <Value>(column: readonly Value[]): Value => {
      const found = column[at]
      if (found === undefined) throw new RangeError(`Message "${id}" is not in every column`)
      return found
    }
    time += atRow(columns.createdAt)
    const place = { lane: atRow(columns.lane), depth: atRow(columns.depth), createdAt: time }
    const { role, preview, status } = columns
    const node: GraphNode = {
      id,
      ...place,
      role: atRow(role),
      preview: atRow(preview),
      status: atRow(status),
    }
    // one by one: spread in, absent or not, they cost a long chat more than its rows do
    const holds = columns.holds?.[id]
    if (holds !== undefined) node.holds = holds
    const mergeParentId = columns.mergeParentId?.[id]
    if (mergeParentId !== undefined) node.mergeParentId = mergeParentId
    const copiedFromId = columns.copiedFromId?.[id]
    if (copiedFromId !== undefined) node.copiedFromId = copiedFromId
    return node
  })
  return { ...graph, nodes }
}
