'use client'

import { ChevronDown, GitBranch, type LucideIcon } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ListPanel, listButton } from '@/components/ui/list-panel'
import type { SearchedListHandle } from '@/components/ui/searched-list'
import type { BranchId } from '@/lib/events'
import type { BranchLine } from '@/lib/protocol'
import { deferred } from './deferred'
import { useLaneStyle } from './lane'

const BranchOptions = deferred(() => import('./branch-options'))

/** Acts on the chosen branch. */
interface BranchAct {
  id: string
  label: string
  Icon?: LucideIcon | undefined
  run(): void
}

interface BranchPickerProps {
  label: string
  /** the chosen branch */
  branch: Pick<BranchLine, 'id' | 'name' | 'title' | 'lane'>
  /** the branches to choose from; asked for while the list is open */
  lines(): readonly BranchLine[]
  onChange(id: BranchId): void
  /** actions on the chosen branch, below the list; asked for while it is open */
  acts?(): readonly BranchAct[]
  /** further facts of the chosen branch, below the list */
  note?: ReactNode
  className?: string
}

/** A choice of a branch: a combobox by role. Its list is loaded when it opens below it, on a phone as a sheet. */
export function BranchPicker({ label, branch, lines, onChange, acts, note, className }: BranchPickerProps) {
  const laneStyle = useLaneStyle()
  const [open, setOpen] = useState(false)
  const listId = useId()
  const options = useRef<SearchedListHandle>(null)
  const trigger = (
    <button
      {...listButton({ label, listId, open, onOpen: () => setOpen(true) })}
      title={branch.title}
      style={laneStyle(branch.lane)}
      className={cn(
        'inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-sm transition-colors touch:h-11',
        'hover:bg-ink/6 hover:text-ink aria-expanded:bg-ink/6',
        className,
      )}
    >
      <GitBranch size={14} aria-hidden className="shrink-0 text-(--lane)" />
      <bdi className="min-w-0 truncate">{branch.title}</bdi>
      <ChevronDown size={14} aria-hidden className="shrink-0 text-faint" />
    </button>
  )
  return (
    <ListPanel
      label={label}
      trigger={trigger}
      open={open}
      onOpenChange={setOpen}
      // a list that is still being loaded takes the focus when it is there
      onOpened={() => options.current?.focus()}
      beside={{
        'aria-label': 'Choose a branch',
        sideOffset: 4,
        collisionPadding: 8,
        className: 'w-[min(26rem,calc(100vw-1rem))]',
      }}
    >
      {open && (
        <BranchOptions
          ref={options}
          label={label}
          listId={listId}
          lines={lines()}
          chosen={branch.id}
          onChoose={(id) => {
            setOpen(false)
            onChange(id)
          }}
        />
      )}
      {open && note}
      {open &&
        acts?.().map(({ id, label, Icon, run }) => (
          <Button
            key={id}
            look="quiet"
            className="m-1 min-w-0 shrink-0 justify-start px-2"
            onClick={() => {
              setOpen(false)
              run()
            }}
          >
            {Icon && <Icon size={14} aria-hidden />}
            <bdi className="min-w-0 truncate">{label}</bdi>
          </Button>
        ))}
    </ListPanel>
  )
}
