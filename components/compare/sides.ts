'use client'

import { type CSSProperties, createContext, use } from 'react'
import { hueColor } from '@/components/app/lane'
import type { ChatId, MessageId } from '@/lib/events'
import { ownHue } from '@/lib/graph/lane-hues'
import type { ComparedSide } from '@/lib/protocol'

export type Which = 'left' | 'right'

/** The colour of a side's branch, for its rule, its marks and the words it has alone. */
export const sideStyle = ({ lane }: Pick<ComparedSide, 'lane'>): CSSProperties =>
  ({ '--side': hueColor(ownHue(lane)) }) as CSSProperties

const number = new Intl.NumberFormat('en')

/** The known cost of a side's replies, in words. */
export const costWords = (usage: ComparedSide['usage']): string | null =>
  usage && `${number.format(usage.inputTokens)} tokens read, ${number.format(usage.outputTokens)} written`

/** The actions of a message of either side. */
export interface CompareTools {
  chatId: ChatId
  moving: boolean
  branchFrom(which: Which, messageId: MessageId): void
}

export const CompareContext = createContext<CompareTools | null>(null)

export function useCompare(): CompareTools {
  const tools = use(CompareContext)
  if (!tools) throw new Error('useCompare needs a <ComparePage> around it')
  return tools
}
