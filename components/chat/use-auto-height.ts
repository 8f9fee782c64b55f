'use client'

import { type RefObject, useLayoutEffect } from 'react'

/** Lets a text area grow with its text, up to `lines`. */
export function useAutoHeight(ref: RefObject<HTMLTextAreaElement | null>, text: string, lines: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides the height
  useLayoutEffect(() => {
    const area = ref.current
    if (!area) return
    const { lineHeight, paddingBlockStart, paddingBlockEnd } = getComputedStyle(area)
    const limit = Number.parseFloat(lineHeight) * lines
    const padding = Number.parseFloat(paddingBlockStart) + Number.parseFloat(paddingBlockEnd)
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, limit + padding)}px`
  }, [ref, text, lines])
}
