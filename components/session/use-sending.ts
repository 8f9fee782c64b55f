'use client'

import { type Dispatch, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import type { Notice } from '@/components/app/notice'
import { undoToast } from '@/components/app/toasts'
import { useOnChange } from '@/components/ui/use-on-change'
import type { MessageId } from '@/lib/events'
import type { ChatMessage, Problem } from '@/lib/protocol'
import { type ChatAction, type ChatSession, headOf } from './chat-session'
import { type AttachedFile, filesOf, userMessage, wordsOf } from './messages'
import { useAttachments } from './use-attachments'
import { useBackOnline } from './use-back-online'
import type { DraftsOfChat } from './use-drafts'
import type { useMoves } from './use-moves'
import { type Target, type Turns, useTurns } from './use-turns'

interface Refusal {
  problem: Problem
  /** a message that is back in the box, and where it was to go */
  unsent?: { message: ChatMessage; target: Target }
  again?: (turns: Turns) => void
}

/**
 * The composer's text, the turns it begins, the messages that wait for a reply to end, and the choices after a
 * refusal.
 */
export function useSending(
  state: ChatSession,
  dispatch: Dispatch<ChatAction>,
  moves: ReturnType<typeof useMoves>,
  drafts: DraftsOfChat,
  onTitle: (title: string) => void,
) {
  const { api, access, openAccount } = useApp()
  const { goOnAsGuest } = api
  const { text: draft, files } = drafts
  const attachments = useAttachments(api, state.branchId, drafts)
  const [refusal, setRefusal] = useState<Refusal | null>(null)

  const turns = useTurns(state, dispatch, {
    isWriting: draft !== '' || files.length > 0,
    onTitle,
    onBegin: moves.settle,
    onStored(messageId) {
      setRefusal(null)
      if (messageId) drafts.settle(messageId)
    },
    onProblem(problem, again) {
      setRefusal({ problem, again })
      void learn(problem)
    },
    onUnsent(problem, message, target) {
      const written = { text: wordsOf(message), files: filesOf(message) }
      drafts.putBack(written, target.branchId, message.id)
      // those behind it wait for a reply that does not come
      drafts.tell(target.branchId, { type: 'reply over', end: 'unsent' })
      setRefusal({ problem, unsent: { message, target } })
      void learn(problem)
    },
  })

  /** The branch has changed elsewhere: shows how, beside the refused message. */
  const learn = async ({ code }: Problem) => {
    if (code === 'head_moved' || code === 'reply_in_progress') await turns.refresh().catch(() => undefined)
  }

  const send = (text: string, held: readonly AttachedFile[] = files, target?: Target) => {
    const to = target?.branchId ?? state.branchId
    // the same words and files again are the same message: a lost answer never asks twice
    const message = userMessage(text, held, drafts.idOf({ text, files: held }, to))
    drafts.send({ id: message.id, text, files: held }, to)
    setRefusal(null)
    dispatch({ type: 'end' })
    // a message sent here makes it more than a look
    dispatch({ type: 'branch', branchId: to })
    turns.send(message, target)
  }

  // the message is sent as it was kept: a second try is the same message
  const { index, turns: underway } = state
  useOnChange([index, underway, drafts.next], () => {
    for (const { branchId, message } of drafts.takeDue()) {
      const isRead = branchId === state.branchId
      if (isRead) dispatch({ type: 'end' })
      turns.send(userMessage(message.text, message.files, message.id), {
        branchId,
        head: headOf(state.index, branchId),
      })
    }
  })

  // words about a lost connection go when it is back
  useBackOnline(refusal?.problem.code === 'offline', () => setRefusal(null))

  const sendOnBranch = async (from: Target) => {
    if (from.head === null) return
    const [text, held] = [draft, files]
    const branchId = await moves.branchFrom(from.head)
    if (branchId) send(text, held, { branchId, head: from.head })
  }

  const choices = ({ problem, unsent, again }: Refusal): Notice['choices'] => {
    const { code, status } = problem
    if (code === 'reply_in_progress') return [{ label: 'Stop that reply', run: turns.stop }]
    if (again) return [{ label: 'Try again', run: () => again(turns) }]
    if (!unsent) return []
    const sendHere = { label: 'Send it here', run: () => send(draft) }
    if (code === 'head_moved') {
      const { target } = unsent
      const moved = headOf(state.index, target.branchId) !== target.head
      const branch = { label: 'Branch from where you were', run: () => void sendOnBranch(target) }
      return moved && target.head !== null ? [sendHere, branch] : [sendHere]
    }
    if (status === 401) {
      const signIn = { label: 'Sign in', run: () => openAccount('in') }
      const asGuest = { label: 'Go on as a guest', run: () => void goOnAsGuest().then(() => send(draft)) }
      return access.guests ? [signIn, asGuest] : [signIn]
    }
    return [{ label: 'Send again', run: () => send(draft) }]
  }

  /** The message had arrived, though its answer did not. */
  const isStored = ({ unsent }: Refusal) => unsent && index.byId(unsent.message.id) !== undefined

  return {
    draft,
    setDraft: drafts.setText,
    /** the text in the box was sent in another way */
    clear() {
      drafts.clear(state.branchId)
      setRefusal(null)
    },
    attachments,
    /** sends a message, or keeps it until the reply that is being written ends */
    send: (text: string) => drafts.queue(text) || send(text),
    /** the messages that wait, in the order in which they leave */
    next: drafts.next,
    sendNext: () => drafts.tell(state.branchId, { type: 'asked for' }),
    editNext: drafts.editNext,
    removeNext: (id: MessageId) => undoToast('Removed the waiting message', drafts.removeNext(id)),
    edit: turns.edit,
    retry: turns.retry,
    goOn: turns.goOn,
    answer: turns.answer,
    stop: turns.stop,
    notice: refusal && !isStored(refusal) ? { problem: refusal.problem, choices: choices(refusal) } : null,
    clearNotice: () => setRefusal(null),
  }
}
