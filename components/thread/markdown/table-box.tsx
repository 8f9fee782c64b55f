'use client'

import { type ReactNode, useRef } from 'react'
import { useScrolls } from './use-scrolls'

/** A table in a box of its own, where a wide one scrolls. */
export function TableBox({ children }: { children?: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const scrolls = useScrolls(box)
  return (
    <div ref={box} className="overflow-x-auto" {...(scrolls && asRegion('Table'))}>
      <table>{children}</table>
    </div>
  )
}

const asRegion = (label: string) => ({ role: 'region', 'aria-label': label, tabIndex: 0 })
