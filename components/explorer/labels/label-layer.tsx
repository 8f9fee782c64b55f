'use client'

import { ViewportPortal } from '@xyflow/react'
import { Flag, GitBranch } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import { type Cell, type ItemId, type NodeLabels, suggestCheckpointName } from '@/lib/graph'
import type { GraphBranch } from '@/lib/protocol'
import type { View } from '../canvas/use-view'
import { type Box, type Metrics, onScreen } from '../model/geometry'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import { type Level, labelStyle, labelsAtMost } from '../model/level'
import { isInRange } from '../model/view-window'
import { flagsOf } from './label-face'
import { BranchLabel, CheckpointFlag, MoreFlags, WaitingBranches } from './labels'
import { NameInPlace } from './name-in-place'
import { spreadLabels } from './spread-labels'

/** What is being named, where it stands. */
export type Naming = { kind: 'checkpoint'; messageId: MessageId } | { kind: 'branch'; branchId: BranchId }

interface LabelLayerProps {
  model: GraphModel
  view: View
  metrics: Metrics
  /** only labels near the part in sight are on the page */
  culls: boolean
  tabId: ItemId | null
  naming: Naming | null
  on: GraphActions
  onNamed(): void
}

interface Labelled {
  id: MessageId
  cell: Cell
  lane: number
  labels: NodeLabels
}

const none: NodeLabels = { branches: [], waiting: [], checkpoints: [] }

/**
 * Branch names and checkpoint flags, on the lower half of the cards they belong to; from farther off they keep their
 * size, and from far away only those are shown that have the room. They lie beside the tree, not in it, since a tree
 * holds tree items only; Tab reaches those of the message it stands on.
 */
export function LabelLayer({ model, view, metrics, culls, tabId, naming, on, onNamed }: LabelLayerProps) {
  const { visible, branchId, past } = model
  const near = inSight(labelled(model, naming), view, culls)
  const shown = view.level === 'far' ? new Set(roomFor(near, model, naming, view, metrics)) : null
  const isNamed = ({ id }: GraphBranch): boolean => naming?.kind === 'branch' && naming.branchId === id
  return (
    <ViewportPortal>
      {visible.emptyBranches.length > 0 && (
        <div className="absolute z-20 flex gap-1" style={{ transform: 'translate(24px, -26px)' }}>
          {visible.emptyBranches.map((branch) =>
            isNamed(branch) ? (
              <BranchName key={branch.id} branch={branch} on={on} onNamed={onNamed} />
            ) : (
              <BranchLabel
                key={branch.id}
                branch={branch}
                lane={0}
                isHere={branch.id === branchId}
                past={past}
                reachable
                onSwitch={on.onSwitch}
              />
            ),
          )}
        </div>
      )}
      {near.map(({ id, cell, lane, labels }) => {
        if (shown && !shown.has(id)) return null
        const reachable = tabId === id
        const flags = flagsOf(labels, branchId)
        // a name being given takes all the room there is
        if (naming?.kind === 'checkpoint' && naming.messageId === id) {
          return (
            <LabelRow key={id} cell={cell} level={view.level} metrics={metrics}>
              <CheckpointName model={model} messageId={id} on={on} onNamed={onNamed} />
            </LabelRow>
          )
        }
        return (
          <LabelRow key={id} cell={cell} level={view.level} metrics={metrics}>
            {hereFirst([...labels.branches, ...labels.waiting.filter(isNamed)], branchId).map((branch) =>
              isNamed(branch) ? (
                <BranchName key={branch.id} branch={branch} on={on} onNamed={onNamed} />
              ) : (
                <BranchLabel
                  key={branch.id}
                  branch={branch}
                  lane={lane}
                  isHere={branch.id === branchId}
                  past={past}
                  reachable={reachable}
                  onSwitch={on.onSwitch}
                />
              ),
            )}
            {flags.named.map((checkpoint) => (
              <CheckpointFlag
                key={checkpoint.id}
                checkpoint={checkpoint}
                past={past}
                reachable={reachable}
                onRestore={on.onRestore}
              />
            ))}
            <MoreFlags
              checkpoints={flags.counted}
              past={past}
              reachable={reachable}
              onRestore={on.onRestore}
            />
            <WaitingBranches
              branches={labels.waiting.filter((branch) => !isNamed(branch))}
              past={past}
              reachable={reachable}
              onSwitch={on.onSwitch}
            />
          </LabelRow>
        )
      })}
    </ViewportPortal>
  )
}

