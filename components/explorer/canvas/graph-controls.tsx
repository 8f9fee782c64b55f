'use client'

import { useStore } from '@xyflow/react'
import type { ReactNode } from 'react'
import { offerOf } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { type OnGraph, zoomIn, zoomOut } from '@/components/actions/on-graph'
import { Button } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'

interface GraphControlsProps {
  on: OnGraph
  range: { min: number; max: number }
  onZoom(to: number): void
  /** the tools for a view of any size */
  children: ReactNode
}

/** Zoom and the other tools, bottom left. */
export function GraphControls({ on, range, onZoom, children }: GraphControlsProps) {
  const zoom = useStore((state) => state.transform[2])
  return (
    <fieldset
      aria-label="Graph view"
      className="absolute bottom-3 left-3 z-10 flex max-w-[calc(100%-1.5rem)] items-center rounded-lg border bg-raised p-0.5"
    >
      <span className="contents touch:hidden">
        <ActionButton offer={offerOf(zoomOut, on, zoom <= range.min)} />
        <Hint text="Zoom to 100 %">
          <Button
            look="quiet"
            size="sm"
            className="w-12 px-0 text-xs"
            aria-label={`Zoom to 100 %, now ${Math.round(zoom * 100)} %`}
            onClick={() => onZoom(1)}
          >
            {Math.round(zoom * 100)} %
          </Button>
        </Hint>
        <ActionButton offer={offerOf(zoomIn, on, zoom >= range.max)} />
        <span aria-hidden className="mx-0.5 h-4 w-px bg-line" />
      </span>
      {children}
    </fieldset>
  )
}
