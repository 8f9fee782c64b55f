'use client'

import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { setAreaLook } from './markdown/area-look'

/** Lets a text area grow with its text, up to `lines`, and keeps it quick whatever the text. */
export function useAutoHeight(ref: RefObject<HTMLTextAreaElement | null>, text: string, lines: number): void {
  useLayoutEffect(() => {
    const area = ref.current
    if (!area) return
    setAreaLook(area, text)
    const { lineHeight, paddingBlockStart, paddingBlockEnd } = getComputedStyle(area)
    const limit = Number.parseFloat(lineHeight) * lines
    const padding = Number.parseFloat(paddingBlockStart) + Number.parseFloat(paddingBlockEnd)
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, limit + padding)}px`
  }, [ref, text, lines])

  useEffect(() => {
    const area = ref.current
    if (!area) return
    // what is pasted is laid out before its input event
    const before = ({ data, dataTransfer }: InputEvent) => {
      const added = data ?? dataTransfer?.getData('text/plain') ?? ''
      if (added.length > 1) setAreaLook(area, area.value + added)
    }
    area.addEventListener('beforeinput', before)
    return () => area.removeEventListener('beforeinput', before)
  }, [ref])
}
