'use client'

import { useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { ProblemError, problemOf, unreached } from '@/components/app/problem'
import { chatUrl, useLoaded } from '@/components/session/read-chat'
import type { BranchId, ChatId } from '@/lib/events'
import type { ChatContext, ContextChange, Problem } from '@/lib/protocol'
import { keepDraft, keptDraft } from './draft-storage'
import { changeHeld, type Held, joinedMove, nothingHeld, shownParts, unsent } from './held'
import { changedParts, type Edit, isSame, isTyped, type Parts, partsOf } from './parts'
import { useAutosave } from './use-autosave'

/** Delay before a draft is stored and a change of the chat is read, in ms: not at every key, nor at every event. */
const SETTLED = 300

interface OfBranch {
  chatId: ChatId
  branchId: BranchId
  /** the position of the chat's log: the context is read again when it moves */
  seq: number
  /** for a chat that is not stored yet: its context, and the work that waits until the first change has stored it */
  beginning: Beginning | null
}

export interface Beginning {
  context: ChatContext
  /** the model that its first message goes to */
  model: string
  onStored(): Promise<void>
}

/** The context of a branch, changed: each change is saved by itself. For one branch: give it a key. */
export function useHeld({ chatId, branchId, seq, beginning }: OfBranch) {
  const { api, viewer } = useApp()
  const owner = viewer?.id ?? 'visitor'
  const place = `${owner}:${chatId}/${branchId}`
  const [held, dispatch] = useReducer(changeHeld, null, () => ({
    ...nothingHeld,
    ...(beginning ? { base: beginning.context } : keptDraft(place)),
  }))
  const [isRead, setRead] = useState(beginning !== null)
  const [saving, setSaving] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  // a write of this page makes an answer that is on its way an old one
  const [writes, setWrites] = useState(0)
  const readAt = useSettled(seq)
  const url = chatUrl('chats', chatId, 'context', { branch: branchId })
  const loading = useLoaded<ChatContext>(
    beginning || saving ? null : url,
    (context) => {
      setRead(true)
      dispatch({ type: 'loaded', context })
    },
    readAt + writes,
  )
  useKept(place, held.base, held.draft)

  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])

  const put = async (from: Held, write: typeof fetch, keepalive: boolean): Promise<void> => {
    const [sent, { base }] = [unsent(from), from]
    if (!sent || !base) return
    const begins = beginning && { begins: true as const, model: beginning.model }
    try {
      const answer = await write(url, {
        method: 'PUT',
        keepalive,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...changeOf(base, sent, joinedMove(from)), ...begins }),
      })
      const context = (await answer.json()) as ChatContext
      setWrites((count) => count + 1)
      dispatch({ type: 'saved', context, sent })
      await beginning?.onStored()
      if (gone.current) await putRest(context, sent, write)
    } catch (error) {
      const context = movedTo(error)
      if (!context) return setProblem(problemOf(error, unreached))
      dispatch({ type: 'loaded', context })
      await put(changeHeld(from, { type: 'loaded', context }), write, keepalive)
    }
  }
  /** Saves the words that were typed after the last save had begun, before the panel went; the browser kept them. */
  const putRest = async (context: ChatContext, sent: Parts, write: typeof fetch): Promise<void> => {
    const rest = keptDraft(place)?.draft
    keepDraft(place, null)
    if (rest && !isSame(rest, sent)) await put({ ...nothingHeld, base: context, draft: rest }, write, false)
  }
  const save = useEffectEvent(async (keepalive: boolean) => {
    setSaving(true)
    setProblem(null)
    // messages that are sent meanwhile wait: the next one is asked with the context on the screen
    await api.ahead((write) => put(held, write, keepalive))
    setSaving(false)
  })
  const toSave = useMemo(() => unsent(held), [held])
  const { soon, now } = useAutosave({
    value: isRead && !saving && problem === null ? toSave : null,
    save: (keepalive) => void save(keepalive),
  })

  const again = useEffectEvent(() => setProblem(null))
  useEffect(() => {
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [])

  return {
    held,
    parts: shownParts(held),
    loading,
    saving,
    problem,
    edit(edit: Edit, words?: string) {
      setProblem(null)
      soon(isTyped(edit) && words === undefined)
      dispatch({ type: 'edit', edit, words })
    },
    undo() {
      setProblem(null)
      soon(false)
      dispatch({ type: 'undo' })
    },
    discard() {
      setProblem(null)
      dispatch({ type: 'discard' })
    },
    seen: () => dispatch({ type: 'seen' }),
    /** a field was left: its text is saved, and is one change */
    left() {
      now()
      dispatch({ type: 'left' })
    },
    /** tries again to save what could not be saved */
    again: () => setProblem(null),
    /** one context of two, over the other side's */
    resolve(draft: Parts) {
      setProblem(null)
      soon(false)
      dispatch({ type: 'resolve', draft })
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
const changeOf = (base: ChatContext, sent: Parts, joins: number | undefined): ContextChange => ({
  expected_context_id: base.context_id,
  joins: joins ?? null,
  ...changedParts(partsOf(base), sent),
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
