'use client'

import { useStore, ViewportPortal } from '@xyflow/react'
import { Flag, GitBranch } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { BranchId } from '@/lib/events'
import type { GraphBranch, GraphCheckpoint, Placement } from '@/lib/graph'
import { cardHeight, cellBox, rowStep } from './geometry'
import { type Scene, useScene } from './scene'
import { laneColor } from './words'

/** Up to this many labelled messages all labels are on the page; beyond, those near the part in sight. */
const drawAllUpTo = 200
const rowsPerBand = 20

/**
 * Branch names and checkpoint flags, below the messages they point at. They lie beside the tree, not in it, since a
 * tree holds tree items only; Tab reaches those of the message it stands on.
 */
export function LabelLayer({ placement }: { placement: Placement }) {
  const scene = useScene()
  const { labels, emptyBranches, byId } = scene.visible
  const band = useStore(({ transform: [, y, zoom] }) =>
    labels.size > drawAllUpTo ? Math.floor(-y / zoom / rowStep / rowsPerBand) : null,
  )
  const bandRows = useStore(({ height, transform }) =>
    Math.ceil(height / transform[2] / rowStep / rowsPerBand),
  )
  const isNear = (row: number): boolean =>
    band === null || (row >= (band - 1) * rowsPerBand && row <= (band + bandRows + 2) * rowsPerBand)

  return (
    <ViewportPortal>
      {emptyBranches.length > 0 && (
        <LabelRow x={0} y={-30}>
          {emptyBranches.map((branch) => (
            <BranchLabel key={branch.id} branch={branch} lane={0} scene={scene} reachable />
          ))}
        </LabelRow>
      )}
      {[...labels].map(([id, { branches, checkpoints }]) => {
        const cell = placement.cells.get(id)
        if (!cell || !isNear(cell.row)) return null
        const { x, y } = cellBox(cell)
        const reachable = scene.tabId === id
        return (
          <LabelRow key={id} x={x} y={y + cardHeight + 2}>
            {hereFirst(branches, scene.branchId).map((branch) => (
              <BranchLabel
                key={branch.id}
                branch={branch}
                lane={byId.get(id)?.node.lane ?? 0}
                scene={scene}
                reachable={reachable}
              />
            ))}
            {checkpoints.map((checkpoint) => (
              <CheckpointFlag
                key={checkpoint.id}
                checkpoint={checkpoint}
                scene={scene}
                reachable={reachable}
              />
            ))}
          </LabelRow>
        )
      })}
    </ViewportPortal>
  )
}

const hereFirst = (branches: readonly GraphBranch[], hereId: BranchId): GraphBranch[] =>
  [...branches].sort((a, b) => Number(b.id === hereId) - Number(a.id === hereId))

function LabelRow({ x, y, children }: { x: number; y: number; children: ReactNode }) {
  return (
    <div
      className="absolute top-0 left-0 z-20 flex gap-1 ps-7 group-data-far/graph:opacity-90"
      style={{ transform: `translate(${x}px, ${y}px)` }}
    >
      {children}
    </div>
  )
}

const label =
  'pointer-events-auto relative flex h-5 max-w-44 items-center gap-1 rounded-md border px-1.5 text-[11px] leading-none transition-colors'

interface LabelProps {
  scene: Scene
  reachable: boolean
}

function BranchLabel({ branch, lane, scene, reachable }: LabelProps & { branch: GraphBranch; lane: number }) {
  const isHere = branch.id === scene.branchId
  return (
    <button
      type="button"
      tabIndex={reachable ? 0 : -1}
      aria-label={`Switch to ${branch.name}`}
      aria-description={isHere ? 'You are here' : undefined}
      title={branch.name}
      onClick={() => scene.onSwitch(branch.id)}
      style={{ '--lane': laneColor(lane) } as CSSProperties}
      className={cn(
        label,
        isHere
          ? 'border-accent bg-accent font-medium text-on-accent'
          : 'border-(--lane)/50 bg-canvas text-ink hover:border-(--lane) hover:bg-raised',
        branch.archivedAt !== null && !isHere && 'border-dashed text-faint',
      )}
    >
      <GitBranch size={11} aria-hidden className={cn('shrink-0', !isHere && 'text-(--lane)')} />
      <bdi className="truncate py-0.5">{branch.name}</bdi>
      {/* drawn, not written: the button's name must hold every word that stands on it */}
      {isHere && <span className="shrink-0 font-normal after:content-['·_here']" />}
    </button>
  )
}

function CheckpointFlag({ checkpoint, scene, reachable }: LabelProps & { checkpoint: GraphCheckpoint }) {
  return (
    <button
      type="button"
      tabIndex={reachable ? 0 : -1}
      aria-label={`Restore ${checkpoint.name}`}
      title={`Restore ${checkpoint.name}`}
      onClick={() => scene.onRestore(checkpoint.name)}
      className={cn(label, 'bg-raised text-ink hover:border-line-strong')}
    >
      <Flag size={11} aria-hidden className="shrink-0 fill-current text-warn" />
      <bdi className="truncate py-0.5">{checkpoint.name}</bdi>
    </button>
  )
}
