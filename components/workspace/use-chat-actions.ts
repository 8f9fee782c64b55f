'use client'

import { useEffect, useEffectEvent } from 'react'
import { commandsOf, keysOf } from '@/components/actions/action'
import { backToCheckpoint, switchToBranch } from '@/components/actions/on-branch'
import { chatActions, type OnChat, type OnPlace, threadMoves } from '@/components/actions/on-chat'
import { useApp } from '@/components/app/app-context'
import { useKeys } from '@/components/app/use-keys'
import type { ChatTools } from '@/components/session/chat-context'
import type { BranchId, MessageId } from '@/lib/events'
import type { Graph } from '@/lib/protocol'

interface ChatOnPage extends Pick<OnChat, 'graphShown' | 'toggleGraph' | 'compare'>, OnPlace {
  graph: Graph
  branchId: BranchId
  tools: ChatTools
  /** picked in the graph */
  selectedId: MessageId | null
  lastId: MessageId | null
  switchTo(id: BranchId): void
  restore(checkpoint: string): void
}

/**
 * Gives the chat on the page its keys and its place in the palette.
 *
 * @returns the chat for its header, where actions on a message mean the last one
 */
export function useChatActions({ graph, branchId, tools, selectedId, lastId, ...page }: ChatOnPage): OnChat {
  const app = useApp()
  const { chatId, branches, checkpoints } = graph
  const { renameChat, deleteChat, offer } = app
  const listed = app.chats.find(({ id }) => id === chatId)
  /** The message that a key means: the focused one, else the selection in the focused graph, else the last. */
  const current = (): MessageId | null => {
    const focused = focusedArticle()?.dataset.messageId
    const inGraph = document.activeElement?.closest('[aria-label="Conversation graph"]')
    return focused ?? ((inGraph && selectedId) || lastId)
  }
  const chat: OnChat = {
    ...page,
    ...{ renameChat, deleteChat, chat: listed, messageId: lastId },
    branchFrom: tools.branchFrom,
    checkpoint: tools.checkpoint,
    goToMessage(by) {
      const articles = allArticles()
      const at = articles.indexOf(focusedArticle() ?? document.body)
      const next = articles[at < 0 ? articles.length - 1 : at + by]
      next?.focus({ preventScroll: true })
      next?.scrollIntoView({ block: 'nearest' })
    },
    goToVersion(which) {
      const articles = allArticles().reverse()
      const candidates = [current(), ...articles.map(({ dataset }) => dataset.messageId ?? null)]
      const id = candidates.find((candidate) => candidate !== null && tools.versionsOf(candidate))
      const target = id && tools.versionsOf(id)?.[which]
      if (target) tools.openVersion(target)
    },
  }

  useKeys(keysOf([...threadMoves, ...chatActions], onCurrent(chat, current)))

  const put = useEffectEvent(offer)
  const now = useEffectEvent(() => ({ chat, ...page }))
  const isListed = listed !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: `isListed` says when there are more actions
  useEffect(() => {
    const switches = branches
      .filter(({ archivedAt }) => archivedAt === null)
      .flatMap((branch) => {
        const on = () => ({ branch, isHere: branch.id === branchId, switchTo: now().switchTo })
        return commandsOf('Branches', [switchToBranch], on, branch.id)
      })
    const restores = checkpoints.flatMap(({ id, name: checkpointName }) => {
      const on = () => ({ checkpointName, restore: now().restore })
      return commandsOf('Checkpoints', [backToCheckpoint], on, id)
    })
    return put([...commandsOf('This chat', chatActions, () => now().chat), ...switches, ...restores])
  }, [branches, checkpoints, branchId, isListed])

  return chat
}

/** The chat with the message that `current` finds when a key is pressed. */
const onCurrent = (chat: OnChat, current: () => MessageId | null): OnChat => ({
  ...chat,
  get messageId() {
    return current()
  },
})

const allArticles = () => [...document.querySelectorAll<HTMLElement>('article[data-message-id]')]

const focusedArticle = () => document.activeElement?.closest<HTMLElement>('article[data-message-id]') ?? null
