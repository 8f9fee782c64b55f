'use client'

import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { useApp } from '@/components/app/app-context'
import { branchPath } from '@/components/app/paths'
import { problemOf } from '@/components/app/problem'
import { userMessage, wordsOf } from '@/components/session/messages'
import type { ChatId } from '@/lib/events'
import type { ChatMessage, ComparedSide, Problem } from '@/lib/protocol'

/**
 * Says something on a side's branch and goes there. The turn is stored when the server begins to answer; the reply is
 * written whether or not this page stays, and the chat's own page follows it.
 */
export function useContinue(chatId: ChatId, { branch, model }: ComparedSide) {
  const { api, models, model: chosen } = useApp()
  const router = useRouter()
  const [draft, setDraft] = useState('')
  const [refused, setRefused] = useState<{ problem: Problem; message: ChatMessage } | null>(null)
  const [sending, setSending] = useState(false)
  const [leaving, startLeaving] = useTransition()

  const send = async () => {
    // the same words again are the same message, so that a lost answer never asks twice
    const before = refused?.message
    const message = before && wordsOf(before) === draft ? before : userMessage(draft)
    setSending(true)
    setRefused(null)
    try {
      const response = await api.fetch('/api/chat', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          id: chatId,
          branch: branch.id,
          expectedHead: branch.headId,
          model: models.some(({ id }) => id === model) ? model : chosen,
          message,
        }),
      })
      void response.body?.cancel()
      startLeaving(() => router.push(branchPath(chatId, branch.name)))
    } catch (error) {
      setRefused({ problem: problemOf(error), message })
    }
    setSending(false)
  }

  return {
    draft,
    setDraft,
    send,
    busy: sending || leaving,
    problem: refused?.problem ?? null,
    dismiss: () => setRefused(null),
    /** shows what has been said there meanwhile */
    refresh: () => router.refresh(),
    open: () => router.push(branchPath(chatId, branch.name)),
  }
}
