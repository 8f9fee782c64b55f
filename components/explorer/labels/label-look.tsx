import type { CSSProperties } from 'react'
import { laneColor, laneStyle } from '@/components/app/lane'
import { cn } from '@/components/ui/cn'
import type { PlacedGroup } from './place-labels'

/** The look of the labels of one message: a row, or a pile. */
export const groupLook = ({ shape }: PlacedGroup): string =>
  cn(
    'pointer-events-none absolute top-0 left-0 z-20 flex w-max',
    shape.stacked ? 'flex-col items-start gap-[3px]' : 'gap-1',
  )

/** The place of the labels of one message, in a layer whose pixels are those of the drawing. */
export const groupStyle = ({ box, shape, group }: PlacedGroup, zoom: number): CSSProperties =>
  ({
    ...laneStyle(group.lane),
    '--chip': `${shape.chipWidth}px`,
    transform: `translate(${box.x / zoom}px, ${box.y / zoom}px) scale(${1 / zoom})`,
    transformOrigin: '0 0',
    maxWidth: box.width,
  }) as CSSProperties

/** The lines from messages to labels that stand away from them. */
export function Leaders({ shown, zoom }: { shown: readonly PlacedGroup[]; zoom: number }) {
  return (
    <svg aria-hidden="true" className="absolute top-0 left-0 size-px overflow-visible" style={{ zIndex: -1 }}>
      {shown.map(({ group, leader }) => {
        if (!leader) return null
        const [from, to] = leader.map(({ x, y }) => `${x / zoom} ${y / zoom}`)
        return (
          <path
            key={group.id}
            d={`M${from}L${to}`}
            fill="none"
            stroke={laneColor(group.lane)}
            strokeWidth={1.25}
            vectorEffect="non-scaling-stroke"
          />
        )
      })}
    </svg>
  )
}
