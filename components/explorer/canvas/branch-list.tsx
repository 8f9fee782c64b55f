'use client'

import { GitBranch } from 'lucide-react'
import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react'
import { labelOf, offers } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { branchUpkeep, switchToBranch } from '@/components/actions/on-branch'
import { mergeBranch } from '@/components/actions/on-merging'
import { BranchFace } from '@/components/app/branch-face'
import { useLaneStyle } from '@/components/app/lane'
import { Button } from '@/components/ui/button'
import { ListPanel } from '@/components/ui/list-panel'
import type { BranchId } from '@/lib/events'
import { branchLines, findBranches } from '@/lib/graph'
import type { BranchLine } from '@/lib/protocol'
import { BranchName } from '../labels/name-in-place'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import type { GraphCommands } from './graph-commands'

interface BranchListProps {
  model: GraphModel
  commands: GraphCommands
  on: GraphActions
}

/** All branches of the chat, archived ones too: beside its button, on a phone as a sheet. */
export function BranchList(props: BranchListProps) {
  const [open, setOpen] = useState(false)
  const [renamingId, setRenaming] = useState<BranchId | null>(null)
  return (
    <ListPanel
      label="Branches"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button look="quiet" size="sm" aria-label="Branches" className="text-xs touch:min-w-11">
          <GitBranch size={14} aria-hidden />
          <span className="hidden @md:inline">Branches</span>
        </Button>
      }
      // while a name is given, Escape ends only that
      onEscapeKeyDown={(event) => renamingId !== null && event.preventDefault()}
      beside={{
        side: 'top',
        sideOffset: 8,
        collisionPadding: 12,
        className: 'z-40 max-h-[min(28rem,60dvh)] w-80',
      }}
    >
      <Branches {...props} renamingId={renamingId} setRenaming={setRenaming} onLeave={() => setOpen(false)} />
    </ListPanel>
  )
}

/** A longer list can be searched. */
const searchedFrom = 9

interface BranchesProps extends BranchListProps {
  renamingId: BranchId | null
  setRenaming(id: BranchId | null): void
  onLeave(): void
}

function Branches(props: BranchesProps) {
  const [wanted, setWanted] = useState('')
  const keptFocus = useFocusInRow()
  const branches = branchLines(props.model.index)
  const found = byLastUse(findBranches(branches, wanted), props.model.branchId)
  const archived = found.filter(({ archivedAt }) => archivedAt !== null)
  const row = (line: BranchLine) => <BranchRow key={line.id} line={line} {...props} />
  return (
    <>
      {branches.length >= searchedFrom && (
        <input
          aria-label="Find a branch"
          dir="auto"
          placeholder={`Find one of ${branches.length} branches`}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          className="h-10 shrink-0 border-line border-b bg-transparent px-3 text-sm outline-none touch:h-12 touch:text-base"
        />
      )}
      <div {...keptFocus} className="min-h-0 flex-1 overflow-y-auto p-1">
        <ul aria-label="Branches in use">{found.filter((branch) => !archived.includes(branch)).map(row)}</ul>
        {archived.length > 0 && (
          <>
            <h3 className="px-2 pt-3 pb-1 font-medium text-faint text-xs">Archived</h3>
            <ul aria-label="Archived branches">{archived.map(row)}</ul>
          </>
        )}
        {found.length === 0 && <p className="px-2 py-3 text-muted text-sm">No branch has these words.</p>}
      </div>
    </>
  )
}

/** When the focused button of a row goes, or its row moves, the focus stays with the branch. */
function useFocusInRow() {
  const ref = useRef<HTMLDivElement>(null)
  const held = useRef<{ at: Element; branchId: string | undefined } | null>(null)
  useLayoutEffect(() => {
    if (!held.current || held.current.at.isConnected) return
    const { branchId = '' } = held.current
    held.current = null
    ref.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(branchId)}"] > button`)?.focus()
  })
  return {
    ref,
    onFocus: ({ target }: FocusEvent) => {
      held.current = { at: target, branchId: target.closest<HTMLElement>('[data-row]')?.dataset.row }
    },
    onBlur: () => {
      held.current = null
    },
  }
}

/** The branch being read first, then the latest used. */
const byLastUse = (lines: readonly BranchLine[], branchId: BranchId): BranchLine[] =>
  lines.toSorted((a, b) => Number(b.id === branchId) - Number(a.id === branchId) || b.usedAt - a.usedAt)

function BranchRow({ line, model, commands, on, ...list }: BranchesProps & { line: BranchLine }) {
  const laneStyle = useLaneStyle()
  const { id } = line
  const branch = model.index.branch(id)
  // the name is given in the row, not in the drawing
  const here = { ...commands({ kind: 'branch', id }), rename: list.setRenaming }
  const { isHere } = here
  return (
    <li
      data-row={id}
      style={laneStyle(line.lane)}
      className="group/branch relative flex min-h-12 items-center rounded-md focus-within:bg-ink/4 hover:bg-ink/4"
    >
      {list.renamingId === id && branch ? (
        <div className="flex-1 px-1">
          <BranchName branch={branch} on={on} onNamed={() => list.setRenaming(null)} />
        </div>
      ) : (
        <button
          type="button"
          aria-current={isHere ? 'true' : undefined}
          onClick={() => {
            list.onLeave()
            switchToBranch.run(here, null)
          }}
          className="relative flex min-h-12 min-w-0 flex-1 items-center rounded-md px-2 py-1.5 text-left touch:pr-36"
        >
          <BranchFace
            label={labelOf(switchToBranch, here)}
            branch={line}
            isHere={isHere}
            mark={isHere && <span className="shrink-0 text-accent text-xs after:content-['here']" />}
          />
        </button>
      )}
      <span className="absolute inset-y-0 right-0 flex items-center rounded-md pr-1 pl-4 opacity-0 focus-within:bg-raised focus-within:opacity-100 group-hover/branch:bg-raised group-hover/branch:opacity-100 touch:opacity-100">
        {offers([mergeBranch, ...branchUpkeep], here).map((offer) => (
          <ActionButton key={offer.id} offer={{ ...offer, hint: undefined }} />
        ))}
      </span>
    </li>
  )
}
