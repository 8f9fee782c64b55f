'use client'

import { Flag, GitBranch, type LucideIcon } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { BranchId } from '@/lib/events'
import type { GraphBranch, GraphCheckpoint } from '@/lib/protocol'
import { laneColor } from '../model/words'
import { BranchFace, branchChip, CountFace, countChip, FlagFace, flagChip } from './label-face'

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

/** Branches that were opened here and hold nothing yet. */
export function WaitingBranches({ branches, onSwitch, ...props }: WaitingBranchesProps) {
  return (
    <Counted
      {...props}
      Icon={GitBranch}
      itemIcon={<GitBranch size={13} aria-hidden className="text-faint" />}
      many={`${branches.length} empty branches`}
      labels={branches.map(({ id, name }) => ({
        name,
        does: `Switch to ${name}`,
        title: `${name}, still empty`,
        target: { 'data-branch': id },
        run: () => onSwitch(id),
      }))}
    />
  )
}

interface MoreFlagsProps extends LabelProps {
  checkpoints: readonly GraphCheckpoint[]
  onRestore(name: string): void
}

/** The flags there is no room for; they follow one that shows what they are. */
export function MoreFlags({ checkpoints, onRestore, ...props }: MoreFlagsProps) {
  return (
    <Counted
      {...props}
      itemIcon={<Flag size={13} aria-hidden className="text-faint" />}
      many={`${checkpoints.length} more checkpoints`}
      labels={checkpoints.map(({ name }) => ({
        name,
        does: `Restore ${name}`,
        title: `Restore ${name}`,
        target: { 'data-checkpoint': name },
        run: () => onRestore(name),
      }))}
    />
  )
}

interface CountedProps extends LabelProps {
  Icon?: LucideIcon
  itemIcon: ReactNode
  /** the name of them all */
  many: string
  labels: readonly { name: string; does: string; title: string; target: object; run(): void }[]
}

/** Labels that stand behind a count: one is used at once, of more the names are shown on demand. */
function Counted({ Icon, itemIcon, many, labels, reachable, past }: CountedProps) {
  const [only, ...more] = labels
  if (!only) return null
  const count = <CountFace Icon={Icon} count={labels.length} />
  const names = labels.map(({ name }) => name).join(', ')
  if (past) {
    return (
      <span title={names} className={countChip}>
        {count}
      </span>
    )
  }
  if (more.length === 0) {
    return (
      <button
        type="button"
        {...only.target}
        tabIndex={reachable ? 0 : -1}
        aria-label={only.does}
        title={only.title}
        onClick={only.run}
        className={countChip}
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
          aria-label={many}
          title={names}
          className={countChip}
        >
          {count}
        </button>
      }
    >
      {labels.map(({ name, does, run }) => (
        <MenuItem key={name} aria-label={does} onSelect={run}>
          {itemIcon}
          <bdi>{name}</bdi>
        </MenuItem>
      ))}
    </Menu>
  )
}
