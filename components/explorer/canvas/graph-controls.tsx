'use client'

import { useStore } from '@xyflow/react'
import { FoldVertical, LocateFixed, Maximize, Minus, Plus, Search, UnfoldVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'
import { zoomRange } from '../model/geometry'
import type { Folding } from '../model/use-graph-model'

interface GraphControlsProps {
  folding: Folding['state']
  onZoom(to: number): void
  onFit(): void
  onHead(): void
  onFoldAll(): void
  onFind(): void
  /** the list of branches */
  children: ReactNode
}

const look = 'touch:size-11'

/** Zoom, fit, the way back to the head, folding and the list of branches, bottom left. */
export function GraphControls({
  folding,
  onZoom,
  onFit,
  onHead,
  onFoldAll,
  onFind,
  children,
}: GraphControlsProps) {
  const zoom = useStore((state) => state.transform[2])
  return (
    <fieldset
      aria-label="Graph view"
      className="absolute bottom-3 left-3 z-10 flex max-w-[calc(100%-1.5rem)] items-center rounded-lg border bg-raised p-0.5"
    >
      <span className="contents touch:hidden">
        <IconButton
          label="Zoom out"
          hint="-"
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
            className="w-12 px-0 text-xs"
            aria-label={`Zoom to 100 %, now ${Math.round(zoom * 100)} %`}
            onClick={() => onZoom(1)}
          >
            {Math.round(zoom * 100)} %
          </Button>
        </Hint>
        <IconButton
          label="Zoom in"
          hint="+"
          size="icon-sm"
          disabled={zoom >= zoomRange.max}
          onClick={() => onZoom(zoom * 1.25)}
        >
          <Plus size={14} aria-hidden />
        </IconButton>
        <span aria-hidden className="mx-0.5 h-4 w-px bg-line" />
      </span>
      <IconButton label="Fit graph" hint="0" size="icon-sm" className={look} onClick={onFit}>
        <Maximize size={14} aria-hidden />
      </IconButton>
      <IconButton label="Go to head" hint="where you are" size="icon-sm" className={look} onClick={onHead}>
        <LocateFixed size={14} aria-hidden />
      </IconButton>
      {folding !== 'none' && (
        <IconButton
          label={folding === 'folded' ? 'Show every message' : 'Fold long stretches'}
          size="icon-sm"
          className={look}
          onClick={onFoldAll}
        >
          {folding === 'folded' ? (
            <UnfoldVertical size={14} aria-hidden />
          ) : (
            <FoldVertical size={14} aria-hidden />
          )}
        </IconButton>
      )}
      <IconButton label="Find in graph" hint="/" size="icon-sm" className={look} onClick={onFind}>
        <Search size={14} aria-hidden />
      </IconButton>
      {children}
    </fieldset>
  )
}
