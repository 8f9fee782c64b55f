'use client'

import { useEffect, useRef } from 'react'
import { useApp } from '@/components/app/app-context'
import { useOnChange } from '@/components/ui/use-on-change'
import type { ChatSummary } from '@/lib/protocol'
import { type ChatSession, isAwaited } from './chat-session'

/** The facts of a chat that its line in the list shows. */
interface Line {
  messages: number
  /** the position of the log that they are of */
  seq: number
  named: string | null
  branchCount: number
  waits: boolean
  replying: boolean
}

/**
 * The change of a chat's line; null for none. The rest of a long chat, which arrives after the page has opened, is no
 * change of the chat: the line keeps its date.
 */
export function lineChange(before: Line, now: Line, time: number): Partial<ChatSummary> | null {
  const { messages, named, branchCount, waits, replying } = now
  const isMore = messages !== before.messages || branchCount !== before.branchCount
  const isSame = named === before.named && waits === before.waits && replying === before.replying
  if (!isMore && isSame) return null
  const grew = messages > before.messages && now.seq > before.seq
  return {
    messageCount: messages,
    branchCount,
    waits,
    replying,
    ...(named !== before.named && { title: named }),
    ...(grew && { updatedAt: time }),
  }
}

/** Keeps the sidebar's line about this chat and the window's title up to date. Answers the title. */
export function useChatSummary(state: ChatSession, suggested: string | null, isListed: boolean): string {
  const { index, unsaved } = state
  const { chats, noteChat, findChat } = useApp()
  const { chatId, nodes, branches } = index.graph
  const listed = chats.find(({ id }) => id === chatId)
  const named = index.graph.title ?? suggested
  const current = branches.filter(({ archivedAt }) => archivedAt === null)
  const branchCount = current.length
  const waits = current.some((branch) => index.waits(branch))
  const replying = isAwaited(state)
  const line = { messages: nodes.length, seq: index.graph.seq, named, branchCount, waits, replying }
  // the list may be older than the chat
  const loaded = useRef({ ...line, waits: listed?.waits ?? waits, replying: listed?.replying ?? replying })

  useOnChange([nodes.length, branchCount, waits, replying, named], () => {
    const change = lineChange(loaded.current, line, Date.now())
    loaded.current = line
    if (change && !unsaved && isListed) noteChat({ id: chatId, ...change })
  })

  const isUnknown = isListed && !unsaved && listed === undefined
  useEffect(() => {
    if (isUnknown) findChat(chatId)
  }, [isUnknown, chatId, findChat])

  const title = listed?.title ?? named ?? nodes[0]?.preview ?? 'New chat'
  useEffect(() => {
    document.title = `${title} · Ramify`
  }, [title])
  return title
}
