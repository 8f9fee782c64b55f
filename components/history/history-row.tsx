import {
  Archive,
  ArchiveRestore,
  Copy,
  CornerDownRight,
  Download,
  Eye,
  EyeOff,
  Flag,
  FlagOff,
  GitBranch,
  GitBranchPlus,
  GitMerge,
  History,
  type LucideIcon,
  MessagesSquare,
  Pencil,
  Redo2,
  Signpost,
  SlidersHorizontal,
  Star,
  Undo2,
} from 'lucide-react'
import { memo, useId, useState } from 'react'
import { clockWords } from '@/components/app/time-words'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { type MoveNames, moveWords } from '@/lib/graph/history/move-words'
import type { MoveEntry } from '@/lib/protocol'
import type { HistoryWays } from './history-panel'
import { type HistoryLine, isWayBack } from './standing'

const icons: Record<NonNullable<MoveEntry['move']>, LucideIcon> = {
  branch: GitBranchPlus,
  switch: GitBranch,
  rename: Pencil,
  archive: Archive,
  unarchive: ArchiveRestore,
  checkpoint: Flag,
  'remove-checkpoint': FlagOff,
  context: SlidersHorizontal,
  keep: Star,
  pick: Copy,
  merge: GitMerge,
  compact: GitMerge,
  steer: Signpost,
  'leave-out': EyeOff,
  'put-back': Eye,
  receive: Download,
}

const iconOf = ({ kind, move }: MoveEntry): LucideIcon => {
  if (kind === 'undone') return Undo2
  if (kind === 'redone') return Redo2
  return move ? icons[move] : MessagesSquare
}

interface HistoryRowProps extends HistoryWays {
  line: HistoryLine
  names: MoveNames
  /** the chat still has what the line is about */
  isThere: boolean
  /** the graph is shown as it was after this line */
  isShown: boolean
}

/**
 * A line of the history. It opens to show where it leads; a pointer above it does, too. There are hundreds: a step in
 * time draws only the lines that it marks.
 */
export const HistoryRow = memo(function HistoryRow(props: HistoryRowProps) {
  const { line, names, isThere, isShown, see, goTo, undoTo } = props
  const { entry, isUndone } = line
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const words = moveWords(entry, names)
  const Icon = iconOf(entry)
  const ways = [
    { label: 'See the graph as it was then', Icon: History, run: () => see(entry.seq) },
    ...(isThere
      ? [{ label: 'Go there', Icon: CornerDownRight, run: () => goTo(entry.branchId, entry.messageId) }]
      : []),
    ...(isWayBack(line) ? [{ label: 'Undo to here', Icon: Undo2, run: () => undoTo(entry.seq) }] : []),
  ]
  return (
    <li
      data-history={entry.kind}
      data-undone={isUndone || undefined}
      aria-current={isShown ? 'time' : undefined}
      className={cn(
        isShown && 'bg-ink/4 shadow-[inset_2px_0_var(--color-accent)]',
        'group flex flex-wrap items-start gap-x-2.5 px-4 py-1 text-sm hover:bg-ink/4',
        '[content-visibility:auto] [contain-intrinsic-size:auto_36px]',
      )}
    >
      <time
        dateTime={new Date(entry.at).toISOString()}
        className="w-9 shrink-0 py-1 text-faint text-xs leading-5 tabular-nums"
      >
        {clockWords(entry.at)}
      </time>
      <Icon
        size={14}
        aria-hidden
        className={cn('mt-2 shrink-0', entry.kind === 'turns' || isUndone ? 'text-faint' : 'text-muted')}
      />
      <button
        type="button"
        id={id}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className={cn(
          'min-w-0 flex-1 cursor-default py-1 text-left leading-5 [overflow-wrap:anywhere] touch:min-h-11',
          (entry.kind !== 'move' || isUndone) && 'text-muted',
        )}
      >
        <bdi className={cn(isUndone && 'line-through decoration-faint')}>{words}</bdi>
        {isUndone && <span className="text-faint"> · undone</span>}
        {entry.by !== undefined && <span className="text-faint"> · by {entry.by}</span>}
      </button>
      <span
        className={cn(
          'ml-auto flex shrink-0 justify-end group-hover:opacity-100',
          isOpen ? 'opacity-100 touch:w-full' : 'opacity-0 touch:hidden',
        )}
      >
        {ways.map(({ label, Icon, run }) => (
          <IconButton
            key={label}
            label={label}
            Icon={Icon}
            size="tool"
            aria-describedby={id}
            tabIndex={isOpen ? undefined : -1}
            onClick={run}
          />
        ))}
      </span>
    </li>
  )
})
