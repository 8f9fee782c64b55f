'use client'

import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Keeps the row at the top of the window where it is, while the window turns from one side to the other. */
export function useKeepRow(scroller: RefObject<HTMLElement | null>, shown: string): () => void {
  const kept = useRef<{ row: Element; top: number } | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the side that is shown moves the rows
  useLayoutEffect(() => {
    let row: Element | null | undefined = kept.current?.row
    // a row that has nothing on this side gives way to the next
    while (row && row.getClientRects().length === 0) row = row.nextElementSibling
    if (row && kept.current && scroller.current) {
      scroller.current.scrollTop += row.getBoundingClientRect().top - kept.current.top
    }
    kept.current = null
  }, [scroller, shown])

  return () => {
    const top = scroller.current?.getBoundingClientRect().top ?? 0
    const rows = scroller.current?.querySelectorAll('[data-row]') ?? []
    const row = [...rows].find((candidate) => candidate.getBoundingClientRect().bottom > top)
    const at = row?.getBoundingClientRect().top
    // with none of the rows above it, there is nothing to keep
    kept.current = row && at !== undefined && at < top ? { row, top: at } : null
  }
}
