'use client'

import { CornerDownRight } from 'lucide-react'
import Link from 'next/link'
import { useApp } from '@/components/app/app-context'
import { BranchPicker } from '@/components/app/branch-picker'
import { branchPath } from '@/components/app/paths'
import { counted } from '@/lib/events/counted'
import type { ComparedSide, Comparison } from '@/lib/protocol'
import { cn } from '../ui/cn'
import { costWords, sideStyle, type Which } from './sides'

interface SideHeadProps {
  comparison: Comparison
  side: ComparedSide
  which: Which
  /** the other side answers with another model */
  modelDiffers: boolean
  onBranch(id: string): void
}

/** The branch of a side, with its length, model and cost. */
export function SideHead({ comparison, side, which, modelDiffers, onBranch }: SideHeadProps) {
  const { models } = useApp()
  const { branch, model, length, usage } = side
  const modelLabel = models.find(({ id }) => id === model)?.label ?? model
  const cost = costWords(usage)
  return (
    <div style={sideStyle(side)} className="flex min-w-0 flex-col gap-0.5 px-1 py-1.5 md:px-3">
      <div className="flex min-w-0 items-center gap-1">
        <BranchPicker
          label={which === 'left' ? 'Left branch' : 'Right branch'}
          branch={{ ...branch, lane: side.lane }}
          onChange={onBranch}
          lines={() =>
            comparison.branches.filter(({ id, archivedAt }) => archivedAt === null || id === branch.id)
          }
          className="font-medium text-ink"
        />
        <Link
          href={branchPath(comparison.chatId, branch.name)}
          prefetch={false}
          aria-label={`Open ${branch.title}`}
          className="ml-auto inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md px-2 text-muted text-sm transition-colors hover:bg-ink/6 hover:text-ink touch:h-11 touch:min-w-11"
        >
          <CornerDownRight size={14} aria-hidden />
          <span className="max-md:sr-only">Open</span>
        </Link>
      </div>
      <p className="flex min-w-0 flex-wrap gap-x-3 px-2 text-faint text-xs">
        <span>{length === 0 ? 'nothing of its own' : `${counted(length, 'message')} of its own`}</span>
        {modelLabel && <span className={cn(modelDiffers && 'font-medium text-ink')}>{modelLabel}</span>}
        {cost && <span>{cost}</span>}
      </p>
    </div>
  )
}
