'use client'

import { type Dispatch, useEffect, useRef, useState } from 'react'
import { announce, answerOf, hasNote, takeBackToast, undoNoted, undoToast } from '@/components/app/toasts'
import type { BranchId, MessageId } from '@/lib/events'
import { branchTitle, shownNames } from '@/lib/graph'
import { extendIndex } from '@/lib/graph/graph-index'
import { moveWords } from '@/lib/graph/history/move-words'
import { type ActionResult, applyDelta, type ChatActions, type GraphDelta } from '@/lib/protocol'
import { type ChatAction, type ChatSession, headOf, isArchived } from './chat-session'
import { Trail, type TrailStep, type Which } from './trail'

/** Answer of a server action that moves something; `branchId` is read from then on. */
interface Answer {
  delta: GraphDelta
  branchId?: BranchId
}

/**
 * The moves within a conversation. Every move can be undone, one after another, over reloads and tabs: the log of the
 * chat knows the next one. A move that changes more than the branch being read says so.
 *
 * @param readOnly the chat is another person's: branches are only looked at
 * @param onLeft a branch is left for another by a move, or by its Undo: its draft goes along
 */
export function useMoves(
  state: ChatSession,
  dispatch: Dispatch<ChatAction>,
  actions: ChatActions,
  onLeft: (left: BranchId, backTo: BranchId) => void,
  readOnly = false,
) {
  const { index, branchId, turns, unsaved } = state
  const { chatId, checkpoints, runs, activeBranchId } = index.graph
  const [underway, setUnderway] = useState(0)
  const [trail] = useState(() => new Trail())
  /** a move is taken back long after it was made */
  const latest = useRef(state)
  /** the positions of the log at which there was nothing to undo, or to make again */
  const nothing = useRef<Partial<Record<Which, number>>>({})
  /** settles with the moves that are on their way */
  const moving = useRef<Promise<unknown>>(Promise.resolve())
  const lastSwitch = useRef<{ step: TrailStep; seq: Promise<number | null> } | null>(null)

  useEffect(() => {
    latest.current = state
  }, [state])

  /** Runs an action and takes in its delta; null when it was refused. */
  const act = async <T extends Answer>(
    action: Promise<ActionResult<T>>,
    follow = true,
  ): Promise<T | null> => {
    setUnderway((count) => count + 1)
    const answer = answerOf(action)
    moving.current = Promise.allSettled([moving.current, answer])
    const value = await answer
    setUnderway((count) => count - 1)
    if (value) dispatch({ type: 'delta', delta: value.delta, goTo: follow ? value.branchId : undefined })
    return value
  }

  /**
   * A move was made; here are its words. They are shown with an Undo of this very move, while Ctrl Z means the last
   * move of the chat. Every action whose planner ends with its mark (`asMove`) is undone this way and needs nothing
   * else: the answer's delta has the position of the mark. A write that moved nothing has no mark and gets no note.
   *
   * @param where the branch that was read before the move, and the branch that is read then; the same unless given
   */
  const made = (
    says: string,
    { moveSeq }: GraphDelta,
    { from = latest.current.branchId, to = from, onBack, instead }: MadeWhere = {},
  ): void => {
    if (moveSeq === undefined && from === to) return
    trail.add({ seq: moveSeq ?? null, from, to, onBack }, instead)
    undoToast(says, () => back('undo', { moveSeq }))
  }

  /** Makes a move: runs its action, goes where it leads, and says its words. Answers null when it was refused. */
  const make = async <T extends Answer>(
    action: Promise<ActionResult<T>>,
    says: string | ((value: T) => string),
    where: MadeWhere = {},
  ): Promise<T | null> => {
    const { from = branchId } = where
    const value = await act(action)
    if (!value) return null
    const words = typeof says === 'string' ? says : says(value)
    made(words, value.delta, { from, to: value.branchId ?? from, ...where })
    return value
  }

  /** Undo and Redo wait for the moves before them, however quickly they are asked for. */
  const back = (which: Which, meant: { moveSeq?: number | undefined; to?: number } = {}): void => {
    takeBackToast()
    moving.current = Promise.allSettled([moving.current]).then(() => goBack(which, meant))
  }

  const goBack = async (which: Which, { moveSeq, to }: { moveSeq?: number | undefined; to?: number }) => {
    const isUndo = which === 'undo'
    const done = isUndo ? 'Undone' : 'Made again'
    const look = to === undefined ? trail.look(which) : undefined
    if (look) {
      dispatch({ type: 'branch', branchId: isUndo ? look.from : look.to })
      look.onBack?.()
      return announce(`${done}: switched to ${branchTitle(latest.current.index, look.to)}`)
    }
    const asked = { chatId, ...(moveSeq !== undefined && { moveSeq }), ...(to !== undefined && { to }) }
    // the change may be told on the chat's stream before the answer is here
    const { index } = latest.current
    setUnderway((count) => count + 1)
    const here = latest.current.branchId
    const way = isUndo ? wayBack(here) : undefined
    let why: string | null = null
    const answer = (isUndo ? actions.undoMove(asked) : actions.redoMove({ chatId })).then((result) => {
      if (!result.ok && result.problem.code === builtUpon) why = result.problem.detail
      return result
    })
    const value = await answerOf(answer, ['nothing_to_undo', 'nothing_to_redo', ...(way ? [builtUpon] : [])])
    setUnderway((count) => count - 1)
    if (!value) {
      nothing.current[which] = latest.current.index.graph.seq
      if (way && why !== null)
        undoToast(why, () => switchTo(way), `Go back to ${branchTitle(latest.current.index, way)}`)
      return
    }
    const steps = trail.retrace(which, value)
    const led = steps.find(({ from, to }) => from !== to)
    const after = value.delta.branches?.find(({ id }) => id === here)
    const goes = after !== undefined && after.archivedAt !== null && !isArchived(index, here)
    // after a move of another page, or from before this page was loaded, a reader of the branch that the chat opened on
    // goes along
    const follows = goes || (steps.length === 0 && here === index.graph.activeBranchId)
    const target = led ? (isUndo ? led.from : led.to) : follows ? value.branchId : here
    dispatch({ type: 'delta', delta: value.delta, goTo: target === here ? undefined : target })
    if (goes && isUndo && target !== here) onLeft(here, target)
    if (isUndo) led?.onBack?.()
    const says = value.count === 1 ? moveWords(value.entry, namesIn(value.delta)) : `${value.count} moves`
    announce(`${done}: ${says}`)
  }

  /** The branch that was read before the last move, or a branch to read in the place of this one. */
  const wayBack = (here: BranchId): BranchId | undefined => {
    const { index } = latest.current
    const before = trail.last?.from
    if (before !== undefined && before !== here && index.branch(before) && !isArchived(index, before))
      return before
    return index.branchInstead(here)?.id
  }

  /** The names of branches once a delta is taken in. */
  const namesIn = (delta: GraphDelta) => {
    const { index } = latest.current
    return shownNames(extendIndex(index, applyDelta(index.graph, delta)))
  }
  const titleIn = (delta: GraphDelta, id: BranchId): string => namesIn(delta).branch(id) ?? 'another branch'

  /** Reads a branch at once; the chat opens on it next time, unless it is archived: then it is read and stays archived. */
  const switchTo = (to: BranchId) => {
    if (!index.branch(to) || to === branchId) return
    dispatch({ type: 'branch', branchId: to })
    takeBackToast()
    const step: TrailStep = { seq: null, from: branchId, to }
    trail.add(step)
    const asked =
      readOnly || isArchived(index, to)
        ? Promise.resolve(null)
        : act(actions.switchBranch({ chatId, branchId: to }), false)
    const seq = asked.then((value) => {
      step.seq = value?.delta.moveSeq ?? null
      return step.seq
    })
    lastSwitch.current = { step, seq }
  }

  /**
   * Opens a branch at a message, named after the branch the message is seen on. Answers the branch the reader is on
   * then; Undo leads to where they came from.
   */
  const branchFrom = async (
    messageId: MessageId,
    { seenOn = branchId, cameFrom = branchId, onBack }: BranchingFrom = {},
  ): Promise<BranchId | null> => {
    // the first click of a double click has led to another branch: both together are one move
    const { step, seq } = lastSwitch.current ?? {}
    const first = cameFrom !== branchId && step?.from === cameFrom && trail.last === step ? step : undefined
    const joins = first && (await seq)
    const asked = { chatId, branchId: seenOn, messageId, ...(typeof joins === 'number' && { joins }) }
    const back = first ? `. Undo goes back to ${branchTitle(index, cameFrom)}` : ''
    const moved = await make(
      actions.rewind(asked),
      (value) => `${titleIn(value.delta, value.branchId)} continues from here${back}`,
      { from: cameFrom, onBack, instead: first },
    )
    return moved?.branchId ?? null
  }

  const isMade = async (move: Promise<unknown>): Promise<boolean> => (await move) !== null

  return {
    /** an action is on its way to the server */
    pending: underway > 0,
    /** takes the last move back; it may be a move of another page */
    undo: () => undoNoted() || back('undo'),
    redo: () => back('redo'),
    /** takes back every move that was made after an event of the log, or none */
    undoTo: (seq: number) => back('undo', { to: seq }),
    canUndo: () => hasNote() || trail.looks('undo') || (!unsaved && nothing.current.undo !== index.graph.seq),
    canRedo: () => trail.looks('redo') || (!unsaved && nothing.current.redo !== index.graph.seq),
    /** a message was sent, or the browser's history leads elsewhere: looks at other branches are over */
    settle() {
      trail.settle()
      takeBackToast()
    },
    make,
    switchTo,
    branchFrom,

    saveCheckpoint(messageId: MessageId, name: string): Promise<boolean> {
      const moves = checkpoints.some((checkpoint) => checkpoint.name === name)
      const says = moves ? `Moved checkpoint “${name}” here` : `Saved checkpoint “${name}”`
      return isMade(make(actions.saveCheckpoint({ chatId, messageId, name }), says))
    },

    async restore(name: string) {
      await make(
        actions.restoreCheckpoint({ chatId, branchId, name }),
        ({ delta, branchId: to }) => `Back at “${name}”, on ${titleIn(delta, to)}`,
      )
    },

    async removeCheckpoint(name: string) {
      if (!checkpoints.some((checkpoint) => checkpoint.name === name)) return
      await make(actions.removeCheckpoint({ chatId, name }), `Removed checkpoint “${name}”`)
    },

    async renameBranch(id: BranchId, name: string) {
      const before = branchTitle(index, id)
      if (before === '') return
      await make(actions.renameBranch({ chatId, branchId: id, name }), `Renamed ${before} to ${name}`)
    },

    /** Archives a branch. Its reader goes on reading where it came from. */
    async archive(id: BranchId) {
      if (!index.branch(id)) return
      const isHere = id === branchId
      const opensNext = id === activeBranchId
      const next = isHere || opensNext ? index.branchInstead(id)?.id : undefined
      if ((isHere || opensNext) && next === undefined) return
      const to = (isHere && next) || branchId
      const archived = await make(
        actions.archiveBranch({ chatId, branchId: id, switchTo: next }),
        `Archived ${branchTitle(index, id)}`,
        { to },
      )
      if (archived && isHere) dispatch({ type: 'branch', branchId: to })
    },

    /** Keeps one of several replies: the branches of the others are archived with that, and come back together. */
    async keep(id: BranchId, others: readonly BranchId[]): Promise<void> {
      const from = branchId
      const count = others.length === 1 ? 'the other reply' : `the ${others.length} other replies`
      const asked = { chatId, branchId: id, otherIds: [...others] }
      const kept = await make(actions.keepBranch(asked), `Archived ${count}`, { from, to: id })
      if (kept && id !== from) onLeft(from, id)
    },

    async unarchive(id: BranchId) {
      const says = `${index.branch(id) ? branchTitle(index, id) : 'The branch'} is back`
      await make(actions.unarchiveBranch({ chatId, branchId: id }), says)
    },

    /** Has an agent go on from a message with its next call; answers whether that was done. */
    async steer({ agentId, messageId, text }: Steer): Promise<boolean> {
      const isHere = index.isOnChain(messageId, headOf(index, branchId))
      const seenOn = isHere ? branchId : (index.branchHolding(messageId)?.id ?? branchId)
      const asked = { chatId, agentId, branchId: seenOn, messageId, text }
      return isMade(
        make(
          actions.steerTo(asked),
          ({ delta, branchId: to }) => `The agent moves to ${titleIn(delta, to)} with its next call`,
        ),
      )
    },

    /** Leaves a message out of the prompts of the next replies on the branch, or puts it back. */
    async leaveOut(messageId: MessageId, leftOut: boolean) {
      const says = leftOut ? 'The next replies do not read this message' : 'The next replies read it again'
      await make(actions.leaveOut({ chatId, branchId, messageIds: [messageId], leftOut }), says)
    },

    async stopSteering(id: BranchId) {
      await make(actions.stopSteering({ chatId, branchId: id }), 'The agent goes on where it was')
    },

    /** Opens the branch that holds a message, or will, unless it is the one being read. */
    open(messageId: MessageId): void {
      if (index.isOnChain(messageId, headOf(index, branchId))) return
      const writing = [...turns, ...runs].find(({ replyId }) => replyId === messageId)
      const holder = index.branchHolding(messageId)?.id ?? writing?.branchId
      const end = index.newestBelow(messageId)
      if (holder !== undefined) switchTo(holder)
      if (holder !== undefined || !end || readOnly) return
      void branchFrom(end.id).then((opened) => opened && dispatch({ type: 'select', id: messageId }))
    },
  }
}

/** The code of a move that cannot be taken back: something was said after it. */
const builtUpon = 'built_upon'

/** An agent and the message that it goes on from. */
export interface Steer {
  agentId: BranchId
  messageId: MessageId
  /** the person's first words there */
  text?: string | undefined
}

interface MadeWhere {
  from?: BranchId
  to?: BranchId
  onBack?: (() => void) | undefined
  /** a step that is a part of this move */
  instead?: TrailStep | undefined
}

interface BranchingFrom {
  /** the branch the message is seen on */
  seenOn?: BranchId
  /** the reader's branch before they turned to the message */
  cameFrom?: BranchId
  /** the reader is back there */
  onBack?: () => void
}
