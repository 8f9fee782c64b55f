'use client'

import { useStore } from '@xyflow/react'
import { LocateFixed, Maximize, Minus, Plus } from 'lucide-react'
import { Button, IconButton } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'
import { zoomRange } from './geometry'

interface GraphControlsProps {
  onZoom(to: number): void
  onFit(): void
  onHead(): void
}

/** Zoom, fit and the way back to the head, bottom left. */
export function GraphControls({ onZoom, onFit, onHead }: GraphControlsProps) {
  const zoom = useStore((state) => state.transform[2])
  return (
    <fieldset
      aria-label="Graph view"
      className="absolute bottom-3 left-3 z-10 flex items-center rounded-lg border bg-raised p-0.5"
    >
      <IconButton
        label="Zoom out"
        size="icon-sm"
        disabled={zoom <= zoomRange.min}
        onClick={() => onZoom(zoom / 1.25)}
      >
        <Minus size={14} aria-hidden />
      </IconButton>
      <Hint text="Zoom to 100 %">
        <Button
          look="quiet"
          size="sm"
          className="w-13 px-0 text-xs touch:h-9"
          aria-label={`Zoom to 100 %, now ${Math.round(zoom * 100)} %`}
          onClick={() => onZoom(1)}
        >
          {Math.round(zoom * 100)} %
        </Button>
      </Hint>
      <IconButton
        label="Zoom in"
        size="icon-sm"
        disabled={zoom >= zoomRange.max}
        onClick={() => onZoom(zoom * 1.25)}
      >
        <Plus size={14} aria-hidden />
      </IconButton>
      <span aria-hidden className="mx-0.5 h-4 w-px bg-line" />
      <IconButton label="Fit graph" size="icon-sm" onClick={onFit}>
        <Maximize size={14} aria-hidden />
      </IconButton>
      <IconButton label="Go to head" hint="where you are" size="icon-sm" onClick={onHead}>
        <LocateFixed size={14} aria-hidden />
      </IconButton>
    </fieldset>
  )
}
