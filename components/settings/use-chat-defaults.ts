'use client'

import { useRouter } from 'next/navigation'
import { useMemo, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import { useAutosave } from '@/components/context/use-autosave'
import { jsonEqual } from '@/lib/context'
import type { ChatDefaults, ChatDefaultsChange, Problem } from '@/lib/protocol'

/** The last change: all that was typed without leaving the field is one. */
interface LastChange {
  before: ChatDefaults
  goesOn: boolean
}

/** Settings of new chats; each change is saved by itself, and Undo takes the last one back. */
export function useChatDefaults(initial: ChatDefaults) {
  const { api } = useApp()
  const router = useRouter()
  const [stored, setStored] = useState(initial)
  const [shown, setShown] = useState(initial)
  const [last, setLast] = useState<LastChange | null>(null)
  const [saving, setSaving] = useState(false)
  const [saved, setSaved] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const change = useMemo(() => changeOf(stored, shown), [stored, shown])

  const save = async (sent: ChatDefaultsChange, keepalive: boolean) => {
    setSaving(true)
    try {
      const answer = await api.ahead((write) =>
        write('/api/chat-defaults', {
          method: 'PUT',
          keepalive,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(sent),
        }),
      )
      setStored((await answer.json()) as ChatDefaults)
      setSaved(true)
      // the frame around every page knows the model of new chats
      if (sent.model !== undefined) router.refresh()
    } catch (error) {
      setProblem(problemOf(error, unreached))
    }
    setSaving(false)
  }
  const { soon, now } = useAutosave({
    value: saving || problem !== null ? null : change,
    save: (leaving) => change && void save(change, leaving),
  })
  const show = (next: ChatDefaults, isTyped: boolean) => {
    setProblem(null)
    setSaved(false)
    soon(isTyped)
    setShown(next)
  }
  return {
    shown,
    saving,
    saved: saved && change === null,
    problem,
    canUndo: last !== null,
    write(instructions: string) {
      if (!last?.goesOn) setLast({ before: shown, goesOn: true })
      show({ ...shown, instructions }, true)
    },
    choose(chosen: Partial<Pick<ChatDefaults, 'model' | 'tools'>>) {
      setLast({ before: shown, goesOn: false })
      show({ ...shown, ...chosen }, false)
    },
    left() {
      now()
      setLast(last && { ...last, goesOn: false })
    },
    undo() {
      if (last) show(last.before, false)
      setLast(null)
    },
    again: () => setProblem(null),
  }
}

/** The parts that are not stored as they are shown; null where all are. */
function changeOf(stored: ChatDefaults, shown: ChatDefaults): ChatDefaultsChange | null {
  const change: ChatDefaultsChange = {}
  if (shown.instructions !== stored.instructions) change.instructions = shown.instructions
  if (shown.model !== stored.model) change.model = shown.model
  if (!jsonEqual(shown.tools, stored.tools)) change.tools = shown.tools
  return Object.keys(change).length === 0 ? null : change
}
