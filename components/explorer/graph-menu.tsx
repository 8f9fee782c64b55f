'use client'

import {
  Archive,
  ArchiveRestore,
  CornerDownRight,
  Download,
  Flag,
  FlagOff,
  FoldVertical,
  GitBranch,
  GitBranchPlus,
  GitCompareArrows,
  ListChecks,
  Maximize,
  Pencil,
  Undo2,
  UnfoldVertical,
} from 'lucide-react'
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { ContextItem, ContextMenu, ContextSeparator } from '@/components/ui/context-menu'
import type { BranchId, MessageId } from '@/lib/events'
import type { DrawnItem, ItemId } from '@/lib/graph'
import { type GraphCommands, isWriting } from './graph-commands'
import type { GraphActions } from './graph-props'
import { canArchive, type GraphModel, itemAt, stretchAround } from './model/graph-model'
import type { PictureKind } from './picture/save-picture'

/** What a menu was asked for on. */
export type MenuTarget =
  | { kind: 'item'; id: ItemId }
  | { kind: 'branch'; id: BranchId }
  | { kind: 'checkpoint'; name: string }
  | { kind: 'pane' }

interface GraphMenuProps {
  model: GraphModel
  commands: GraphCommands
  on: GraphActions
  marked: readonly MessageId[]
  /** what lies under the pointer, or has the focus */
  targetOf(event: Event): MenuTarget
  onFit(): void
  onFoldAll: (() => void) | null
  onSave(kind: PictureKind): void
  onClosed(target: MenuTarget): void
  children: ReactNode
}

const size = 14

/** The menu of whatever was right-clicked. */
export function GraphMenu({ targetOf, onClosed, children, ...props }: GraphMenuProps) {
  const [target, setTarget] = useState<MenuTarget>({ kind: 'pane' })
  const held = useRef<'down' | 'opened' | null>(null)
  const ask = (event: SyntheticEvent<unknown, Event>) => setTarget(targetOf(event.nativeEvent))
  return (
    <ContextMenu
      label="Graph"
      onOpenChange={(open) => {
        if (open && held.current === 'down') held.current = 'opened'
        else if (!open && held.current === 'opened') held.current = null
      }}
      trigger={
        <div
          className="h-full"
          onContextMenuCapture={ask}
          // not every browser says of a long touch that it asks for a menu: then the menu opens after a while by itself
          onPointerDownCapture={(event) => {
            held.current = event.pointerType === 'mouse' ? null : 'down'
            if (held.current) ask(event)
          }}
          // lifting the finger that opened it is no click
          onClickCapture={(event) => {
            if (held.current === 'opened') event.stopPropagation()
            held.current = null
          }}
        >
          {children}
        </div>
      }
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        onClosed(target)
      }}
    >
      <MenuOf target={target} {...props} />
    </ContextMenu>
  )
}

type MenuProps = Omit<GraphMenuProps, 'targetOf' | 'onClosed' | 'children'>

function MenuOf({ target, ...props }: MenuProps & { target: MenuTarget }) {
  const { model, on } = props
  if (target.kind === 'branch') return <BranchItems branchId={target.id} {...props} />
  if (target.kind === 'checkpoint') return <CheckpointItems name={target.name} on={on} />
  const item = target.kind === 'item' ? itemAt(model, target.id) : undefined
  return item ? <ItemItems item={item} {...props} /> : <PaneItems {...props} />
}

function PaneItems({ onFit, onFoldAll, onSave, model }: MenuProps) {
  return (
    <>
      <ContextItem icon={<Maximize size={size} />} hotkey="0" onSelect={onFit}>
        Fit graph
      </ContextItem>
      {onFoldAll && (
        <ContextItem
          icon={model.folded.size > 0 ? <UnfoldVertical size={size} /> : <FoldVertical size={size} />}
          onSelect={onFoldAll}
        >
          {model.folded.size > 0 ? 'Show every message' : 'Fold long stretches'}
        </ContextItem>
      )}
      <ContextSeparator />
      <ContextItem icon={<Download size={size} />} onSelect={() => onSave('svg')}>
        Save as SVG
      </ContextItem>
      <ContextItem icon={<Download size={size} />} onSelect={() => onSave('png')}>
        Save as PNG
      </ContextItem>
    </>
  )
}

