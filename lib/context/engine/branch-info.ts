import type { BranchData, BranchInfo, Committed, CommittedBranch } from '../store'

/** A branch of a committed change as the store would return it. */
export function toBranchData(branch: CommittedBranch, committed: Committed): BranchData {
  const { headLane: _lane, headDepth: _depth, ...data } = branch
  return { ...data, isActive: branch.id === committed.activeBranchId }
}

/**
 * A branch of a committed change as `rewind`, `restore`, `switchBranch` and `btw` answer it. How many messages it has
 * is the depth of its head plus one: nothing is counted.
 */
export function toBranchInfo(branch: CommittedBranch, committed: Committed): BranchInfo {
  const { id, name, headMessageId, headDepth, createdAt } = branch
  const isActive = id === committed.activeBranchId
  return {
    id,
    name,
    headMessageId,
    isActive,
    messageCount: headDepth === null ? 0 : headDepth + 1,
    createdAt,
  }
}
