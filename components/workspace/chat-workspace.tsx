'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { newId } from '@/lib/events'
import { unpackGraph } from '@/lib/graph'
import type { ChatView, PackedChatView } from '@/lib/protocol'
import { Workspace, type WorkspaceProps } from './workspace'

/** A chat: thread beside graph. */
export function ChatWorkspace({
  view: packed,
  isNew,
  ...props
}: Omit<WorkspaceProps, 'view'> & { view: PackedChatView }) {
  const view: ChatView = { ...packed, graph: unpackGraph(packed.graph) }
  return isNew ? (
    <NewChat view={view} {...props} />
  ) : (
    <Workspace key={view.graph.chatId} view={view} isNew={false} {...props} />
  )
}

/** The router may hand out the same empty page twice; the second time it gets a chat of its own. */
function NewChat({ view, ...props }: Omit<WorkspaceProps, 'isNew'>) {
  const { freshness } = useApp()
  const [at, setAt] = useState({ freshness, chatId: view.graph.chatId })
  if (at.freshness !== freshness) setAt({ freshness, chatId: newId() })
  const fresh = { ...view, graph: { ...view.graph, chatId: at.chatId } }
  return <Workspace key={at.chatId} view={fresh} isNew {...props} />
}
