'use client'

import { ArrowUp } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { useApp } from '@/components/app/app-context'
import { NoticeBar } from '@/components/app/notice'
import { branchPath } from '@/components/app/paths'
import { problemOf } from '@/components/app/problem'
import { userMessage, wordsOf } from '@/components/session/messages'
import { isSendable, TextBox, whyNot } from '@/components/thread/text-box'
import type { ChatId } from '@/lib/events'
import type { ChatMessage, ComparedSide, Problem } from '@/lib/protocol'
import { Button } from '../ui/button'

/**
 * Sends a message on a side's branch and goes there. The turn is stored when the server begins to answer; the server
 * writes the reply with or without this page, and the chat's own page follows it.
 */
export function ContinueBox({ chatId, side }: { chatId: ChatId; side: ComparedSide }) {
  const { branch } = side
  const { api } = useApp()
  const router = useRouter()
  const [draft, setDraft] = useState('')
  const [refused, setRefused] = useState<{ problem: Problem; message: ChatMessage } | null>(null)
  const [sending, setSending] = useState(false)
  const [leaving, startLeaving] = useTransition()

  const open = () => router.push(branchPath(chatId, branch.name))

  const send = async () => {
    // the same words again are the same message: a lost answer never asks twice
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
          message,
        }),
      })
      void response.body?.cancel()
      startLeaving(open)
    } catch (error) {
      setRefused({ problem: problemOf(error), message })
    }
    setSending(false)
  }

  const busy = sending || leaving
  const complaint = whyNot(draft)
  const ready = isSendable(draft) && !busy

  const choices = ({ code }: Problem) => {
    if (code === 'head_moved') return [{ label: 'Show the new messages', run: () => router.refresh() }]
    if (code === 'reply_in_progress') return [{ label: `Open ${branch.title}`, run: open }]
    return [{ label: 'Send again', run: () => void send() }]
  }

  return (
    <div className="min-w-0 flex-1 px-3 pt-2 pb-3 md:px-5">
      {refused && (
        <NoticeBar
          notice={{ problem: refused.problem, choices: choices(refused.problem) }}
          onClose={() => setRefused(null)}
        />
      )}
      <form
        className="flex items-end gap-1 rounded-xl border border-line bg-raised pr-1.5 transition-colors focus-within:border-line-strong"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) void send()
        }}
      >
        <TextBox
          label={`Continue on ${branch.title}`}
          placeholder={`Continue on ${branch.title}`}
          text={draft}
          lines={6}
          // a disabled box would lose the focus, and not get it back after a refusal
          readOnly={busy}
          onText={setDraft}
          className="min-h-11 min-w-0 bg-transparent py-2.5 pl-4 read-only:opacity-60"
        />
        <Button
          size="icon"
          look="primary"
          type="submit"
          aria-label={`Send on ${branch.title}`}
          disabled={!ready}
          className="mb-1.5"
        >
          <ArrowUp size={17} aria-hidden />
        </Button>
      </form>
      {complaint && (
        <p role="alert" className="px-4 pt-1 text-danger text-sm">
          {complaint}
        </p>
      )}
    </div>
  )
}
