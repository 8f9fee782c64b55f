'use client'

import { Check } from 'lucide-react'
import { type Ref, useState } from 'react'
import { SearchedList, type SearchedListHandle } from '@/components/ui/searched-list'
import type { BranchId } from '@/lib/events'
import { findBranches } from '@/lib/graph/branch-lines'
import type { BranchLine } from '@/lib/protocol'
import { BranchFace } from './branch-face'

/** A longer list can be searched. */
const searchedFrom = 10

interface BranchOptionsProps {
  ref: Ref<SearchedListHandle>
  label: string
  listId: string
  lines: readonly BranchLine[]
  chosen: BranchId
  onChoose(id: BranchId): void
}

/** The list of a branch picker. */
export default function BranchOptions({ lines, chosen, onChoose, ...props }: BranchOptionsProps) {
  const [wanted, setWanted] = useState('')
  const found = findBranches(lines, wanted)
  const field = { label: 'Find a branch', placeholder: `Find one of ${lines.length} branches` }
  return (
    <SearchedList
      {...props}
      field={lines.length > searchedFrom ? field : null}
      wanted={wanted}
      onWanted={setWanted}
      names={found.map(({ title, name }) => [title, name])}
      none="No branch has these words."
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
            label={line.title}
            branch={line}
            isHere={line.id === chosen}
            mark={line.id === chosen && <Check size={13} className="shrink-0 self-center text-accent" />}
          />
        </div>
      ))}
    </SearchedList>
  )
}
