'use client'

import { GitBranchPlus } from 'lucide-react'
import { useState } from 'react'
import { createApi } from '@/components/app/api'
import { chatPath } from '@/components/app/paths'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import type { Problem } from '@/lib/protocol'

interface ContinueButtonProps {
  token: string
  signedIn: boolean
}

/** Copies what a link opens into the reader's chats, and goes there. A reader without a session becomes a guest by it. */
export function ContinueButton({ token, signedIn }: ContinueButtonProps) {
  const [copying, setCopying] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const copy = async () => {
    setCopying(true)
    setProblem(null)
    try {
      const api = createApi({ signedIn, onSignIn: () => undefined })
      const response = await api.fetch(`/api/shares/${token}/fork`, { method: 'POST' })
      const { chat_id: id } = (await response.json()) as { chat_id: string }
      // a whole load: the frame of the chats begins with the new session
      window.location.assign(chatPath(id))
    } catch (error) {
      setProblem(problemOf(error))
      setCopying(false)
    }
  }
  return (
    <span className="flex flex-col items-start gap-2">
      <Button look="primary" disabled={copying} onClick={copy}>
        <GitBranchPlus size={15} aria-hidden className="max-sm:hidden" />
        {copying ? 'Copying…' : 'Continue in my own copy'}
      </Button>
      {problem && (
        <span role="alert" className="max-w-80 text-danger text-sm">
          {problem.detail}
        </span>
      )}
    </span>
  )
}
