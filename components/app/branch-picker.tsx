'use client'

import { Check, ChevronDown, GitBranch } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { ListPanel } from '@/components/ui/list-panel'
import type { BranchId } from '@/lib/events'
import { findBranches } from '@/lib/graph/branch-lines'
import type { BranchLine } from '@/lib/protocol'
import { BranchFace, branchLabel } from './branch-face'
import { laneStyle } from './lane'

/** A longer list can be searched. */
const searchedFrom = 10

interface BranchPickerProps {
  label: string
  /** the chosen branch */
  branch: Pick<BranchLine, 'id' | 'name' | 'title' | 'lane'>
  /** the branches to choose from; asked for while the list is open */
  lines(): readonly BranchLine[]
  onChange(id: BranchId): void
  className?: string
}

/** A choice of a branch: a combobox by role. Its list opens below it, on a phone as a sheet. */
export function BranchPicker({ label, branch, lines, onChange, className }: BranchPickerProps) {
  const [open, setOpen] = useState(false)
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)
  const trigger = (
    <button
      type="button"
      role="combobox"
      aria-label={label}
      title={branch.name}
      aria-haspopup="listbox"
      aria-expanded={open}
      aria-controls={open ? listId : undefined}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        setOpen(true)
      }}
      style={laneStyle(branch.lane)}
      className={cn(
        'inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-muted text-sm transition-colors touch:h-11',
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
      {...{ label, trigger, open, onOpenChange: setOpen }}
      onOpened={() => focusFirst(box)}
      beside={{
        'aria-label': 'Choose a branch',
        sideOffset: 4,
        collisionPadding: 8,
        className: 'w-[min(26rem,calc(100vw-1rem))]',
      }}
    >
      {open && (
        <Branches
          {...{ label, listId, box }}
          lines={lines()}
          chosen={branch.id}
          onChoose={(id) => {
            setOpen(false)
            onChange(id)
          }}
        />
      )}
    </ListPanel>
  )
}

type Box = RefObject<HTMLDivElement | null>

const optionsIn = (box: Box) => [...(box.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]

/** The field of a long list, else the chosen branch. */
function focusFirst(box: Box) {
  const options = optionsIn(box)
  const chosen = options.find((option) => option.ariaSelected === 'true') ?? options[0]
  chosen?.scrollIntoView({ block: 'nearest' })
  const field = box.current?.querySelector('input')
  // on a phone the keyboard would cover the list
  const typed = matchMedia('(pointer: fine)').matches ? field : null
  const target = typed ?? chosen
  target?.focus({ preventScroll: true })
}

interface BranchesProps {
  label: string
  listId: string
  box: Box
  lines: readonly BranchLine[]
  chosen: BranchId
  onChoose(id: BranchId): void
}

function Branches({ label, listId, box, lines, chosen, onChoose }: BranchesProps) {
  const [wanted, setWanted] = useState('')
  const found = findBranches(lines, wanted)
  const isSearched = lines.length > searchedFrom

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const options = optionsIn(box)
    const at = options.indexOf(document.activeElement as HTMLElement)
    const isField = at < 0
    if (event.key === 'Enter' || (event.key === ' ' && !isField)) {
      event.preventDefault()
      options[Math.max(0, at)]?.click()
      return
    }
    const to = {
      ArrowDown: options[Math.min(at + 1, options.length - 1)],
      ArrowUp: at > 0 ? options[at - 1] : (box.current?.querySelector('input') ?? undefined),
      Home: isField ? undefined : options[0],
      End: isField ? undefined : options.at(-1),
    }[event.key]
    if (to) {
      event.preventDefault()
      to.focus()
    } else if (!isField && event.key.length === 1) typeAhead(event, at, options)
  }

  /** A letter goes to the field; in a short list, to the next branch that begins with it. */
  const typeAhead = (event: KeyboardEvent, at: number, options: HTMLElement[]) => {
    const field = box.current?.querySelector('input')
    if (field) return field.focus()
    const key = event.key.toLowerCase()
    const begins = (line: BranchLine | undefined) =>
      [line?.title, line?.name].some((text) => text?.toLowerCase().startsWith(key))
    const order = [...found.keys()].map((step) => (at + 1 + step) % found.length)
    const next = order.find((index) => begins(found[index]))
    if (next !== undefined) options[next]?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and of the list
    <div ref={box} onKeyDown={press} className="flex min-h-0 flex-1 flex-col">
      {isSearched && (
        <input
          type="search"
          aria-label="Find a branch"
          aria-controls={listId}
          dir="auto"
          autoComplete="off"
          placeholder={`Find one of ${lines.length} branches`}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          className="h-10 shrink-0 border-line border-b bg-transparent px-3 text-sm outline-none touch:h-12 touch:text-base"
        />
      )}
      <div
        id={listId}
        role="listbox"
        aria-label={label}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1"
      >
        {found.map((line) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled around the list
          <div
            key={line.id}
            role="option"
            tabIndex={-1}
            aria-selected={line.id === chosen}
            data-branch={line.id}
            onClick={() => onChoose(line.id)}
            className="relative flex min-h-12 cursor-default select-none items-center rounded-md px-2 py-1.5 outline-none hover:bg-ink/4 focus:bg-ink/6"
          >
            <BranchFace
              label={branchLabel(line)}
              branch={line}
              isHere={line.id === chosen}
              mark={line.id === chosen && <Check size={13} className="shrink-0 self-center text-accent" />}
            />
          </div>
        ))}
        {found.length === 0 && (
          <p role="status" className="px-2 py-3 text-muted text-sm">
            No branch has these words.
          </p>
        )}
      </div>
    </div>
  )
}
