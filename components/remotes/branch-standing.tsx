'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { useLoaded } from '@/components/session/read-chat'
import type { ChatId } from '@/lib/events'
import type { RemoteState } from '@/lib/protocol'
import { remoteStateUrl } from './remote-urls'
import { standingWords } from './standing-words'

/** A line for each of the person's remotes that has the chat: the branch is ahead of it, or behind. Nothing without one. */
export default function BranchStanding({ chatId, branch }: { chatId: ChatId; branch: string }) {
  const { remotes } = useApp()
  return remotes.map((remote) => <Standing key={remote} chatId={chatId} branch={branch} remote={remote} />)
}

function Standing({ chatId, branch, remote }: { chatId: ChatId; branch: string; remote: string }) {
  const [state, setState] = useState<RemoteState | null>(null)
  useLoaded<RemoteState>(remoteStateUrl(remote, chatId), setState)
  const isThere = state?.branches.some(({ state }) => state !== 'only_here')
  const standing = state?.branches.find(({ name }) => name === branch)
  if (!isThere || !standing) return null
  return <p className="px-3 py-1.5 text-muted text-xs tabular-nums">{standingWords(standing, remote)}</p>
}
