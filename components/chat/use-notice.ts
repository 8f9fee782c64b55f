'use client'

import { useState } from 'react'
import type { Problem } from '@/lib/graph'
import type { Notice } from './notice'

/** The one problem shown above the composer. */
export function useNotice() {
  const [notice, setNotice] = useState<Notice | null>(null)
  return {
    notice,
    clear: () => setNotice(null),
    tell: (problem: Problem, choices: Notice['choices']) => setNotice({ problem, choices }),
  }
}
