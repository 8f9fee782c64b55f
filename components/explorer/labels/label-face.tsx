import { Flag, GitBranch } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import type { BranchId } from '@/lib/events'
import type { NodeLabels } from '@/lib/graph'
import type { GraphBranch } from '@/lib/protocol'

export const chip = cn(
  'nopan pointer-events-auto relative flex h-[17px] min-w-0 items-center gap-1 rounded-[5px] border px-1.5 text-[11px] leading-none',
  'transition-colors touch:h-6',
  // the target of a thumb is larger than the label
  "touch:after:absolute touch:after:inset-x-0 touch:after:-inset-y-2.5 touch:after:content-['']",
)

/** `--lane` is the colour of the branch. */
export const branchChip = ({ archivedAt }: GraphBranch, isHere: boolean): string =>
  cn(
    chip,
    isHere
      ? // beside other labels the place of the reader stays visible
        'max-w-full shrink-0 border-accent bg-accent font-medium text-on-accent not-only:max-w-[min(7rem,100%)]'
      : 'border-(--lane)/50 bg-canvas text-ink hover:border-(--lane) hover:bg-raised',
    archivedAt !== null && !isHere && 'border-dashed text-faint',
  )

export function BranchFace({ branch, isHere }: { branch: GraphBranch; isHere: boolean }) {
  return (
    <>
      <GitBranch size={11} aria-hidden className={cn('shrink-0', !isHere && 'text-(--lane)')} />
      <bdi className="truncate py-0.5">{branch.name}</bdi>
      {/* drawn, not written: the button's name must hold every word that stands on it */}
      {isHere && <span className="shrink-0 font-normal after:content-['·_here']" />}
    </>
  )
}

/** The checkpoints of a message with room for a flag, and those that are counted: beside the branch being read more. */
export function flagsOf({ branches, checkpoints }: NodeLabels, branchId: BranchId) {
  const isHere = branches.some(({ id }) => id === branchId)
  const named = checkpoints.length <= 2 || !isHere ? 2 : 1
  return { named: checkpoints.slice(0, named), counted: checkpoints.slice(named) }
}

export const flagChip = cn(chip, 'bg-raised text-ink hover:border-line-strong')

export function FlagFace({ name }: { name: string }) {
  return (
    <>
      <Flag size={11} aria-hidden className="shrink-0 fill-current text-warn" />
      <bdi className="truncate py-0.5">{name}</bdi>
    </>
  )
}
