import type { CSSProperties, ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { lineHeight, type PlacedText } from '@/lib/graph'

interface MapWordsProps {
  said: PlacedText
  /** from the corner of the tree item, on the screen */
  left: number
  top: number
  lit: boolean
  className?: string
  children: ReactNode
}

/** Words of the map beside a mark: as large on the screen at every zoom. */
export function MapWords({ said, left, top, lit, className, children }: MapWordsProps) {
  return (
    <span
      aria-hidden
      className={cn(
        // a dashed line that passes behind is not read through
        'absolute top-0 left-0 block cursor-pointer bg-canvas text-xs',
        lit ? 'text-ink' : 'text-muted group-hover/card:text-ink',
        said.lines === 1 ? 'whitespace-nowrap' : '[overflow-wrap:anywhere]',
        className,
      )}
      style={
        {
          width: said.box.width,
          lineHeight: `${lineHeight}px`,
          transform: `translate(${left}px, ${top}px)`,
        } as CSSProperties
      }
    >
      {children}
    </span>
  )
}
