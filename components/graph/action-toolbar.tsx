'use client'

import { useStore } from '@xyflow/react'
import { CornerDownRight, Flag, GitBranchPlus, GitCompareArrows, type LucideIcon } from 'lucide-react'
import { Toolbar } from 'radix-ui'
import { Fragment, useLayoutEffect, useRef, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { Hint } from '@/components/ui/hint'
import { type Box, isInView, onScreen, toolbarFloatsFrom } from './geometry'

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

interface Action {
  label: string
  key?: string
  Icon: LucideIcon
  run(): void
}

/** What can be done with the selected message, floating above it. */
export function ActionToolbar({ box, branchFirst, onLeave, ...actions }: ActionToolbarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [tx, ty, zoom] = useStore((state) => state.transform)
  const paneWidth = useStore((state) => state.width)
  const paneHeight = useStore((state) => state.height)
  useLayoutEffect(() => setWidth(bar.current?.offsetWidth ?? 0), [])

  const viewport = { x: tx, y: ty, zoom }
  const floats = paneWidth >= toolbarFloatsFrom
  const at = onScreen(box, viewport)
  const left = Math.max(8, Math.min(at.x + 28 * zoom, paneWidth - width - 8))
  const top = at.y >= 40 ? at.y - 31 : at.y + at.height + 28 * zoom
  const open: Action = { label: 'Open', key: 'Enter', Icon: CornerDownRight, run: actions.onOpen }
  const branch: Action = {
    label: 'Branch from here',
    key: 'b',
    Icon: GitBranchPlus,
    run: actions.onBranchFrom,
  }
  const all = [
    ...(branchFirst ? [branch, open] : [open, branch]),
    { label: 'Checkpoint here', key: 'c', Icon: Flag, run: actions.onCheckpoint },
    ...(actions.onCompare
      ? [{ label: 'Compare with current', Icon: GitCompareArrows, run: actions.onCompare }]
      : []),
  ]
  const isHidden = floats && !isInView(box, viewport, { width: paneWidth, height: paneHeight })
  return (
    <Toolbar.Root
      ref={bar}
      aria-label="Message actions"
      onKeyDown={(event) => event.key === 'Escape' && onLeave()}
      style={floats ? { left, top } : undefined}
      className={cn(
        'appear absolute z-10 flex items-center gap-0.5 rounded-lg border bg-raised p-0.5 shadow-sm',
        !floats && 'inset-x-3 bottom-14 justify-between',
        isHidden && 'invisible',
      )}
    >
      {all.map((action, at) => (
        <Fragment key={action.label}>
          {at === 1 && floats && <span aria-hidden className="h-4 w-px bg-line" />}
          <ActionButton action={action} isFirst={at === 0} text={floats ? at === 0 : 'short'} />
        </Fragment>
      ))}
    </Toolbar.Root>
  )
}

interface ActionButtonProps {
  action: Action
  isFirst: boolean
  /** whether its name is written beside the icon, and how much of it */
  text: boolean | 'short'
}

function ActionButton({ action: { label, key, Icon, run }, isFirst, text }: ActionButtonProps) {
  return (
    <Hint text={label} more={key} side="top">
      <Toolbar.Button
        aria-label={label}
        onClick={run}
        className={cn(
          'flex h-6 items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-2 text-muted text-xs',
          'transition-colors hover:bg-ink/6 hover:text-ink touch:h-10',
          isFirst && 'font-medium text-ink',
        )}
      >
        <Icon size={14} aria-hidden className="shrink-0" />
        {text && <span>{text === 'short' ? label.split(' ', 1) : label}</span>}
      </Toolbar.Button>
    </Hint>
  )
}
