'use client'

import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'

interface HintProps {
  text: string
  more?: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  children: ReactNode
}

/**
 * A tooltip. It repeats or adds to the name of its element, and never holds information alone. The pointer passes through it:
 * a control that it lies above has its own.
 */
export function Hint({ text, more, side = 'bottom', children }: HintProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        asChild
        // no tooltip where a closing dialog returns the focus to a mouse user
        onFocus={(event) => {
          if (!event.currentTarget.matches(':focus-visible')) event.preventDefault()
        }}
      >
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="appear pointer-events-none z-50 flex max-w-72 items-center gap-2 rounded-md bg-ink px-2 py-1 text-canvas text-xs shadow-float"
        >
          {text}
          {more && <span className="text-canvas/75">{more}</span>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

export function HintProvider({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={400} skipDelayDuration={200} disableHoverableContent>
      {children}
    </Tooltip.Provider>
  )
}
