'use client'

import { useState } from 'react'
import type { MessageId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import type { Naming } from './checkpoint-popover'
import { besideMessage } from './focus-place'

/** Keeps the checkpoint that is about to be named; its box is loaded with the first one. */
export function useNaming(index: GraphIndex) {
  const [naming, setNaming] = useState<Naming | null>(null)
  const [isUsed, setUsed] = useState(false)
  return {
    naming,
    isUsed,
    begin(messageId: MessageId, anchor: Element | null) {
      if (index.byId(messageId)) setUsed(true)
      setNaming({ messageId, from: anchor, beside: besideMessage(messageId, anchor) })
    },
    end: () => setNaming(null),
  }
}
