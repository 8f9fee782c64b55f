'use client'

import { type Dispatch, useEffect, useRef, useState } from 'react'
import { announce, answerOf, hasNote, takeBackToast, undoNoted, undoToast } from '@/components/app/toasts'
import type { BranchId, MessageId } from '@/lib/events'
import { branchTitle } from '@/lib/graph'
import type { ActionResult, ChatActions, GraphDelta } from '@/lib/protocol'
import { type ChatAction, type ChatSession, headOf, isArchived } from './chat-session'
import { type UndoableMove, UndoStack } from './undo-stack'

/**
 * The moves within a conversation. Every move can be undone, one after another; a move that changes more than what is
 * read says so.
 *
 * @param onLeft a branch that a move had opened is left again by Undo
 */
export function useMoves(
  state: ChatSession,
  dispatch: Dispatch<ChatAction>,
  actions: ChatActions,
  onLeft: (left: BranchId, backTo: BranchId) => void,
) {
  const { index, branchId, turns } = state
  const { chatId, branches, checkpoints, runs, activeBranchId } = index.graph
  const [underway, setUnderway] = useState(0)
  const [stack] = useState(() => new UndoStack())
  /** a move is taken back long after it was made */
  const latest = useRef(state)
  const lastSwitch = useRef<{ move: UndoableMove; from: BranchId } | null>(null)

  useEffect(() => {
    latest.current = state
  }, [state])

  const undoLast = async () => {
    takeBackToast()
    const move = await stack.undo()
    if (move) announce(`Undone: ${move.says}`)
  }
  const redo = async () => {
    takeBackToast()
    const move = await stack.redo()
    if (move) announce(`Done again: ${move.says}`)
  }
  /**
   * Notes a move that was made.
   *
   * @param quiet it needs no words: nothing has gone
   * @param instead a part of it that was noted already
   */
  const made = (
    move: UndoableMove,
    { quiet = false, instead }: { quiet?: boolean; instead?: UndoableMove },
  ) => {
    stack.add(move, instead)
    if (quiet) takeBackToast()
    else undoToast(move.says, () => void undoLast())
  }

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

  type Change = () => Promise<ActionResult<{ delta: GraphDelta }>>

  /** Runs an action that is undone by another; answers whether it was done. */
  const change = async (action: Change, says: string, back: Change): Promise<boolean> => {
    const redo = async () => (await act(action())) !== null
    const undo = async () => (await act(back())) !== null
    const done = await redo()
    if (done) made({ says, undo, redo }, {})
    return done
  }

  /** Decides where the chat opens next time; the page stays where it is. */
  const openNextOn = async (to: BranchId): Promise<void> => {
    const moved = await answerOf(actions.switchBranch({ chatId, branchId: to }))
    if (moved) dispatch({ type: 'delta', delta: moved.delta })
  }

  /** Reads a branch at once; the chat opens on it next time unless it is archived. */
  const go = (to: BranchId, archived = isArchived(latest.current.index, to)) => {
    dispatch({ type: 'branch', branchId: to })
    if (!archived) void openNextOn(to)
  }

  const titleIn = (delta: GraphDelta, id: BranchId): string =>
    delta.branches?.find((branch) => branch.id === id)?.name ??
    (index.branch(id) ? branchTitle(index, id) : 'another branch')

  /** A move to a branch that an action led to, and the way back; a branch it opened is archived on the way back. */
  const arrival = (to: BranchId, backTo: BranchId, says: string, onBack?: () => void): UndoableMove => {
    const opened = !branches.some((branch) => branch.id === to)
    return {
      says,
      async undo() {
        const next = isArchived(latest.current.index, backTo) ? activeBranchId : backTo
        dispatch({ type: 'branch', branchId: backTo })
        if (!opened) void openNextOn(next)
        else if (!(await act(actions.archiveBranch({ chatId, branchId: to, switchTo: next })))) return false
        else onLeft(to, backTo)
        onBack?.()
        return true
      },
      async redo() {
        if (opened && !(await act(actions.unarchiveBranch({ chatId, branchId: to })))) return false
        go(to, false)
        return true
      },
    }
  }

  /** An archived branch is read like any other, and stays archived. */
  const switchTo = (to: BranchId) => {
    const target = index.branch(to)
    if (!target || to === branchId) return
    go(to)
    const turn = (towards: BranchId) => async () => {
      go(towards)
      return true
    }
    const move = { says: `Now on ${branchTitle(index, to)}`, undo: turn(branchId), redo: turn(to) }
    lastSwitch.current = { move, from: branchId }
    made(move, { quiet: true })
  }

  /**
   * Opens a branch at a message, named after the branch the message is seen on. Answers the branch the reader is on
   * then; Undo leads to where they came from.
   */
  const branchFrom = async (
    messageId: MessageId,
    { seenOn = branchId, cameFrom = branchId, onBack }: BranchingFrom = {},
  ): Promise<BranchId | null> => {
    const moved = await act(actions.rewind({ chatId, branchId: seenOn, messageId }))
    if (!moved) return null
    const name = titleIn(moved.delta, moved.branchId)
    // the first click of a double click has led to another branch: both together are one move
    const first = lastSwitch.current?.from === cameFrom && cameFrom !== branchId ? lastSwitch.current : null
    const back = first ? `. Undo goes back to ${branchTitle(index, cameFrom)}` : ''
    made(arrival(moved.branchId, cameFrom, `${name} continues from here${back}`, onBack), {
      instead: first?.move,
    })
    return moved.branchId
  }

  return {
    /** an action is on its way to the server */
    pending: underway > 0,
    /** takes the last move back; the page may show one that another page has made */
    undo: () => undoNoted() || void undoLast(),
    redo: () => void redo(),
    canUndo: () => stack.canUndo || hasNote(),
    canRedo: () => stack.canRedo,
    /** what is done now builds on the moves until here: they can no longer be undone */
    settle() {
      stack.clear()
      takeBackToast()
    },
    switchTo,
    branchFrom,

    saveCheckpoint(messageId: MessageId, name: string): Promise<boolean> {
      const before = checkpoints.find((checkpoint) => checkpoint.name === name)
      return change(
        () => actions.saveCheckpoint({ chatId, messageId, name }),
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
      const says = `Back at “${name}”, on ${titleIn(moved.delta, moved.branchId)}`
      made(arrival(moved.branchId, branchId, says), {})
    },

    async removeCheckpoint(name: string) {
      const { messageId } = checkpoints.find((checkpoint) => checkpoint.name === name) ?? {}
      if (messageId === undefined) return
      await change(
        () => actions.removeCheckpoint({ chatId, name }),
        `Removed checkpoint “${name}”`,
        () => actions.saveCheckpoint({ chatId, messageId, name }),
      )
    },

    async renameBranch(id: BranchId, name: string) {
      const before = index.branch(id)?.name
      if (before === undefined) return
      const called = (next: string) => () => actions.renameBranch({ chatId, branchId: id, name: next })
      await change(called(name), `Renamed ${before} to ${name}`, called(before))
    },

    /** Archives a branch. Its reader goes on reading where it came from. */
    async archive(id: BranchId) {
      if (!index.branch(id)) return
      const isHere = id === branchId
      const opensNext = id === activeBranchId
      const next = isHere || opensNext ? index.branchInstead(id)?.id : undefined
      if ((isHere || opensNext) && next === undefined) return
      const redo = async () => {
        const archived = await act(actions.archiveBranch({ chatId, branchId: id, switchTo: next }))
        if (archived && isHere && next !== undefined) dispatch({ type: 'branch', branchId: next })
        return archived !== null
      }
      const undo = async () => {
        const shown = await act(actions.unarchiveBranch({ chatId, branchId: id }))
        if (shown && isHere) go(id, false)
        else if (shown && opensNext) void openNextOn(id)
        return shown !== null
      }
      if (await redo()) made({ says: `Archived ${branchTitle(index, id)}`, undo, redo }, {})
    },

    async unarchive(id: BranchId) {
      await change(
        () => actions.unarchiveBranch({ chatId, branchId: id }),
        `${index.branch(id) ? branchTitle(index, id) : 'The branch'} is back`,
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
  /** the reader is back there */
  onBack?: () => void
}
