import { type Dispatch, useEffect, useEffectEvent } from 'react'
import { useApp } from '@/components/app/app-context'
import { answerOf } from '@/components/app/toasts'
import type { BranchId } from '@/lib/events'
import type { ChatActions } from '@/lib/protocol'
import type { ChatAction, ChatSession } from './chat-session'

type Choosing = Pick<ChatSession, 'index' | 'chosen' | 'unsaved'>

/**
 * The model that a request names. None for a branch that is stored: the server asks the branch's own, whatever was chosen for it
 * elsewhere meanwhile. A choice that is still on its way there goes along.
 *
 * @param last the person's last choice, with which a chat begins
 */
export function modelToName(
  { chosen, unsaved }: Choosing,
  branchId: BranchId,
  last: string,
): string | undefined {
  if (chosen?.branchId === branchId) return chosen.model
  return unsaved ? last : undefined
}

/** The model that the next message of a branch goes to, and the way to choose another: the branch keeps it, in every browser. */
export function useBranchModel(
  state: ChatSession,
  dispatch: Dispatch<ChatAction>,
  { chooseModel }: Pick<ChatActions, 'chooseModel'>,
): [string, (model: string) => void] {
  const { model: last, setModel, defaultModel } = useApp()
  const { index, branchId, chosen, unsaved } = state

  const keep = useEffectEvent(async (choice: NonNullable<typeof chosen>) => {
    const kept = await answerOf(chooseModel({ chatId: index.graph.chatId, ...choice }))
    if (kept) dispatch({ type: 'delta', delta: kept.delta })
    dispatch({ type: 'chosen', choice })
  })
  useEffect(() => {
    if (chosen && !unsaved) void keep(chosen)
  }, [chosen, unsaved])

  const model = modelToName(state, branchId, last) ?? index.branch(branchId)?.model ?? defaultModel
  return [
    model,
    (next) => {
      setModel(next)
      if (next !== model) dispatch({ type: 'choose', choice: { branchId, model: next } })
    },
  ]
}
