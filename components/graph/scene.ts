'use client'

import { createContext, type KeyboardEvent, useContext } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import type { VisibleGraph } from '@/lib/graph'

/** What every card, line and label of the drawing looks at. Positions are not in it: React Flow has them. */
export interface Scene {
  visible: VisibleGraph
  branchId: BranchId
  /** the head being read */
  headId: MessageId | null
  /** the chain being read */
  lit: ReadonlySet<MessageId>
  selectedId: MessageId | null
  /** the one message that Tab reaches */
  tabId: MessageId | null
  /** a message that is to take the focus as soon as it is on the page */
  wantsFocus: MessageId | null
  onPick(id: MessageId): void
  onBranchFrom(id: MessageId): void
  onFocused(id: MessageId): void
  onKey(event: KeyboardEvent, id: MessageId): void
  onSwitch(branchId: BranchId): void
  onRestore(checkpoint: string): void
}

export const SceneContext = createContext<Scene | null>(null)

export function useScene(): Scene {
  const scene = useContext(SceneContext)
  if (!scene) throw new Error('A graph card was drawn outside of a graph')
  return scene
}