/** All messages with labels, and the one that is about to get one. */
function labelled({ visible, placement }: GraphModel, naming: Naming | null): Labelled[] {
  const messageId = naming?.kind === 'checkpoint' ? naming.messageId : null
  const ids = new Set(visible.labels.keys())
  if (messageId !== null) ids.add(messageId)
  return [...ids].flatMap((id) => {
    const cell = placement.cells.get(id)
    const lane = visible.byId.get(id)?.node.lane ?? 0
    return cell ? [{ id, cell, lane, labels: visible.labels.get(id) ?? none }] : []
  })
}

const inSight = (all: Labelled[], { range }: View, culls: boolean): Labelled[] =>
  culls ? all.filter(({ cell }) => isInRange(cell, range)) : all

const hereFirst = (branches: readonly GraphBranch[], hereId: BranchId): GraphBranch[] =>
  [...branches].sort((a, b) => Number(b.id === hereId) - Number(a.id === hereId))

const letter = 6

/** The labels there is room for: what is being named and where one is come first, then bookmarks, then what was used last. */
function roomFor(
  all: readonly Labelled[],
  model: GraphModel,
  naming: Naming | null,
  { zoom }: View,
  metrics: Metrics,
): Iterable<string> {
  const namedAt = naming?.kind === 'branch' ? model.index.branch(naming.branchId)?.headId : naming?.messageId
  const rank = ({ id, labels }: Labelled): number => {
    if (id === namedAt) return 0
    if (id === model.headId) return 1
    return labels.checkpoints.length > 0 ? 2 : 3
  }
  const at = ({ id }: Labelled): number => model.visible.byId.get(id)?.node.createdAt ?? 0
  const boxes = [...all]
    .sort((a, b) => rank(a) - rank(b) || at(b) - at(a))
    .map((each) => ({ id: each.id, box: boxOf(each, model.branchId, zoom, metrics) }))
  return spreadLabels(boxes)
}

function boxOf({ cell, labels }: Labelled, branchId: BranchId, zoom: number, metrics: Metrics): Box {
  const names = [...labels.branches, ...flagsOf(labels, branchId).named].map(
    ({ name }) => name.length * letter + 34,
  )
  const width = names.reduce((sum, each) => sum + each, 0)
  const at = onScreen(
    { x: cell.column * metrics.columnStep, y: cell.row * metrics.rowStep, width: 0, height: 0 },
    { x: 0, y: 0, zoom },
  )
  return { ...at, width: Math.min(width, labelsAtMost) + 12, height: 28 }
}

interface LabelRowProps {
  cell: Cell
  level: Level
  metrics: Metrics
  children: ReactNode
}

function LabelRow({ cell, level, metrics, children }: LabelRowProps) {
  return (
    <div
      className="pointer-events-none absolute top-0 left-0 z-20 flex w-max gap-1"
      style={labelStyle(cell, level, metrics)}
    >
      {children}
    </div>
  )
}

interface BeingNamed {
  on: GraphActions
  onNamed(): void
}

function CheckpointName({
  model,
  messageId,
  on,
  onNamed,
}: BeingNamed & { model: GraphModel; messageId: MessageId }) {
  const { checkpoints } = model.index.graph
  const isTaken = (name: string) =>
    checkpoints.some((checkpoint) => checkpoint.name === name && checkpoint.messageId !== messageId)
  return (
    <NameInPlace
      label="Checkpoint name"
      icon={<Flag size={11} aria-hidden className="shrink-0 fill-current text-warn" />}
      initial={suggestCheckpointName(checkpoints)}
      remark={(name) => (isTaken(name) ? 'This flag moves here' : null)}
      onSave={(name) => {
        onNamed()
        on.onSaveCheckpoint(messageId, name)
      }}
      onCancel={onNamed}
    />
  )
}

function BranchName({ branch, on, onNamed }: BeingNamed & { branch: GraphBranch }) {
  return (
    <NameInPlace
      label="Branch name"
      icon={<GitBranch size={11} aria-hidden className="shrink-0" />}
      initial={branch.name}
      onSave={(name) => {
        onNamed()
        if (name !== branch.name) on.onRenameBranch(branch.id, name)
      }}
      onCancel={onNamed}
    />
  )
}
