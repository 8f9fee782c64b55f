'use client'

import type { EdgeProps } from '@xyflow/react'
import { memo } from 'react'
import { cn } from '@/components/ui/cn'
import type { LaneEdge } from './flow'
import { cardHeight, markY } from './geometry'
import { laneColor } from './words'

const bend = 10
/** Below the labels of the row above; lines from different columns run beside each other, not on one another. */
const runBelow = (fromColumn: number): number => cardHeight - markY + 25 + (fromColumn % 3) * 3

/** The line from a message to a reply: straight in its column, else down, across between the rows, and down. */
export const LaneLine = memo(function LaneLine({
  sourceX,
  sourceY,
  targetX,
  targetY,
  data,
}: EdgeProps<LaneEdge>) {
  const lit = data?.lit ?? false
  return (
    <path
      d={linePath(sourceX, sourceY, targetX, targetY, data?.fromColumn ?? 0)}
      fill="none"
      stroke={laneColor(data?.lane ?? 0)}
      strokeWidth={lit ? 2.5 : 1.5}
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
      className={cn('transition-[stroke-opacity] duration-150', !lit && '[stroke-opacity:0.55]')}
    />
  )
})

function linePath(x0: number, y0: number, x1: number, y1: number, fromColumn: number): string {
  if (x0 === x1) return `M${x0} ${y0}V${y1}`
  const y = y0 + runBelow(fromColumn)
  const side = x1 > x0 ? bend : -bend
  return `M${x0} ${y0}V${y - bend}Q${x0} ${y} ${x0 + side} ${y}H${x1 - side}Q${x1} ${y} ${x1} ${y + bend}V${y1}`
}