function ItemItems({ item, ...props }: MenuProps & { item: DrawnItem }) {
  const { model, commands, marked } = props
  if (item.kind === 'fold') {
    return (
      <ContextItem
        icon={<UnfoldVertical size={size} />}
        hotkey="Enter"
        onSelect={() => commands.unfold(item.id)}
      >
        Show these messages
      </ContextItem>
    )
  }
  const { id } = item
  const { mark } = commands
  const comparison = commands.comparison(id)
  const labels = model.visible.labels.get(id)
  return (
    <>
      <ContextItem icon={<CornerDownRight size={size} />} hotkey="Enter" onSelect={() => commands.open(id)}>
        Open
      </ContextItem>
      {!isWriting(item) && (
        <ContextItem icon={<GitBranchPlus size={size} />} hotkey="b" onSelect={() => commands.branchFrom(id)}>
          Branch from here
        </ContextItem>
      )}
      {!model.past && !isWriting(item) && (
        <ContextItem icon={<Flag size={size} />} hotkey="c" onSelect={() => commands.checkpoint(id)}>
          Checkpoint here
        </ContextItem>
      )}
      {mark && (
        <ContextItem icon={<ListChecks size={size} />} hotkey="Space" onSelect={() => mark(id)}>
          {marked.includes(id) ? 'Do not compare' : 'Pick for comparing'}
        </ContextItem>
      )}
      {comparison && (
        <ContextItem icon={<GitCompareArrows size={size} />} onSelect={comparison.run}>
          {comparison.label}
        </ContextItem>
      )}
      {stretchAround(model, id).length > 0 && (
        <ContextItem icon={<FoldVertical size={size} />} hotkey="f" onSelect={() => commands.fold(id)}>
          Fold this stretch
        </ContextItem>
      )}
      {(model.past ? [] : (labels?.branches ?? [])).map((branch) => (
        <div key={branch.id}>
          <ContextSeparator />
          <BranchItems branchId={branch.id} named {...props} />
        </div>
      ))}
    </>
  )
}

function BranchItems({
  branchId,
  named = false,
  model,
  commands,
  on,
}: MenuProps & { branchId: BranchId; named?: boolean }) {
  const branch = model.index.branch(branchId)
  if (!branch) return null
  const { name } = branch
  const isHere = branchId === model.branchId
  return (
    <>
      {!isHere && (
        <ContextItem icon={<GitBranch size={size} />} onSelect={() => on.onSwitch(branchId)}>
          Switch to {name}
        </ContextItem>
      )}
      <ContextItem icon={<Pencil size={size} />} hotkey="F2" onSelect={() => commands.rename(branchId)}>
        {named ? `Rename ${name}` : 'Rename'}
      </ContextItem>
      {canArchive(model, branchId) && (
        <ContextItem icon={<Archive size={size} />} onSelect={() => on.onArchive(branchId)}>
          {named ? `Archive ${name}` : 'Archive'}
        </ContextItem>
      )}
      {branch.archivedAt !== null && (
        <ContextItem icon={<ArchiveRestore size={size} />} onSelect={() => on.onUnarchive(branchId)}>
          {`Restore ${name}`}
        </ContextItem>
      )}
    </>
  )
}

function CheckpointItems({ name, on }: { name: string; on: GraphActions }) {
  return (
    <>
      <ContextItem icon={<Undo2 size={size} />} hotkey="r" onSelect={() => on.onRestore(name)}>
        Restore {name}
      </ContextItem>
      <ContextItem icon={<FlagOff size={size} />} onSelect={() => on.onRemoveCheckpoint(name)}>
        Remove this checkpoint
      </ContextItem>
    </>
  )
}
