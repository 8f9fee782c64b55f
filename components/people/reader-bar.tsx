'use client'

import { GitBranchPlus } from 'lucide-react'
import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import type { ChatId, MemberRole } from '@/lib/events'
import { Refusal } from './refusal'

/** In the place of the message box, in a chat of someone else: the way to go on in a copy. */
export default function ReaderBar({
  chatId,
  role,
  owner,
}: {
  chatId: ChatId
  role: MemberRole
  owner: string
}) {
  const { api, openChat } = useApp()
  const [copying, setCopying] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const copy = async () => {
    setCopying(true)
    setProblem(null)
    try {
      const response = await api.fetch(`/api/chats/${encodeURIComponent(chatId)}/copy`, { method: 'POST' })
      openChat(((await response.json()) as { chat_id: string }).chat_id)
    } catch (error) {
      setProblem(problemOf(error).detail)
      setCopying(false)
    }
  }
  return (
    <section
      id="composer"
      aria-label="Reading"
      className="mx-auto flex w-full max-w-3xl flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))]"
    >
      <p className="min-w-0 flex-1 basis-60 text-muted text-sm">
        This is a chat of <bdi className="text-ink">{owner}</bdi>. You can read it, and go on in a copy of
        your own
        {role === 'proposes' ? '; from there you can propose a branch to its owner.' : '.'}
      </p>
      <Button look="primary" className="touch:h-11" disabled={copying} onClick={() => void copy()}>
        <GitBranchPlus size={15} aria-hidden />
        {copying ? 'Copying…' : 'Continue in a copy'}
      </Button>
      <Refusal words={problem} className="w-full" />
    </section>
  )
}
