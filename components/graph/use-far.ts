'use client'

import { useStore } from '@xyflow/react'

/** Whether the drawing is too small to read, so that marks and lines speak instead of words. */
export const useFar = (): boolean => useStore((state) => state.transform[2] < 0.45)
