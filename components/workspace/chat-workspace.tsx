'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { newId } from '@/lib/events'
import type { ChatActions, ChatView } from '@/lib/protocol'
import { Workspace } from './workspace'

interface ChatWorkspaceProps {
  view: ChatView
  actions: ChatActions
  /** nothing of the chat is stored yet */
  isNew: boolean
}

/** A chat: thread beside graph. */
export function ChatWorkspace({ view, isNew, ...props }: ChatWorkspaceProps) {
  return isNew ? (
    <NewChat view={view} {...props} />
  ) : (
    <Workspace key={view.graph.chatId} view={view} isNew={false} {...props} />
  )
}

/** The router may hand out the same empty page twice; the second time it gets a chat of its own. */
function NewChat({ view, ...props }: Omit<ChatWorkspaceProps, 'isNew'>) {
  const { freshness } = useApp()
  const [at, setAt] = useState({ freshness, chatId: view.graph.chatId })
  if (at.freshness !== freshness) setAt({ freshness, chatId: newId() })
  const fresh = { ...view, graph: { ...view.graph, chatId: at.chatId } }
  return <Workspace key={at.chatId} view={fresh} isNew {...props} />
}
