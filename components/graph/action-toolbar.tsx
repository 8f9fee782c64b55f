'use client'

import { useStore } from '@xyflow/react'
import { CornerDownRight, Flag, GitBranchPlus, GitCompareArrows } from 'lucide-react'
import { Toolbar } from 'radix-ui'
import { Fragment, useLayoutEffect, useRef, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { type Box, isInView, onScreen } from './geometry'

interface ActionToolbarProps {
  /** the selected message, in the drawing's pixels */
  box: Box
  /** off the chain being read there is nothing nearer than to go on from there */
  branchFirst: boolean
  onOpen(): void
  onBranchFrom(): void
  onCheckpoint(): void
  onCompare?: () => void
  onLeave(): void
}

/** Narrower than this, the toolbar is a bar at the bottom, within reach of a thumb. */
const floatsFrom = 480

/** What can be done with the selected message, floating above it. */
export function ActionToolbar({ box, branchFirst, onLeave, ...actions }: ActionToolbarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [tx, ty, zoom] = useStore((state) => state.transform)
  const paneWidth = useStore((state) => state.width)
  const paneHeight = useStore((state) => state.height)
  useLayoutEffect(() => setWidth(bar.current?.offsetWidth ?? 0), [])

  const viewport = { x: tx, y: ty, zoom }
  const floats = paneWidth >= floatsFrom
  const at = onScreen(box, viewport)
  const left = Math.max(8, Math.min(at.x + 28 * zoom, paneWidth - width - 8))
  const top = at.y >= 40 ? at.y - 31 : at.y + at.height + 28 * zoom
  const open = { label: 'Open', Icon: CornerDownRight, run: actions.onOpen }
  const branch = { label: 'Branch from here', Icon: GitBranchPlus, run: actions.onBranchFrom }
  const checkpoint = { label: 'Checkpoint here', Icon: Flag, run: actions.onCheckpoint }
  const compare = actions.onCompare && {
    label: 'Compare with current',
    Icon: GitCompareArrows,
    run: actions.onCompare,
  }
  const first = branchFirst ? branch : open
  const rest = [branchFirst ? open : branch, checkpoint, ...(compare ? [compare] : [])]
  const isHidden = floats && !isInView(box, viewport, { width: paneWidth, height: paneHeight })
  return (
    <Toolbar.Root
      ref={bar}
      aria-label="Message actions"
      onKeyDown={(event) => event.key === 'Escape' && onLeave()}
      style={floats ? { left, top } : undefined}
      className={cn(
        'appear absolute z-10 flex items-center gap-0.5 rounded-lg border bg-raised p-0.5 shadow-float',
        !floats && 'inset-x-3 bottom-14 justify-between',
        isHidden && 'invisible',
      )}
    >
      {[first, ...rest].map(({ label, Icon, run }, at) => (
        <Fragment key={label}>
          {at === 1 && floats && <span aria-hidden className="h-4 w-px bg-line" />}
          <Toolbar.Button
            aria-label={label}
            title={at === 0 || !floats ? undefined : label}
            onClick={run}
            className={cn(
              'flex h-6 items-center justify-center gap-1.5 rounded-md px-2 text-xs hover:bg-ink/6',
              'whitespace-nowrap touch:h-10 text-muted hover:text-ink',
              at === 0 && 'font-medium text-ink',
            )}
          >
            <Icon size={14} aria-hidden className="shrink-0" />
            {(at === 0 || !floats) && <span>{floats ? label : shortened(label)}</span>}
          </Toolbar.Button>
        </Fragment>
      ))}
    </Toolbar.Root>
  )
}

const shortened = (label: string): string => label.split(' ', 1)[0] ?? label
