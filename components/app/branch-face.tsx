import { GitBranch } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { BranchLine } from '@/lib/protocol'
import { useLaneStyle } from './lane'
import { plainPreview } from './plain-preview'
import { ageWords } from './time-words'

interface BranchFaceProps {
  /** the words for a screen reader */
  label: string
  branch: BranchLine
  isHere: boolean
  /** after the title */
  mark?: ReactNode
}

/**
 * A branch in a list, on two lines: colour, title and age; below them how many messages it has, and its last words.
 */
export function BranchFace({ label, branch, isHere, mark }: BranchFaceProps) {
  const laneStyle = useLaneStyle()
  const { title, lane, count, preview, usedAt, archivedAt } = branch
  return (
    <>
      {/* no aria-label: that would have to hold every word of the face */}
      <span className="sr-only">{label}</span>
      <span aria-hidden style={laneStyle(lane)} className="flex min-w-0 flex-1 items-start gap-2">
        <GitBranch size={13} className="mt-[3.5px] shrink-0 text-(--lane)" />
        <span className="min-w-0 flex-1">
          <span className="flex min-w-0 items-baseline gap-2 text-sm leading-5">
            <bdi className={cn('truncate', isHere && 'font-medium', archivedAt !== null && 'text-muted')}>
              {title}
            </bdi>
            {mark}
            <span className="ml-auto shrink-0 text-muted text-xs tabular-nums">
              {ageWords(usedAt, Date.now())}
            </span>
          </span>
          <span className="flex min-w-0 items-baseline gap-2 text-muted text-xs leading-4">
            <span className="shrink-0 tabular-nums">
              {count} {count === 1 ? 'message' : 'messages'}
            </span>
            <bdi className="truncate">{plainPreview(preview)}</bdi>
          </span>
        </span>
      </span>
    </>
  )
}
