'use client'

import { Check } from 'lucide-react'
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { focusFirst, optionsIn } from '@/components/ui/list-options'
import type { BranchId } from '@/lib/events'
import { findBranches } from '@/lib/graph/branch-lines'
import type { BranchLine } from '@/lib/protocol'
import { BranchFace, branchLabel } from './branch-face'

/** A longer list can be searched. */
const searchedFrom = 10

export interface BranchOptionsHandle {
  focus(): void
}

interface BranchOptionsProps {
  ref: Ref<BranchOptionsHandle>

  label: string
  listId: string
  lines: readonly BranchLine[]
  chosen: BranchId
  onChoose(id: BranchId): void
}

/** The list of a branch picker. The chosen branch has the focus, or the field of a long list. */
export default function BranchOptions({ ref, label, listId, lines, chosen, onChoose }: BranchOptionsProps) {
  const box = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => focusFirst(box) }), [])
  useEffect(() => focusFirst(box), [])
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
