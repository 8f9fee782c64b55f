'use client'

import { useStore } from '@xyflow/react'
import { X } from 'lucide-react'
import { Toolbar } from 'radix-ui'
import { Fragment, useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import { type Offer, offers } from '@/components/actions/action'
import { itemActions, type OnItem } from '@/components/actions/on-graph'
import { branchFromHere } from '@/components/actions/on-message'
import { plainPreview } from '@/components/app/plain-preview'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Hint } from '@/components/ui/hint'
import { speakerOf } from '@/lib/graph/speaker'
import type { GraphNode } from '@/lib/protocol'
import { type Box, isInView, onScreen, toolbarFloatsFrom } from '../model/geometry'

interface ActionToolbarProps {
  node: GraphNode
  /** the selected message, and the same with its labels, in the drawing's pixels */
  box: Box
  labelled: Box
  on: OnItem
  /** back to the message */
  onLeave(): void
  /** the message is no longer selected */
  onClose(): void
}

/** Actions on the selected message: floating above it, on a phone a sheet at the thumb. */
export function ActionToolbar({ node, box, labelled, on, onLeave, onClose }: ActionToolbarProps) {
  const floats = useStore((state) => state.width >= toolbarFloatsFrom)
  // the selection itself is painted first
  const isDue = useDeferredValue(true, false)
  if (!isDue) return null
  const actions = offers(itemActions, on)
  return floats ? (
    <FloatingBar box={box} labelled={labelled} actions={actions} onLeave={onLeave} />
  ) : (
    <BottomSheet node={node} actions={actions} onLeave={onLeave} onClose={onClose} />
  )
}

/** Between the toolbar and its message, and the edge of the pane. */
const clear = 8
/** The actions whose names are shown. */
const inWords = 2

interface BarProps {
  actions: readonly Offer[]
  onLeave(): void
}

function FloatingBar({ box, labelled, actions, onLeave }: BarProps & { box: Box; labelled: Box }) {
  const bar = useRef<HTMLDivElement>(null)
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 })
  const [tx, ty, zoom] = useStore((state) => state.transform)
  const paneWidth = useStore((state) => state.width)
  const paneHeight = useStore((state) => state.height)
  // the bar stays from message to message, and its buttons change
  useLayoutEffect(() => {
    const { offsetWidth = 0, offsetHeight = 0 } = bar.current ?? {}
    if (offsetWidth !== width || offsetHeight !== height)
      setSize({ width: offsetWidth, height: offsetHeight })
  })

  const viewport = { x: tx, y: ty, zoom }
  const at = onScreen(box, viewport)
  const left = Math.max(8, Math.min(at.x, paneWidth - width - 8))
  // neither the text of the message nor its labels are covered
  const all = onScreen(labelled, viewport)
  const above = all.y - height - clear
  const top = above >= clear ? above : all.y + all.height + clear
  const isHidden = !isInView(box, viewport, { width: paneWidth, height: paneHeight })
  return (
    <Toolbar.Root
      ref={bar}
      aria-label="Message actions"
      onKeyDown={(event) => event.key === 'Escape' && onLeave()}
      style={{ left, top }}
      className={cn(
        'absolute z-10 flex items-center gap-0.5 rounded-lg border bg-raised p-0.5 shadow-float',
        isHidden && 'invisible',
      )}
    >
      {actions.map(({ id, label, hotkey, Icon, run }, at) => (
        <Fragment key={id}>
          {at === inWords && <span aria-hidden className="h-4 w-px bg-line" />}
          <Hint text={label} more={hotkey} side="top">
            <Toolbar.Button
              aria-label={label}
              onClick={() => run()}
              className={cn(
                'flex h-7 items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-2 text-xs',
                'hover:bg-ink/6 hover:text-ink touch:h-11',
                id === branchFromHere.id ? 'font-medium text-ink' : 'text-muted',
              )}
            >
              {Icon && <Icon size={14} aria-hidden className="shrink-0" />}
              {at < inWords && <span>{label}</span>}
            </Toolbar.Button>
          </Hint>
        </Fragment>
      ))}
    </Toolbar.Root>
  )
}

function BottomSheet({ node, actions, onLeave, onClose }: BarProps & { node: GraphNode; onClose(): void }) {
  return (
    <div className="arrive absolute inset-x-0 bottom-0 z-20 rounded-t-xl border-line border-t bg-raised px-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-float">
      <div className="flex items-start gap-2 pt-1 pl-2">
        <p className="my-2 line-clamp-2 min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
          <span className="font-semibold">{speakerOf(node.role)}:</span>{' '}
          <bdi className="text-muted">{plainPreview(node.preview) || 'Writing…'}</bdi>
        </p>
        <IconButton label="Close" className="size-11 touch:size-11" Icon={X} onClick={onClose} />
      </div>
      <Toolbar.Root
        aria-label="Message actions"
        onKeyDown={(event) => event.key === 'Escape' && onLeave()}
        className="grid grid-cols-[repeat(auto-fit,minmax(5.25rem,1fr))] gap-1"
      >
        {actions.map(({ id, label, Icon, run }) => (
          <Toolbar.Button
            key={id}
            aria-label={label}
            onClick={() => run()}
            className={cn(
              'flex min-h-13 flex-col items-center justify-center gap-1 rounded-lg px-1 text-xs transition-colors active:bg-ink/6',
              id === branchFromHere.id ? 'font-medium text-accent' : 'text-muted',
            )}
          >
            {Icon && <Icon size={18} aria-hidden className="shrink-0" />}
            <span className="text-center leading-tight">{label}</span>
          </Toolbar.Button>
        ))}
      </Toolbar.Root>
    </div>
  )
}
