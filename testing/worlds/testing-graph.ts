import type { Graph } from '@/lib/protocol'
import { branch, sketchGraph } from './sketch-graph'

/** For tests: `a ─ b ─ c ─ d` on main, and `e` beside `c` on other. */
export const branchedGraph = (): Graph => ({
  ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>e'),
  seq: 10,
  branches: [branch('main', 'd'), branch('other', 'e', { name: 'main-v2' })],
})
