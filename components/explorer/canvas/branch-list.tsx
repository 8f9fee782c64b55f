'use client'

import { GitBranch } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type CSSProperties, type FocusEvent, useLayoutEffect, useRef, useState } from 'react'
import { labelOf, offers } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { branchChanges, switchToBranch } from '@/components/actions/on-branch'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Sheet } from '@/components/ui/sheet'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { BranchId } from '@/lib/events'
import type { GraphBranch } from '@/lib/protocol'
import { NameInPlace } from '../labels/name-in-place'
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
  const [renaming, setRenaming] = useState<BranchId | null>(null)
  const list = (
    <Branches {...props} renaming={renaming} onRenaming={setRenaming} onLeave={() => setOpen(false)} />
  )
  const look = { label: 'Branches', size: 'icon-sm', className: 'touch:size-11' } as const
  const icon = <GitBranch size={14} aria-hidden />
  // while a name is given, Escape leaves that alone
  const onEscapeKeyDown = (event: KeyboardEvent) => renaming !== null && event.preventDefault()
  if (phone) {
    return (
      <>
        <IconButton {...look} aria-expanded={open} onClick={() => setOpen(!open)}>
          {icon}
        </IconButton>
        <Sheet
          open={open}
          onOpenChange={setOpen}
          title="Branches"
          side="bottom"
          onEscapeKeyDown={onEscapeKeyDown}
        >
          {list}
        </Sheet>
      </>
    )
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <IconButton {...look}>{icon}</IconButton>
      </Popover.Trigger>
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
  renaming: BranchId | null
  onRenaming(id: BranchId | null): void
  onLeave(): void
}

function Branches({ model, commands, on, renaming, onRenaming, onLeave }: BranchesProps) {
  const [wanted, setWanted] = useState('')
  const keptFocus = useFocusInRow()
  const { branches } = model.index.graph
  const matches = ({ name }: GraphBranch) => name.toLowerCase().includes(wanted.trim().toLowerCase())
  const found = branches.filter(matches)
  const inUse = byLastUse(
    found.filter(({ archivedAt }) => archivedAt === null),
    model,
  )
  const archived = byLastUse(
    found.filter(({ archivedAt }) => archivedAt !== null),
    model,
  )
  const row = (branch: GraphBranch) => (
    <BranchRow
      key={branch.id}
      branch={branch}
      model={model}
      commands={commands}
      on={on}
      isRenaming={renaming === branch.id}
      onRenaming={(is) => onRenaming(is ? branch.id : null)}
      onLeave={onLeave}
    />
  )
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
        <ul aria-label="Branches in use">{inUse.map(row)}</ul>
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

/** When what has the focus in a row goes, or its row goes elsewhere, the focus stays with the branch. */
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

interface BranchRowProps extends BranchListProps {
  branch: GraphBranch
  isRenaming: boolean
  onRenaming(is: boolean): void
  onLeave(): void
}

function BranchRow({ branch, model, commands, on, isRenaming, onRenaming, onLeave }: BranchRowProps) {
  const { id, name, headId, archivedAt } = branch
  const head = headId === null ? undefined : model.index.byId(headId)
  // the name is given in the row, not in the drawing
  const here = { ...commands({ kind: 'branch', id }), rename: () => onRenaming(true) }
  const { isHere } = here
  const count = head ? head.depth + 1 : 0
  const icon = <GitBranch size={13} aria-hidden className="shrink-0 text-(--lane)" />
  return (
    <li
      data-row={id}
      style={{ '--lane': laneColor(head?.lane ?? 0) } as CSSProperties}
      className="group/branch flex h-9 items-center gap-0.5 rounded-md pr-1 focus-within:bg-ink/4 hover:bg-ink/4 touch:h-12"
    >
      {isRenaming ? (
        <div className="flex-1 px-1">
          <NameInPlace
            label="Branch name"
            icon={icon}
            initial={name}
            onSave={(next) => {
              onRenaming(false)
              if (next !== name) on.onRenameBranch(id, next)
            }}
            onCancel={() => onRenaming(false)}
          />
        </div>
      ) : (
        <button
          type="button"
          aria-label={labelOf(switchToBranch, here)}
          aria-current={isHere ? 'true' : undefined}
          onClick={() => {
            onLeave()
            switchToBranch.run(here, null)
          }}
          className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left text-sm"
        >
          {icon}
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
          <ActionButton key={offer.id} offer={{ ...offer, hint: undefined }} className="touch:size-11" />
        ))}
      </span>
    </li>
  )
}
