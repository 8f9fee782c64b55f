import { NotFoundError } from '@/lib/context'
import { findBranch, type Model, type ModelTab, newChat, standOn } from './model'
import type { Refusal } from './predict-save'

/** What the first call of an engine does before all else: makes the chat, finds the branch, or is refused. */
export function openTab(model: Model, tab: ModelTab): Refusal | undefined {
  if (tab.at) return undefined
  if (!model.chat) {
    if (tab.wanted !== undefined && tab.wanted !== 'main') return NotFoundError
    model.chat = newChat()
  }
  const { chat } = model
  const branch = tab.wanted === undefined ? chat.active : findBranch(chat, tab.wanted)
  if (!branch) return NotFoundError
  tab.at = standOn(branch)
  return undefined
}
