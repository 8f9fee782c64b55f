'use client'

import { ViewportPortal } from '@xyflow/react'
import type { BranchId, MessageId } from '@/lib/events'
import type { Cell, ItemId, NodeLabels } from '@/lib/graph'
import type { GraphBranch } from '@/lib/protocol'

import { type Box, type Metrics, onScreen } from '../model/geometry'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import { labelStyle, labelsAtMost, type NameWanted, type View } from '../model/level'
import { isInRange } from '../model/view-window'
import { flagsOf } from './label-face'
import { BranchLabel, CheckpointFlag, EmptyBranches, MoreCheckpoints } from './labels'
import { BranchName, CheckpointName } from './name-in-place'
import { spreadLabels } from './spread-labels'

interface LabelLayerProps {
  model: GraphModel
  view: View
  metrics: Metrics
  /** only labels near the part in sight are on the page */
  culls: boolean
  tabId: ItemId | null
  naming: NameWanted | null
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
  const all = labelled(model, naming)
  const near = culls ? all.filter(({ cell }) => isInRange(cell, view.range)) : all
  const shown = view.level === 'far' ? roomFor(near, model, naming, view, metrics) : null
  const isNamed = ({ id }: GraphBranch): boolean => naming?.kind === 'branch' && naming.branchId === id
  const branchLabel = (branch: GraphBranch, lane: number, reachable: boolean) =>
    isNamed(branch) ? (
      <BranchName key={branch.id} {...{ branch, on, onNamed }} />
    ) : (
      <BranchLabel
        key={branch.id}
        {...{ branch, lane, on, past, reachable }}
        isHere={branch.id === branchId}
      />
    )
  const labelsOf = ({ id, lane, labels }: Labelled) => {
    // a name that is being given takes all the room there is
    if (naming?.kind === 'checkpoint' && naming.messageId === id)
      return (
        <CheckpointName messageId={id} checkpoints={model.index.graph.checkpoints} {...{ on, onNamed }} />
      )
    const place = { on, past, reachable: tabId === id }
    const flags = flagsOf(labels, branchId)
    return (
      <>
        {[...labels.branches, ...labels.waiting.filter(isNamed)]
          .sort((a, b) => Number(b.id === branchId) - Number(a.id === branchId))
          .map((branch) => branchLabel(branch, lane, place.reachable))}
        {flags.named.map(({ name }) => (
          <CheckpointFlag key={name} name={name} {...place} />
        ))}
        <MoreCheckpoints names={flags.counted.map(({ name }) => name)} {...place} />
        <EmptyBranches branches={labels.waiting.filter((branch) => !isNamed(branch))} {...place} />
      </>
    )
  }
  return (
    <ViewportPortal>
      {visible.emptyBranches.length > 0 && (
        <div className="absolute z-20 flex gap-1" style={{ transform: 'translate(24px, -26px)' }}>
          {visible.emptyBranches.map((branch) => branchLabel(branch, 0, true))}
        </div>
      )}
      {near.map((each) =>
        shown && !shown.has(each.id) ? null : (
          <div
            key={each.id}
            className="pointer-events-none absolute top-0 left-0 z-20 flex w-max gap-1"
            style={labelStyle(each.cell, view.level, metrics)}
          >
            {labelsOf(each)}
          </div>
        ),
      )}
    </ViewportPortal>
  )
}

/** All messages with labels, and the message that is being given one. */
function labelled({ visible, placement }: GraphModel, naming: NameWanted | null): Labelled[] {
  const messageId = naming?.kind === 'checkpoint' ? naming.messageId : null
  const ids = new Set(visible.labels.keys())
  if (messageId !== null) ids.add(messageId)
  return [...ids].flatMap((id) => {
    const cell = placement.cells.get(id)
    const lane = visible.byId.get(id)?.node.lane ?? 0
    return cell ? [{ id, cell, lane, labels: visible.labels.get(id) ?? none }] : []
  })
}

/** About as wide as a letter of a label, in px. */
const letter = 6

/** The labels with room, by rank: the name being given, the head being read, checkpoints, then the last used. */
function roomFor(
  all: readonly Labelled[],
  model: GraphModel,
  naming: NameWanted | null,
  { zoom }: View,
  metrics: Metrics,
): ReadonlySet<string> {
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
