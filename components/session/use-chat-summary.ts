'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import { useApp } from '@/components/app/app-context'
import type { Graph } from '@/lib/protocol'

/** Keeps the sidebar's line about this chat and the window's title up to date. Answers the title. */
export function useChatSummary(graph: Graph, unsaved: boolean, suggested: string | null): string {
  const { chats, noteChat, findChat } = useApp()
  const { chatId, nodes, branches } = graph
  const listed = chats.find(({ id }) => id === chatId)
  const named = graph.title ?? suggested
  const branchCount = branches.filter(({ archivedAt }) => archivedAt === null).length
  const loaded = useRef({ messages: nodes.length, named, branchCount })

  const note = useEffectEvent(() => {
    const before = loaded.current
    loaded.current = { messages: nodes.length, named, branchCount }
    const grew = nodes.length > before.messages
    if (unsaved || (!grew && named === before.named && branchCount === before.branchCount)) return
    noteChat({
      id: chatId,
      messageCount: nodes.length,
      branchCount,
      ...(named !== before.named && { title: named }),
      ...(grew && { updatedAt: Date.now() }),
    })
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the line says
  useEffect(() => note(), [nodes.length, branchCount, named])

  const isUnknown = !unsaved && listed === undefined
  useEffect(() => {
    if (isUnknown) findChat(chatId)
  }, [isUnknown, chatId, findChat])

  const title = listed?.title ?? named ?? nodes[0]?.preview ?? 'New chat'
  useEffect(() => {
    document.title = `${title} · Ramify`
  }, [title])
  return title
}
