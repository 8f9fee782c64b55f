'use client'

import type { Dispatch } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import type { ActionResult, ChatActions, GraphDelta } from '@/lib/graph'
import { type ChatAction, type ChatState, headOf } from './chat-state'
import { problemOf } from './problem'
import { problemToast, undoToast } from './undo-toast'

/** Going somewhere else in the conversation. Every move can be undone. */
export function useMoves(state: ChatState, dispatch: Dispatch<ChatAction>, actions: ChatActions) {
  const { index, branchId } = state
  const { chatId, branches, checkpoints } = index.graph

  /** Runs an action, takes in its delta, and says so when it was refused. */
  const act = async <T extends { delta: GraphDelta; branchId?: BranchId }>(
    action: Promise<ActionResult<T>>,
  ): Promise<T | null> => {
    try {
      const result = await action
      if (!result.ok) {
        problemToast(result.problem)
        return null
      }
      dispatch({ type: 'delta', delta: result.value.delta, goTo: result.value.branchId })
      return result.value
    } catch (error) {
      problemToast(problemOf(error))
      return null
    }
  }

  /** At once on this page; where the chat opens next time follows. */
  const go = async (to: BranchId): Promise<boolean> => {
    dispatch({ type: 'branch', branchId: to })
    try {
      const result = await actions.switchBranch({ chatId, branchId: to })
      if (result.ok) dispatch({ type: 'delta', delta: result.value.delta })
      else problemToast(result.problem)
      return result.ok
    } catch (error) {
      problemToast(problemOf(error))
      return false
    }
  }

  const nameIn = (delta: GraphDelta, id: BranchId): string =>
    (delta.branches?.find((branch) => branch.id === id) ?? index.branch(id))?.name ?? 'another branch'

  /** The way back from a branch an action led to; one it opened is put away again. */
  const leave = (to: BranchId) => {
    const opened = !branches.some((branch) => branch.id === to)
    dispatch({ type: 'branch', branchId })
    if (opened) void act(actions.archiveBranch({ chatId, branchId: to, switchTo: branchId }))
    else void go(branchId)
  }

  const bringBack = async (id: BranchId, andGo: boolean) => {
    const shown = await act(actions.unarchiveBranch({ chatId, branchId: id }))
    if (shown && andGo) void go(id)
  }

  const switchTo = async (to: BranchId) => {
    const target = index.branch(to)
    if (!target || to === branchId) return
    if (target.archivedAt !== null) {
      const shown = await act(actions.unarchiveBranch({ chatId, branchId: to }))
      if (!shown) return
    }
    void go(to)
    undoToast(`Now on ${target.name}`, () => void go(branchId))
  }

  /**
   * Continues from a message on a branch of its own, named after the branch it is seen on. Answers where the reader
   * stands then.
   */
  const branchFrom = async (messageId: MessageId, seenOn = branchId): Promise<BranchId | null> => {
    const moved = await act(actions.rewind({ chatId, branchId: seenOn, messageId }))
    if (!moved) return null
    undoToast(`${nameIn(moved.delta, moved.branchId)} continues from here`, () => leave(moved.branchId))
    return moved.branchId
  }

  return {
    switchTo,
    branchFrom,

    async saveCheckpoint(messageId: MessageId, name: string): Promise<boolean> {
      const before = checkpoints.find((checkpoint) => checkpoint.name === name)
      const saved = await act(actions.saveCheckpoint({ chatId, messageId, name }))
      if (!saved) return false
      undoToast(before ? `Moved checkpoint “${name}” here` : `Saved checkpoint “${name}”`, () => {
        void act(
          before
            ? actions.saveCheckpoint({ chatId, messageId: before.messageId, name })
            : actions.removeCheckpoint({ chatId, name }),
        )
      })
      return true
    },

    async restore(name: string) {
      const moved = await act(actions.restoreCheckpoint({ chatId, branchId, name }))
      if (!moved) return
      undoToast(`Back at “${name}”, on ${nameIn(moved.delta, moved.branchId)}`, () => leave(moved.branchId))
    },

    async removeCheckpoint(name: string) {
      const before = checkpoints.find((checkpoint) => checkpoint.name === name)
      const removed = await act(actions.removeCheckpoint({ chatId, name }))
      if (!removed || !before) return
      undoToast(`Removed checkpoint “${name}”`, () => {
        void act(actions.saveCheckpoint({ chatId, messageId: before.messageId, name }))
      })
    },

    async renameBranch(id: BranchId, name: string) {
      const before = index.branch(id)?.name
      const renamed = await act(actions.renameBranch({ chatId, branchId: id, name }))
      if (!renamed || before === undefined) return
      undoToast(`Renamed ${before} to ${name}`, () => {
        void act(actions.renameBranch({ chatId, branchId: id, name: before }))
      })
    },

    /** Puts a branch away. Whoever reads it goes on reading where it came from. */
    async archive(id: BranchId) {
      const branch = index.branch(id)
      if (!branch) return
      const { activeBranchId } = index.graph
      const isHere = id === branchId
      const next = isHere || id === activeBranchId ? index.branchInstead(id)?.id : undefined
      if ((isHere || id === activeBranchId) && next === undefined) return
      const switchTo = next === undefined ? {} : { switchTo: next }
      const archived = await act(actions.archiveBranch({ chatId, branchId: id, ...switchTo }))
      if (!archived) return
      if (isHere && next !== undefined) dispatch({ type: 'branch', branchId: next })
      undoToast(`Archived ${branch.name}`, () => void bringBack(id, isHere || id === activeBranchId))
    },

    async unarchive(id: BranchId) {
      const shown = await act(actions.unarchiveBranch({ chatId, branchId: id }))
      const name = index.branch(id)?.name
      if (shown && name !== undefined) {
        undoToast(`${name} is back`, () => void act(actions.archiveBranch({ chatId, branchId: id })))
      }
    },

    /** Opens a message: where it is, when it is on the branch being read, else the branch that holds it. */
    open(messageId: MessageId): BranchId | null {
      if (index.isOnChain(messageId, headOf(index, branchId))) return branchId
      const holder = index.branchHolding(messageId)
      if (!holder) {
        const end = index.newestBelow(messageId)
        if (end) void branchFrom(end.id)
        return null
      }
      void switchTo(holder.id)
      return holder.id
    },
  }
}
