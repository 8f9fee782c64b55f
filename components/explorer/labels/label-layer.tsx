'use client'

import { ViewportPortal } from '@xyflow/react'
import type { CSSProperties } from 'react'
import { useLaneStyle } from '@/components/app/lane'
import { type ItemId, mergedWord } from '@/lib/graph'
import type { Box, Metrics } from '../model/geometry'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import type { View } from '../model/level'
import { emptyGroupId, type LabelGroup, type LineTitle, widestChip } from './label-groups'
import { BranchLabel, CheckpointFlag, EmptyBranches, HereTitle, MoreCheckpoints } from './labels'
import type { WordMap } from './words-at'

interface LabelLayerProps {
  model: GraphModel
  words: WordMap
  view: View
  metrics: Metrics
  /** only labels near the part in sight are on the page */
  culls: boolean
  tabId: ItemId | null
  on: GraphActions
}

/**
 * Titles of branches and the labels of messages, at one size, where they have room. They lie beside the tree, not in
 * it, since a tree holds tree items only; Tab reaches the labels of the message it stands on.
 */
export function LabelLayer({ model, words, view, metrics, culls, tabId, on }: LabelLayerProps) {
  const laneStyle = useLaneStyle()
  const { zoom, titles, chips, merged, allTitles, allGroups } = words
  const { range } = view
  const isSeen = ({ x, y, width, height }: Box) => {
    if (!culls) return true
    const [column, row] = [metrics.step * zoom, metrics.row * zoom]
    const across = x < range.right * column && x + width > range.left * column
    return across && y < range.bottom * row && y + height > range.top * row
  }
  return (
    <ViewportPortal>
      {[...merged].map(
        ([id, box]) =>
          isSeen(box) && (
            <span
              key={id}
              aria-hidden
              data-merged
              className="pointer-events-none absolute top-0 left-0 text-muted text-xs leading-4"
              style={placed(box, zoom)}
            >
              {mergedWord}
            </span>
          ),
      )}
      {allTitles.map((title) => {
        const box = titles.get(title.id)
        if (!box || !isSeen(box)) return null
        const reachable = title.chip.branch.headId === tabId
        return (
          <div
            key={title.id}
            className="pointer-events-none absolute top-0 left-0 z-20"
            style={{ ...laneStyle(title.lane), ...placed(box, zoom) }}
          >
            <Title title={title} reachable={reachable} on={on} past={model.past} />
          </div>
        )
      })}
      {allGroups.map((group) => {
        const box = chips.get(group.id)
        if (!box || !isSeen(box)) return null
        const reachable = group.id === tabId || group.id === emptyGroupId
        return (
          <div
            key={group.id}
            className="pointer-events-none absolute top-0 left-0 z-20 flex items-center gap-1"
            style={{ ...laneStyle(group.lane), ...placed(box, zoom) }}
          >
            <Chips group={group} reachable={reachable} on={on} past={model.past} />
          </div>
        )
      })}
    </ViewportPortal>
  )
}

const placed = ({ x, y, width, height }: Box, zoom: number) =>
  ({
    '--chip': `${widestChip}px`,
    '--chip-lines': 1,
    transform: `translate(${x / zoom}px, ${y / zoom}px) scale(${1 / zoom})`,
    transformOrigin: '0 0',
    width,
    height,
  }) as CSSProperties

interface Place {
  past: boolean
  reachable: boolean
  on: GraphActions
}

function Title({ title: { chip, lit }, ...place }: Place & { title: LineTitle }) {
  // the label of where one is stands at its head: that is the button
  return chip.isHere ? (
    <HereTitle {...chip} />
  ) : (
    <BranchLabel {...chip} {...place} look={lit ? 'lit title' : 'title'} />
  )
}

function Chips({ group, ...place }: Place & { group: LabelGroup }) {
  return (
    <>
      {group.branches.map((chip) => (
        <BranchLabel key={chip.branch.id} {...chip} {...place} />
      ))}
      {group.branches.map(
        (chip) => chip.isHere && !chip.titled && <HereTitle key={chip.branch.id} {...chip} />,
      )}
      {group.flags.map(({ id, name }) => (
        <CheckpointFlag key={id} name={name} {...place} />
      ))}
      <MoreCheckpoints names={group.more.flags.map(({ name }) => name)} {...place} />
      <EmptyBranches branches={group.more.branches} {...place} />
    </>
  )
}
