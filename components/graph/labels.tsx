'use client'

import { GitBranch } from 'lucide-react'
import type { CSSProperties } from 'react'
import { cn } from '@/components/ui/cn'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { BranchId } from '@/lib/events'
import type { GraphBranch, GraphCheckpoint } from '@/lib/graph'
import { BranchFace, branchChip, chip, FlagFace, flagChip } from './label-face'
import { laneColor } from './words'

interface LabelProps {
  /** whether Tab comes here */
  reachable: boolean
  /** a label of the past can be read, and leads nowhere */
  past: boolean
}

interface BranchLabelProps extends LabelProps {
  branch: GraphBranch
  lane: number
  isHere: boolean
  onSwitch(id: BranchId): void
}

export function BranchLabel({ branch, lane, isHere, reachable, past, onSwitch }: BranchLabelProps) {
  const style = { '--lane': laneColor(lane) } as CSSProperties
  if (past) {
    return (
      <span title={branch.name} style={style} className={branchChip(branch, isHere)}>
        <BranchFace branch={branch} isHere={isHere} />
      </span>
    )
  }
  return (
    <button
      type="button"
      data-branch={branch.id}
      tabIndex={reachable ? 0 : -1}
      aria-label={`Switch to ${branch.name}`}
      aria-description={isHere ? 'You are here' : undefined}
      title={branch.name}
      onClick={() => onSwitch(branch.id)}
      style={style}
      className={branchChip(branch, isHere)}
    >
      <BranchFace branch={branch} isHere={isHere} />
    </button>
  )
}

interface CheckpointFlagProps extends LabelProps {
  checkpoint: GraphCheckpoint
  onRestore(name: string): void
}

export function CheckpointFlag({ checkpoint, reachable, past, onRestore }: CheckpointFlagProps) {
  if (past) {
    return (
      <span title={checkpoint.name} className={flagChip}>
        <FlagFace name={checkpoint.name} />
      </span>
    )
  }
  return (
    <button
      type="button"
      data-checkpoint={checkpoint.name}
      tabIndex={reachable ? 0 : -1}
      aria-label={`Restore ${checkpoint.name}`}
      title={`Restore ${checkpoint.name}`}
      onClick={() => onRestore(checkpoint.name)}
      className={flagChip}
    >
      <FlagFace name={checkpoint.name} />
    </button>
  )
}

interface WaitingBranchesProps extends LabelProps {
  branches: readonly GraphBranch[]
  onSwitch(id: BranchId): void
}

/** Branches that were opened here and hold nothing yet: a count, and their names on demand. */
export function WaitingBranches({ branches, reachable, past, onSwitch }: WaitingBranchesProps) {
  const [only, ...more] = branches
  if (!only) return null
  const look = cn(
    chip,
    'shrink-0 border-dashed bg-canvas px-1 text-muted hover:border-line-strong hover:text-ink',
  )
  const count = (
    <>
      <GitBranch size={11} aria-hidden className="shrink-0" />
      <span aria-hidden className="tabular-nums">
        +{branches.length}
      </span>
    </>
  )
  const names = branches.map(({ name }) => name).join(', ')
  if (past) {
    return (
      <span title={names} className={look}>
        {count}
      </span>
    )
  }
  if (more.length === 0) {
    return (
      <button
        type="button"
        data-branch={only.id}
        tabIndex={reachable ? 0 : -1}
        aria-label={`Switch to ${only.name}`}
        title={`${only.name}, still empty`}
        onClick={() => onSwitch(only.id)}
        className={look}
      >
        {count}
      </button>
    )
  }
  return (
    <Menu
      trigger={
        <button
          type="button"
          tabIndex={reachable ? 0 : -1}
          aria-label={`${branches.length} empty branches`}
          title={names}
          className={look}
        >
          {count}
        </button>
      }
    >
      {branches.map(({ id, name }) => (
        <MenuItem key={id} aria-label={`Switch to ${name}`} onSelect={() => onSwitch(id)}>
          <GitBranch size={13} aria-hidden className="text-faint" />
          <bdi>{name}</bdi>
        </MenuItem>
      ))}
    </Menu>
  )
}
