import type { Step } from '@/lib/events'
import type { StoredMove } from '../store/records'

/** The refs that moves name, as they stand at some point of a plan. */
export type MovedRefs = Pick<StoredMove, 'branches' | 'checkpoints' | 'activeBranchId'>

/** The refs that several moves name, together: all were read at once. */
export function refsOf(moves: readonly StoredMove[]): MovedRefs {
  const branches = new Map(moves.flatMap((move) => move.branches.map((branch) => [branch.id, branch])))
  const checkpoints = new Map(moves.flatMap((move) => move.checkpoints.map((saved) => [saved.name, saved])))
  return {
    branches: [...branches.values()],
    checkpoints: [...checkpoints.values()],
    activeBranchId: moves[0]?.activeBranchId ?? '',
  }
}

/** The refs after the steps of an Undo, so that the next one is planned before anything is written. */
export const refsAfter = (refs: MovedRefs, steps: readonly Step[]): MovedRefs => steps.reduce(after, refs)

function after(refs: MovedRefs, step: Step): MovedRefs {
  const change = (branchId: string, to: Partial<MovedRefs['branches'][number]>): MovedRefs => ({
    ...refs,
    branches: refs.branches.map((branch) => (branch.id === branchId ? { ...branch, ...to } : branch)),
  })
  switch (step.kind) {
    case 'move-head':
      return change(step.branchId, { headMessageId: step.headId })
    case 'rename-branch':
      return change(step.branchId, { name: step.name })
    case 'archive-branch':
      return change(step.branchId, { archivedAt: 0 })
    case 'unarchive-branch':
      return change(step.branchId, { archivedAt: null })
    case 'set-context':
      return change(step.branchId, { contextId: step.contextId })
    case 'steer-agent':
      return change(step.branchId, { steeredTo: step.targetId })
    case 'switch-branch':
      return { ...refs, activeBranchId: step.branchId }
    case 'save-checkpoint': {
      const { checkpointId, name, messageId } = step
      const others = refs.checkpoints.filter((checkpoint) => checkpoint.name !== name)
      return {
        ...refs,
        checkpoints: [...others, { id: checkpointId, chatId: '', name, messageId, createdAt: 0 }],
      }
    }
    case 'remove-checkpoint':
      return { ...refs, checkpoints: refs.checkpoints.filter(({ name }) => name !== step.name) }
    default:
      // no other move knows the name and place of a branch that holds undone messages
      return refs
  }
}
