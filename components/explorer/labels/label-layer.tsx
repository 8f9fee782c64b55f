'use client'

import { ViewportPortal } from '@xyflow/react'
import type { ItemId } from '@/lib/graph'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import type { View } from '../model/level'
import { isInRange } from '../model/view-window'
import { emptyGroupId } from './label-groups'
import { groupLook, groupStyle, Leaders } from './label-look'
import { BranchLabel, CheckpointFlag, EmptyBranches, MoreCheckpoints } from './labels'
import type { LabelMap, PlacedGroup } from './place-labels'

interface LabelLayerProps {
  model: GraphModel
  labels: LabelMap
  view: View
  /** only labels near the part in sight are on the page */
  culls: boolean
  tabId: ItemId | null
  on: GraphActions
}

/**
 * Branch names and checkpoint flags at a constant size, each where it has room, with a line to its message where that
 * is not beside it. They lie beside the tree, not in it, since a tree holds tree items only; Tab reaches those of the
 * message it stands on.
 */
export function LabelLayer({ model, labels, view, culls, tabId, on }: LabelLayerProps) {
  const all = [...labels.placed.values()]
  const shown = culls ? all.filter(({ group }) => isInRange(group.cell, view.range)) : all
  return (
    <ViewportPortal>
      <Leaders shown={shown} zoom={labels.zoom} />
      {shown.map((placed) => (
        <div key={placed.group.id} className={groupLook(placed)} style={groupStyle(placed, labels.zoom)}>
          <Chips {...placed} past={model.past} reachable={tabId === placed.group.id} on={on} />
        </div>
      ))}
    </ViewportPortal>
  )
}

type ChipsProps = Pick<PlacedGroup, 'group'> & { past: boolean; reachable: boolean; on: GraphActions }

function Chips({ group, past, reachable, on }: ChipsProps) {
  const place = { on, past, reachable: reachable || group.id === emptyGroupId }
  return (
    <>
      {group.branches.map((chip) => (
        <BranchLabel key={chip.branch.id} {...chip} {...place} />
      ))}
      {group.flags.map(({ id, name }) => (
        <CheckpointFlag key={id} name={name} {...place} />
      ))}
      <MoreCheckpoints names={group.more.flags.map(({ name }) => name)} {...place} />
      <EmptyBranches branches={group.more.branches} {...place} />
    </>
  )
}
