import type { Graph, GraphNode, PackedGraph } from '@/lib/protocol'

/** Puts the messages of a graph into columns; times become distances from the one before. Linear. */
export function packGraph({ nodes, ...graph }: Graph): PackedGraph {
  const column = <Key extends keyof GraphNode>(key: Key) => nodes.map((node) => node[key])
  const holding = nodes.flatMap(({ id, holds }) => (holds ? [[id, holds] as const] : []))
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
      ...(holding.length > 0 && { holds: Object.fromEntries(holding) }),
    },
  }
}

/** The graph that was packed. Throws when a column is shorter than that of the ids. */
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
    const holds = columns.holds?.[id]
    const said = { role: atRow(role), preview: atRow(preview), status: atRow(status) }
    return holds ? { id, ...place, ...said, holds } : { id, ...place, ...said }
  })
  return { ...graph, nodes }
}
