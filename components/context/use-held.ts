'use client'

import { useEffect, useReducer, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { ProblemError, problemOf, unreached } from '@/components/app/problem'
import { chatUrl, useLoaded } from '@/components/session/read-chat'
import type { BranchId, ChatId } from '@/lib/events'
import type { ChatContext, ContextChange, Problem } from '@/lib/protocol'
import { keepDraft, keptDraft } from './draft-storage'
import { changeHeld, type Held, nothingHeld, shownParts } from './held'
import { changedParts, type Parts, partsOf } from './parts'

/** How long a draft is unstored, and a change of the chat unread, in ms: not at every key, nor at every event. */
const SETTLED = 300

interface OfBranch {
  chatId: ChatId
  branchId: BranchId
  /** the position of the chat's log: the context is read again when it moves */
  seq: number
}

/** The context of a branch, what is changed of it and not saved, and the way to save it. For one branch: give it a key. */
export function useHeld({ chatId, branchId, seq }: OfBranch) {
  const { api, viewer } = useApp()
  const owner = viewer?.id ?? 'visitor'
  const place = `${owner}:${chatId}/${branchId}`
  const [held, dispatch] = useReducer(changeHeld, null, () => ({ ...nothingHeld, ...keptDraft(place) }))
  const [saving, setSaving] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  // a write of this page makes an answer that is on its way an old one
  const [writes, setWrites] = useState(0)
  const readAt = useSettled(seq)
  const url = chatUrl('chats', chatId, 'context', { branch: branchId })
  const loading = useLoaded<ChatContext>(
    url,
    (context) => dispatch({ type: 'loaded', context }),
    readAt + writes,
  )
  useKept(place, held.base, held.draft)

  /** @returns whether a person has to look at both sides first */
  const put = async (from: Held): Promise<boolean> => {
    const { base, draft } = from
    if (!base || !draft) return false
    try {
      const answer = await api.fetch(url, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(changeOf(base, draft)),
      })
      setWrites((count) => count + 1)
      dispatch({ type: 'saved', context: (await answer.json()) as ChatContext, sent: draft })
      return false
    } catch (error) {
      const context = movedTo(error)
      if (!context) {
        setProblem(problemOf(error, unreached))
        return false
      }
      dispatch({ type: 'loaded', context })
      const now = changeHeld(from, { type: 'loaded', context })
      return now.theirs !== null || put(now)
    }
  }
  const save = async (from: Held): Promise<boolean> => {
    if (saving) return false
    setSaving(true)
    setProblem(null)
    const isConflict = await put(from)
    setSaving(false)
    return isConflict
  }

  return {
    held,
    dispatch,
    parts: shownParts(held),
    loading,
    saving,
    problem,
    /** saves the draft; answers whether the context was changed meanwhile, so that both have to be looked at */
    save: () => save(held),
    /** saves one context of two, over the other side's */
    saveOver(draft: Parts) {
      dispatch({ type: 'resolve', draft })
      return save(changeHeld(held, { type: 'resolve', draft }))
    },
  }
}

/** A number once it rests: a turn moves the log several times. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** The parts of a draft that differ, as a request. */
const changeOf = (base: ChatContext, draft: Parts): ContextChange => ({
  expected_context_id: base.context_id,
  ...changedParts(partsOf(base), draft),
})

/** The context in force, when that is why a change was refused. */
function movedTo(error: unknown): ChatContext | null {
  if (!(error instanceof ProblemError) || error.problem.code !== 'context_moved') return null
  return (error.problem.current as ChatContext | undefined) ?? null
}

/** Keeps a draft in the browser, a moment after each change and when the panel goes. */
function useKept(place: string, base: ChatContext | null, draft: Parts | null): void {
  const latest = useRef({ base, draft })
  useEffect(() => {
    latest.current = { base, draft }
    if (!base) return
    if (!draft) return keepDraft(place, null)
    const timer = setTimeout(() => keepDraft(place, { base, draft }), SETTLED)
    return () => clearTimeout(timer)
  }, [place, base, draft])
  useEffect(() => {
    const keep = () => {
      const { base, draft } = latest.current
      if (base && draft) keepDraft(place, { base, draft })
    }
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [place])
}
