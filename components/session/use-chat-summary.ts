'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import { useApp } from '@/components/app/app-context'
import type { GraphIndex } from '@/lib/graph'

/** Keeps the sidebar's line about this chat and the window's title up to date. Answers the title. */
export function useChatSummary(index: GraphIndex, unsaved: boolean, suggested: string | null): string {
  const { chats, noteChat, findChat } = useApp()
  const { chatId, nodes, branches } = index.graph
  const listed = chats.find(({ id }) => id === chatId)
  const named = index.graph.title ?? suggested
  const current = branches.filter(({ archivedAt }) => archivedAt === null)
  const branchCount = current.length
  const waits = current.some((branch) => index.waits(branch))
  const loaded = useRef({ messages: nodes.length, named, branchCount, waits })

  const note = useEffectEvent(() => {
    const before = loaded.current
    loaded.current = { messages: nodes.length, named, branchCount, waits }
    const grew = nodes.length > before.messages
    const isAsBefore = named === before.named && branchCount === before.branchCount && waits === before.waits
    if (unsaved || (!grew && isAsBefore)) return
    noteChat({
      id: chatId,
      messageCount: nodes.length,
      branchCount,
      waits,
      ...(named !== before.named && { title: named }),
      ...(grew && { updatedAt: Date.now() }),
    })
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the line says
  useEffect(() => note(), [nodes.length, branchCount, waits, named])

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
