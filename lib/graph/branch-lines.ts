import type { BranchLine } from '@/lib/protocol'
import { branchTitle } from './branch-title'
import type { GraphIndex } from './graph-index'

/** The branches of a graph as lists show them, archived ones too, oldest first. */
export const branchLines = (index: GraphIndex): BranchLine[] =>
  index.graph.branches.map(({ id, name, headId, createdAt, archivedAt }) => {
    const head = headId === null ? undefined : index.byId(headId)
    return {
      id,
      name,
      archivedAt,
      title: branchTitle(index, id),
      lane: head?.lane ?? null,
      count: head ? head.depth + 1 : 0,
      preview: head?.preview ?? '',
      usedAt: Math.max(createdAt, head?.createdAt ?? 0),
    }
  })

/** The branches whose title, handle or last words hold all of the words, in any order. */
export function findBranches<Line extends Pick<BranchLine, 'name' | 'title' | 'preview'>>(
  lines: readonly Line[],
  words: string,
): Line[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return lines.filter(({ name, title, preview }) => {
    const text = `${title}\n${name}\n${preview}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
