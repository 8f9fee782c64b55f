'use client'

import { createContext, use } from 'react'
import type { ChatId, MessageId } from '@/lib/events'

/** What can be done with a message of either side. */
export interface CompareTools {
  chatId: ChatId
  /** goes on from a message, on a branch of its own */
  branchFrom(which: 'left' | 'right', id: MessageId): void
  /** a branch is being opened */
  moving: boolean
}

export const CompareContext = createContext<CompareTools | null>(null)

export function useCompare(): CompareTools {
  const tools = use(CompareContext)
  if (!tools) throw new Error('useCompare needs a <ComparePage> around it')
  return tools
}
