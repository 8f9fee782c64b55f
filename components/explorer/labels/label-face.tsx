import { Flag, GitBranch } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import type { GraphBranch } from '@/lib/protocol'

/** `--chip` is how wide it may be; its words break where they need more, into `--chip-lines` at most. */
export const chip = cn(
  'nopan pointer-events-auto relative flex min-h-[19px] w-max min-w-0 max-w-(--chip) items-center gap-1 rounded-[5px] border text-left text-xs leading-[15px]',
  'touch:min-h-[25px]',
  // the target of a thumb is larger than the label
  "touch:after:absolute touch:after:left-1/2 touch:after:w-full touch:after:min-w-11 touch:after:-translate-x-1/2 touch:after:-inset-y-[11px] touch:after:content-['']",
)

interface BranchFaceProps {
  title: string
  mark: string | null
  isHere: boolean
}

/** `--lane` is the colour of the branch. */
export const branchChip = ({ archivedAt }: GraphBranch, isHere: boolean, waits: boolean): string =>
  cn(
    chip,
    'px-1.5',
    isHere
      ? 'shrink-0 border-accent bg-accent font-medium text-on-accent'
      : [
          'border-(--lane)/50 bg-canvas hover:border-(--lane) hover:bg-raised',
          archivedAt !== null ? 'text-faint' : waits ? 'text-muted' : 'text-ink',
        ],
    (waits || (archivedAt !== null && !isHere)) && 'border-dashed',
  )

const words = 'line-clamp-[var(--chip-lines,3)] min-w-0 py-px [overflow-wrap:anywhere]'

export function BranchFace({ title, mark, isHere }: BranchFaceProps) {
  // drawn, not written: the button's name must hold every word that stands on it
  if (isHere) {
    return (
      <span className={cn(words, "whitespace-nowrap after:content-['●_here']")}>
        {mark !== null && <bdi>{mark} · </bdi>}
      </span>
    )
  }
  return (
    <>
      <GitBranch size={11} aria-hidden className="shrink-0 text-(--lane)" />
      <span className={words}>
        <bdi>{title}</bdi>
      </span>
    </>
  )
}

/** The title of a branch at the beginning of its line on the map. */
export const lineTitle = (lit: boolean): string =>
  cn(
    'nopan pointer-events-auto relative block max-w-full truncate rounded-sm bg-canvas px-[3px] text-left text-[13px] leading-[17px] hover:underline',
    lit ? 'font-semibold text-ink' : 'font-medium text-ink/80',
    "touch:after:absolute touch:after:inset-x-0 touch:after:-inset-y-3 touch:after:content-['']",
  )

const flagLook = 'bg-raised text-ink hover:border-line-strong'

export const flagChip = cn(chip, 'px-1.5', flagLook)

/** A count of flags that have no room. */
export const flagCount = cn(chip, 'shrink-0 px-1', flagLook)

export function FlagFace({ name }: { name: string }) {
  return (
    <>
      <Flag size={11} aria-hidden className="shrink-0 fill-current text-warn" />
      <span className={words}>
        <bdi>{name}</bdi>
      </span>
    </>
  )
}
