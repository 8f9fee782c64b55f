import { Archive, ArchiveRestore, FlagOff, GitBranch, Pencil, Undo2 } from 'lucide-react'
import type { BranchId } from '@/lib/events'
import type { GraphBranch } from '@/lib/protocol'
import type { Action } from './action'
import { branchMerging, type OnMerging } from './on-merging'
import { inPast } from './on-message'
import { type OnReplay, replayBranch } from './on-replay'
import { type OnSharing, shareBranch } from './on-sharing'

/** A branch as the target of an action. */
export interface OnBranch extends OnMerging, OnReplay, OnSharing {
  branch: GraphBranch | undefined
  /** its name on the screen */
  title: string | undefined
  /** it is the branch being read */
  isHere: boolean
  canArchive: boolean
  past: boolean
  switchTo(id: BranchId): void
  rename(id: BranchId): void
  archive(id: BranchId): void
  unarchive(id: BranchId): void
}

export const switchToBranch: Action<Pick<OnBranch, 'branch' | 'title' | 'isHere' | 'switchTo'>> = {
  id: 'switch',
  label: 'Switch to the branch',
  named: ({ title }) => `Switch to ${title}`,
  words: 'go checkout branch',
  Icon: GitBranch,
  when: ({ branch, isHere }) => branch !== undefined && !isHere,
  run: ({ branch, switchTo }) => branch && switchTo(branch.id),
}

const change = (verb: string, record: Omit<Action<OnBranch>, 'id' | 'label'>): Action<OnBranch> => ({
  id: verb.toLowerCase(),
  label: `${verb} the branch`,
  named: ({ title }) => `${verb} ${title}`,
  short: verb,
  ...record,
})

/** Actions on a branch in a list of branches, where a row has little room. */
export const branchUpkeep: readonly Action<OnBranch>[] = [
  change('Rename', {
    keys: ['F2'],
    Icon: Pencil,
    when: ({ branch, past }) => (past ? inPast : branch !== undefined),
    run: ({ branch, rename }) => branch && rename(branch.id),
  }),
  change('Archive', {
    Icon: Archive,
    when: ({ canArchive }) => canArchive,
    run: ({ branch, archive }) => branch && archive(branch.id),
  }),
  change('Unarchive', {
    Icon: ArchiveRestore,
    when: ({ branch }) => branch !== undefined && branch.archivedAt !== null,
    run: ({ branch, unarchive }) => branch && unarchive(branch.id),
  }),
]

/** Actions on a branch, besides reading it. */
export const branchChanges: readonly Action<OnBranch>[] = [
  ...branchUpkeep,
  ...branchMerging,
  replayBranch,
  shareBranch,
]

/** A checkpoint as the target of an action. */
export interface OnCheckpoint {
  /** its name; null where there is none */
  checkpointName: string | null
  past: boolean
  restore(name: string): void
  removeCheckpoint(name: string): void
}

export const backToCheckpoint: Action<Pick<OnCheckpoint, 'checkpointName' | 'restore'> & { past?: boolean }> =
  {
    id: 'restore',
    label: 'Restore the checkpoint above',
    named: ({ checkpointName }) => `Restore ${checkpointName}`,
    words: 'go back reset tag',
    keys: ['r'],
    Icon: Undo2,
    when: ({ checkpointName, past }) =>
      past ? inPast : checkpointName !== null || 'There is no checkpoint above',
    run: ({ checkpointName, restore }) => checkpointName !== null && restore(checkpointName),
  }

export const checkpointActions: readonly Action<OnCheckpoint>[] = [
  backToCheckpoint,
  {
    id: 'remove checkpoint',
    label: 'Remove this checkpoint',
    Icon: FlagOff,
    when: ({ checkpointName, past }) => !past && checkpointName !== null,
    run: ({ checkpointName, removeCheckpoint }) =>
      checkpointName !== null && removeCheckpoint(checkpointName),
  },
]
