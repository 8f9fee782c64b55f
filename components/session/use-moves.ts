'use client'

import { type Dispatch, useState } from 'react'
import { answerOf, undoToast } from '@/components/app/toasts'
import type { BranchId, MessageId } from '@/lib/events'
import type { ActionResult, ChatActions, GraphDelta } from '@/lib/protocol'
import { type ChatAction, type ChatSession, headOf, isArchived } from './chat-session'

/** The moves within a conversation. Every move can be undone. */
export function useMoves(state: ChatSession, dispatch: Dispatch<ChatAction>, actions: ChatActions) {
  const { index, branchId, turns } = state
  const { chatId, branches, checkpoints, runs, activeBranchId } = index.graph
  const [underway, setUnderway] = useState(0)

  /** Runs an action and takes in its delta; null when it was refused. */
  const act = async <T extends { delta: GraphDelta; branchId?: BranchId }>(
    action: Promise<ActionResult<T>>,
  ): Promise<T | null> => {
    setUnderway((count) => count + 1)
    const value = await answerOf(action)
    setUnderway((count) => count - 1)
    if (value) dispatch({ type: 'delta', delta: value.delta, goTo: value.branchId })
    return value
  }

  /** Runs an action that is undone by another; answers whether it was done. */
  const change = async (
    action: Promise<ActionResult<{ delta: GraphDelta }>>,
    message: string,
    undo: () => Promise<ActionResult<{ delta: GraphDelta }>>,
  ): Promise<boolean> => {
    const done = await act(action)
    if (done) undoToast(message, () => void act(undo()))
    return done !== null
  }

  /** Decides where the chat opens next time; the page stays where it is. */
  const openNextOn = async (to: BranchId): Promise<void> => {
    const moved = await answerOf(actions.switchBranch({ chatId, branchId: to }))
    if (moved) dispatch({ type: 'delta', delta: moved.delta })
  }

  /** Reads a branch at once; the chat opens on it next time unless it is archived. */
  const go = (to: BranchId) => {
    dispatch({ type: 'branch', branchId: to })
    if (!isArchived(index, to)) void openNextOn(to)
  }

  const nameIn = (delta: GraphDelta, id: BranchId): string =>
    (delta.branches?.find((branch) => branch.id === id) ?? index.branch(id))?.name ?? 'another branch'

  /** The way back from a branch an action led to; a branch it opened is archived again. */
  const leave = (to: BranchId, backTo = branchId) => {
    const opened = !branches.some((branch) => branch.id === to)
    const next = isArchived(index, backTo) ? activeBranchId : backTo
    dispatch({ type: 'branch', branchId: backTo })
    if (opened) void act(actions.archiveBranch({ chatId, branchId: to, switchTo: next }))
    else void openNextOn(next)
  }

  /** An archived branch is read like any other, and stays archived. */
  const switchTo = (to: BranchId) => {
    const target = index.branch(to)
    if (!target || to === branchId) return
    go(to)
    undoToast(
      target.archivedAt === null ? `Now on ${target.name}` : `Now on ${target.name}, which is archived`,
      () => go(branchId),
    )
  }

  /**
   * Opens a branch at a message, named after the branch the message is seen on. Answers the branch the reader is on
   * then; Undo leads to where they came from.
   */
  const branchFrom = async (
    messageId: MessageId,
    { seenOn = branchId, cameFrom = branchId }: BranchingFrom = {},
  ): Promise<BranchId | null> => {
    const moved = await act(actions.rewind({ chatId, branchId: seenOn, messageId }))
    if (!moved) return null
    undoToast(`${nameIn(moved.delta, moved.branchId)} continues from here`, () =>
      leave(moved.branchId, cameFrom),
    )
    return moved.branchId
  }

  return {
    /** an action is on its way to the server */
    pending: underway > 0,
    switchTo,
    branchFrom,

    saveCheckpoint(messageId: MessageId, name: string): Promise<boolean> {
      const before = checkpoints.find((checkpoint) => checkpoint.name === name)
      return change(
        actions.saveCheckpoint({ chatId, messageId, name }),
        before ? `Moved checkpoint “${name}” here` : `Saved checkpoint “${name}”`,
        () =>
          before
            ? actions.saveCheckpoint({ chatId, messageId: before.messageId, name })
            : actions.removeCheckpoint({ chatId, name }),
      )
    },

    async restore(name: string) {
      const moved = await act(actions.restoreCheckpoint({ chatId, branchId, name }))
      if (!moved) return
      undoToast(`Back at “${name}”, on ${nameIn(moved.delta, moved.branchId)}`, () => leave(moved.branchId))
    },

    async removeCheckpoint(name: string) {
      const { messageId } = checkpoints.find((checkpoint) => checkpoint.name === name) ?? {}
      if (messageId === undefined) return
      await change(actions.removeCheckpoint({ chatId, name }), `Removed checkpoint “${name}”`, () =>
        actions.saveCheckpoint({ chatId, messageId, name }),
      )
    },

    async renameBranch(id: BranchId, name: string) {
      const before = index.branch(id)?.name
      if (before === undefined) return
      await change(actions.renameBranch({ chatId, branchId: id, name }), `Renamed ${before} to ${name}`, () =>
        actions.renameBranch({ chatId, branchId: id, name: before }),
      )
    },

    /** Archives a branch. Its reader goes on reading where it came from. */
    async archive(id: BranchId) {
      const branch = index.branch(id)
      if (!branch) return
      const isHere = id === branchId
      const opensNext = id === activeBranchId
      const next = isHere || opensNext ? index.branchInstead(id)?.id : undefined
      if ((isHere || opensNext) && next === undefined) return
      const archived = await act(actions.archiveBranch({ chatId, branchId: id, switchTo: next }))
      if (!archived) return
      if (isHere && next !== undefined) dispatch({ type: 'branch', branchId: next })
      undoToast(`Archived ${branch.name}`, async () => {
        const shown = await act(actions.unarchiveBranch({ chatId, branchId: id }))
        if (shown && isHere) go(id)
        else if (shown && opensNext) void openNextOn(id)
      })
    },

    async unarchive(id: BranchId) {
      await change(
        actions.unarchiveBranch({ chatId, branchId: id }),
        `${index.branch(id)?.name ?? 'The branch'} is back`,
        () => actions.archiveBranch({ chatId, branchId: id }),
      )
    },

    /** Opens the branch that holds a message, or will, unless it is the one being read. */
    open(messageId: MessageId): void {
      if (index.isOnChain(messageId, headOf(index, branchId))) return
      const writing = [...turns, ...runs].find(({ replyId }) => replyId === messageId)
      const holder = index.branchHolding(messageId)?.id ?? writing?.branchId
      const end = index.newestBelow(messageId)
      if (holder !== undefined) switchTo(holder)
      if (holder !== undefined || !end) return
      void branchFrom(end.id).then((opened) => opened && dispatch({ type: 'select', id: messageId }))
    },
  }
}

interface BranchingFrom {
  /** the branch the message is seen on */
  seenOn?: BranchId
  /** where the reader was before they turned to the message */
  cameFrom?: BranchId
}
