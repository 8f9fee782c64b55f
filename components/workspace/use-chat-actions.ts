'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { commandsOf, keysOf } from '@/components/actions/action'
import { backToCheckpoint, switchToBranch } from '@/components/actions/on-branch'
import { leaveFullWindow, type OnChat, type OnPlace, pageActions } from '@/components/actions/on-chat'
import { editMessage } from '@/components/actions/on-message'
import { useOffer } from '@/components/actions/use-offer'
import { type Command, useApp } from '@/components/app/app-context'
import { allArticles, articleOf, focusArticle } from '@/components/app/articles'
import { focusMoveNote } from '@/components/app/move-note'
import { announce } from '@/components/app/toasts'
import { useKeys } from '@/components/app/use-keys'
import type { ChatTools } from '@/components/session/chat-context'
import { setEditing } from '@/components/session/editing'
import type { BranchId, MessageId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import { branchLines } from '@/lib/graph/branch-lines'
import { focusBefore, focusPlace } from './focus-place'

interface ChatOnPage
  extends Pick<
      OnChat,
      | 'graphShown'
      | 'toggleGraph'
      | 'contextShown'
      | 'toggleContext'
      | 'toggleHistory'
      | 'compare'
      | 'exportChat'
      | 'exchange'
      | 'showPeople'
      | 'showProposals'
      | 'printBranch'
      | 'stopSteering'
      | 'undo'
      | 'redo'
      | 'canUndo'
      | 'canRedo'
    >,
    OnPlace {
  index: GraphIndex
  branchId: BranchId
  tools: ChatTools
  /** picked in the graph */
  selectedId: MessageId | null
  lastId: MessageId | null
  textOf(id: MessageId): string
  showThread(): void
  showGraph(): void
  switchTo(id: BranchId): void
  restore(checkpoint: string): void
}

/**
 * Gives the chat on the page its keys and its place in the palette.
 *
 * @returns the chat for its header, where actions on a message mean the last one
 */
export function useChatActions({ index, branchId, tools, selectedId, lastId, ...page }: ChatOnPage): OnChat {
  const app = useApp()
  const { chatId, checkpoints } = index.graph
  const { renameChat, tagChats, keepChats, archiveChats, deleteChats } = app
  const listed = app.chats.find(({ id }) => id === chatId)
  const [focus] = useState(focusBefore)

  /** The message that an action means: the focused one, else the selection in the focused graph, else the last. */
  const current = (): MessageId | null => {
    const focused = focus.current()
    const inGraph = focused?.closest('[aria-label="Conversation graph"]')
    return articleOf(focused)?.dataset.messageId ?? ((inGraph && selectedId) || lastId)
  }
  /**
   * The question that an edit means: the focused one, or the last.
   *
   * @param strict a focused reply means none
   */
  const currentQuestion = (strict: boolean): MessageId | null => {
    const focused = articleOf(focus.current())
    if (focused && (strict || focused.dataset.role === 'user')) return current()
    return allArticles().findLast(({ dataset }) => dataset.role === 'user')?.dataset.messageId ?? null
  }
  /** The current message if it has versions, else the last that has. */
  const versioned = (): MessageId | null => {
    const articles = allArticles().reverse()
    const candidates = [current(), ...articles.map(({ dataset }) => dataset.messageId ?? null)]
    return candidates.find((candidate) => candidate !== null && tools.versionsOf(candidate)) ?? null
  }

  const on = (messageId: MessageId | null): OnChat => {
    const node = messageId === null ? undefined : index.byId(messageId)
    return {
      ...page,
      remotes: app.remotes,
      renameChat,
      keepChats,
      archiveChats,
      deleteChats,
      chat: listed,
      messageId,
      tagChats: (picked, beside) => tagChats(picked, beside ?? document.querySelector('[data-chat-title]')),
      busy: tools.busy,
      readOnly: tools.readOnly,
      // only what the thread shows is edited or tried again
      role: node && index.isOnChain(node.id, lastId) ? node.role : '',
      withoutRetry: false,
      isWriting: messageId !== null && !node,
      branchFrom: tools.branchFrom,
      replay: tools.replay,
      share: tools.share,
      bisect: tools.bisect,
      merging: tools.merging,
      hasAgents: tools.hasAgents,
      steer: tools.steer,
      severalBranches: tools.severalBranches,
      checkpoint: tools.checkpoint,
      canChooseModel: tools.canChooseModel,
      chooseModel: tools.chooseModel,
      inspect: tools.inspect,
      isLeftOut: tools.isLeftOut,
      leaveOut: tools.leaveOut,
      fanOut: tools.fanOut,
      copy: () => void (messageId !== null && navigator.clipboard.writeText(page.textOf(messageId))),
      edit() {
        if (messageId === null) return
        flushSync(page.showThread)
        setEditing(messageId, true)
      },
      retry: () => node && tools.retry(node),
      goToMessage(by) {
        const articles = allArticles()
        const at = articles.indexOf(articleOf(focus.current()) ?? document.body)
        focusArticle(articles[at < 0 ? articles.length - 1 : at + by])
      },
      goToVersion(which) {
        const id = versioned()
        const target = id && tools.versionsOf(id)?.[which]
        if (target) tools.openVersion(target)
      },
      showVersions() {
        const article = allArticles().find(({ dataset }) => dataset.messageId === versioned())
        article?.scrollIntoView({ block: 'nearest' })
        article?.querySelector<HTMLElement>('[data-versions]')?.click()
      },
      goTo(place) {
        flushSync(place === 'graph' ? page.showGraph : page.showThread)
        focusPlace(place)
      },
      toNote: focusMoveNote,
    }
  }

  const others = pageActions.filter(({ id }) => id !== editMessage.id)
  const target = on(lastId)
  /** reads the page as it is when a command is chosen */
  const now = useEffectEvent(on)
  const keys = keysOf(others, () => on(current()), announce)
  useKeys({
    ...keysOf([leaveFullWindow], () => on(current())),
    ...keys,
    ...keysOf([editMessage], () => on(currentQuestion(true)), announce),
  })

  /** The commands for the palette, which opens over the message that has the focus. */
  useOffer((): Command[] => {
    const id = current()
    const question = currentQuestion(false)
    const switches = branchLines(index)
      .filter(({ archivedAt }) => archivedAt === null)
      .flatMap((line) => {
        const branch = index.branch(line.id)
        const on = () => ({
          branch,
          title: line.title,
          isHere: line.id === branchId,
          switchTo: page.switchTo,
        })
        return commandsOf('Branches', [switchToBranch], on, line.id).map((command) => ({
          ...command,
          branch: line,
        }))
      })
    const restores = checkpoints.flatMap(({ id: key, name: checkpointName }) => {
      const on = () => ({ checkpointName, restore: page.restore })
      return commandsOf('Checkpoints', [backToCheckpoint], on, key)
    })
    return [
      ...commandsOf('This chat', others, () => now(id)),
      ...commandsOf('This chat', [editMessage], () => now(question)),
      ...switches,
      ...restores,
    ]
  })
  useEffect(() => focus.watch(), [focus])

  return target
}
