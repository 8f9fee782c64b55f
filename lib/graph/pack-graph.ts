import type { Graph, GraphNode } from '@/lib/protocol'

/** A graph for the wire, its messages in columns: no key is repeated, which saves a fifth of 10,000, compressed. */
export interface PackedGraph extends Omit<Graph, 'nodes'> {
  nodes: {
    [Column in keyof GraphNode]: GraphNode[Column][]
  }
}

/** Puts the messages of a graph into columns; times become distances from the one before. Linear. */
export function packGraph({ nodes, ...graph }: Graph): PackedGraph {
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
      createdAt: nodes.map((node, at) => node.createdAt - (nodes[at - 1]?.createdAt ?? 0)),
    },
  }
}

/** The graph that was packed. Throws when a column is shorter than that of the ids. */
export function unpackGraph({ nodes: columns, ...graph }: PackedGraph): Graph {
  let time = 0
  const nodes = columns.id.map((id, at): GraphNode => {
    const value = <Key extends keyof GraphNode>(key: Key): GraphNode[Key] => {
      const found = columns[key][at]
      if (found === undefined) throw new RangeError(`Message "${id}" is not in every column`)
      return found
    }
    time += value('createdAt')
    const place = { lane: value('lane'), depth: value('depth'), createdAt: time }
    return { id, ...place, role: value('role'), preview: value('preview'), status: value('status') }
  })
  return { ...graph, nodes }
}
