import type { Graph, GraphNode, PackedGraph } from '@/lib/protocol'

/** Puts the messages of a graph into columns; times become distances from the one before. Linear. */
export function packGraph({ nodes, ...graph }: Graph): PackedGraph {
  const createdAt = nodes.map((node, at) => node.createdAt - (nodes[at - 1]?.createdAt ?? 0))
  const column = <Key extends keyof GraphNode>(key: Key) => nodes.map((node) => node[key])
  return {
    ...graph,
    nodes: {
      id: column('id'),
      lane: column('lane'),
      depth: column('depth'),
      role: column('role'),
      preview: column('preview'),
      status: column('status'),
      createdAt,
    },
  }
}

/** The graph that was packed. Throws when a column is shorter than that of the ids. */
export function unpackGraph({ nodes: columns, ...graph }: PackedGraph): Graph {
  let time = 0
  const nodes = columns.id.map((id, at): GraphNode => {
    const [lane, depth, role] = [columns.lane[at], columns.depth[at], columns.role[at]]
    const [preview, status, later] = [columns.preview[at], columns.status[at], columns.createdAt[at]]
    if (lane === undefined || depth === undefined || role === undefined) throw incomplete(id)
    if (preview === undefined || status === undefined || later === undefined) throw incomplete(id)
    time += later
    return { id, lane, depth, role, preview, status, createdAt: time }
  })
  return { ...graph, nodes }
}

const incomplete = (id: string) => new RangeError(`Message "${id}" is not in every column`)
