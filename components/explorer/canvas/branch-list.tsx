'use client'

import { GitBranch } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type CSSProperties, type FocusEvent, useLayoutEffect, useRef, useState } from 'react'
import { labelOf, offers } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { branchChanges, switchToBranch } from '@/components/actions/on-branch'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Sheet } from '@/components/ui/dialog'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { BranchId } from '@/lib/events'
import type { GraphBranch } from '@/lib/protocol'
import { BranchName } from '../labels/name-in-place'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import { laneColor } from '../model/words'
import type { GraphCommands } from './graph-commands'

interface BranchListProps {
  model: GraphModel
  commands: GraphCommands
  on: GraphActions
}

/** All branches of the chat, archived ones too: beside its button, on a phone as a sheet. */
export function BranchList(props: BranchListProps) {
  const [open, setOpen] = useState(false)
  const phone = useMediaQuery('(max-width: 639px)')
  const [renamingId, setRenaming] = useState<BranchId | null>(null)
  const list = <Branches {...props} {...{ renamingId, setRenaming }} onLeave={() => setOpen(false)} />
  const button = (
    <IconButton
      label="Branches"
      size="tool"
      Icon={GitBranch}
      {...(phone && { 'aria-expanded': open, onClick: () => setOpen(!open) })}
    />
  )
  // while a name is given, Escape ends only that
  const onEscapeKeyDown = (event: KeyboardEvent) => renamingId !== null && event.preventDefault()
  if (phone) {
    return (
      <>
        {button}
        <Sheet title="Branches" side="bottom" open={open} onOpenChange={setOpen} {...{ onEscapeKeyDown }}>
          {list}
        </Sheet>
      </>
    )
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{button}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="start"
          sideOffset={8}
          collisionPadding={12}
          aria-label="Branches"
          onEscapeKeyDown={onEscapeKeyDown}
          className="appear z-40 flex max-h-[min(28rem,60dvh)] w-80 flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float"
        >
          {list}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
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
  const { branches } = props.model.index.graph
  const found = byLastUse(
    branches.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase())),
    props.model,
  )
  const archived = found.filter(({ archivedAt }) => archivedAt !== null)
  const row = (branch: GraphBranch) => <BranchRow key={branch.id} branch={branch} {...props} />
  return (
    <>
      {branches.length >= searchedFrom && (
        <input
          aria-label="Find a branch"
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
        {found.length === 0 && <p className="px-2 py-3 text-muted text-sm">No branch is called that.</p>}
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

function byLastUse(branches: GraphBranch[], { index, branchId }: GraphModel): GraphBranch[] {
  const lastUsed = ({ headId, createdAt }: GraphBranch): number =>
    Math.max(createdAt, (headId !== null && index.byId(headId)?.createdAt) || 0)
  return branches.sort(
    (a, b) => Number(b.id === branchId) - Number(a.id === branchId) || lastUsed(b) - lastUsed(a),
  )
}

function BranchRow({ branch, model, commands, on, ...list }: BranchesProps & { branch: GraphBranch }) {
  const { id, name, headId, archivedAt } = branch
  const head = headId === null ? undefined : model.index.byId(headId)
  // the name is given in the row, not in the drawing
  const here = { ...commands({ kind: 'branch', id }), rename: list.setRenaming }
  const { isHere } = here
  const count = head ? head.depth + 1 : 0
  return (
    <li
      data-row={id}
      style={{ '--lane': laneColor(head?.lane ?? 0) } as CSSProperties}
      className="group/branch flex h-9 items-center gap-0.5 rounded-md pr-1 focus-within:bg-ink/4 hover:bg-ink/4 touch:h-12"
    >
      {list.renamingId === id ? (
        <div className="flex-1 px-1">
          <BranchName branch={branch} on={on} onNamed={() => list.setRenaming(null)} />
        </div>
      ) : (
        <button
          type="button"
          aria-label={labelOf(switchToBranch, here)}
          aria-current={isHere ? 'true' : undefined}
          onClick={() => {
            list.onLeave()
            switchToBranch.run(here, null)
          }}
          className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left text-sm"
        >
          <GitBranch size={13} aria-hidden className="shrink-0 text-(--lane)" />
          <bdi className={cn('truncate', isHere && 'font-medium', archivedAt !== null && 'text-muted')}>
            {name}
          </bdi>
          {isHere && <span aria-hidden className="shrink-0 text-accent text-xs after:content-['here']" />}
          <span aria-hidden className="ml-auto shrink-0 text-faint text-xs tabular-nums">
            {count}
          </span>
        </button>
      )}
      <span className="flex shrink-0 opacity-0 focus-within:opacity-100 group-hover/branch:opacity-100 touch:opacity-100">
        {offers(branchChanges, here).map((offer) => (
          <ActionButton key={offer.id} offer={{ ...offer, hint: undefined }} />
        ))}
      </span>
    </li>
  )
}
