import type { Graph, GraphNode } from '@/lib/protocol'

const node = (id: string, lane: number, depth: number): GraphNode => ({
  id,
  lane,
  depth,
  role: depth % 2 === 0 ? 'user' : 'assistant',
  preview: id,
  status: 'done',
  createdAt: depth + lane * 10,
})

/** For tests: `a ─ b ─ c ─ d` on main, and `e` beside `c` on other. */
export function branchedGraph(): Graph {
  const branch = { parentBranchId: null, createdAt: 0, archivedAt: null }
  return {
    chatId: 'chat',
    seq: 10,
    title: null,
    activeBranchId: 'main',
    nodes: [node('a', 0, 0), node('b', 0, 1), node('c', 0, 2), node('d', 0, 3), node('e', 1, 2)],
    lanes: [
      { lane: 0, parentLane: null, baseDepth: 0 },
      { lane: 1, parentLane: 0, baseDepth: 2 },
    ],
    branches: [
      { ...branch, id: 'main', name: 'main', headId: 'd' },
      { ...branch, id: 'other', name: 'main-v2', headId: 'e' },
    ],
    checkpoints: [],
    runs: [],
  }
}
