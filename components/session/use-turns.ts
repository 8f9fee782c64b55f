'use client'

import { type Dispatch, useEffect, useEffectEvent, useRef, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { offline, problemOf, unreached } from '@/components/app/problem'
import { takeBackToast } from '@/components/app/undo-toast'
import { type BranchId, type MessageId, newId } from '@/lib/events'
import type { ChatMessage, GraphDelta, GraphNode, Problem } from '@/lib/protocol'
import { type ChatAction, type ChatState, headOf } from './chat-state'
import { loadReplies, type Replies } from './load-replies'
import type { OpenTurn, TurnDeps, TurnRequest } from './start-turn'
import type { Turn } from './turn'

/** Where a message goes when not to the end of the branch being read. */
export interface Target {
  branchId: BranchId
  head: MessageId | null
}

/** A wish that was refused, to be had again: as data, so that it is tried on the page as it is then. */
export type Again =
  | { kind: 'edit'; node: GraphNode; text: string }
  | { kind: 'retry'; node: GraphNode; by?: string }
  | { kind: 'stop' }

interface Options {
  onTitle(title: string): void
  onStored(): void
  onProblem(problem: Problem, again: Again): void
  /** a new message that was not stored */
  onUnsent(problem: Problem, message: ChatMessage, target: Target): void
}

/** Begins turns on the branch being read, follows its reply whoever began it, and stops it. */
export function useTurns(state: ChatState, dispatch: Dispatch<ChatAction>, options: Options) {
  const { api, model } = useApp()
  const { index, branchId, turns } = state
  const { chatId, runs } = index.graph
  const latest = useRef(state)
  const open = useRef(new Map<string, OpenTurn>())
  const wantsStop = useRef(new Set<string>())
  const [replies, setReplies] = useState<Replies>()

  // soon, but not before there is something to read; whoever writes earlier, or in vain until then, asks again
  useEffect(() => {
    loadReplies().then(setReplies, () => undefined)
  }, [])

  useEffect(() => {
    latest.current = state
  }, [state])

  const deps: TurnDeps = {
    api,
    chatId,
    dispatch,
    readTo: () => latest.current.readTo,
    onTitle: options.onTitle,
    onStored: options.onStored,
    onOver: (key) => open.current.delete(key),
  }
  const keep = (turn: OpenTurn) => open.current.set(turn.key, turn)

  const follow = useEffectEvent(() => {
    for (const { key, runId, branchId: writtenOn } of turns) {
      const turn = open.current.get(key)
      if (!turn || !runId) continue
      // browsers keep six connections to a server: one for each branch being written would leave none to stop them by
      turn.setRead(writtenOn === branchId)
      if (!runs.some((live) => live.runId === runId)) turn.runOver()
    }
    const live = runs.find((candidate) => candidate.branchId === branchId)
    const known = turns.some((turn) => turn.branchId === branchId || turn.runId === live?.runId)
    if (replies && live && !known && !open.current.has(live.runId)) keep(replies.followRun(deps, live))
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: these say when there may be somebody to follow, or no more
  useEffect(() => follow(), [runs, branchId, turns, replies])

  // A stop asked for before the run had a name.
  const stopNamed = useEffectEvent(() => {
    for (const turn of turns) if (turn.runId && wantsStop.current.delete(turn.key)) void post(turn)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn's run gets its name in `turns`
  useEffect(() => stopNamed(), [turns])

  useEffect(() => {
    const all = open.current
    const tryNow = () => {
      for (const turn of all.values()) turn.tryNow()
    }
    addEventListener('online', tryNow)
    return () => {
      removeEventListener('online', tryNow)
      for (const turn of [...all.values()]) turn.letGo()
    }
  }, [])

  const post = async (turn: Turn) => {
    try {
      await api.fetch(`/api/chat/${encodeURIComponent(chatId)}/stop`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ runId: turn.runId }),
      })
    } catch (error) {
      dispatch({ type: 'turn changed', key: turn.key, change: { stopping: false } })
      options.onProblem(problemOf(error, unreached), { kind: 'stop' })
    }
  }

  const stop = () => {
    const turn = turns.find((candidate) => candidate.branchId === branchId)
    if (!turn || turn.stopping) return
    dispatch({ type: 'turn changed', key: turn.key, change: { stopping: true } })
    if (turn.runId) void post(turn)
    else wantsStop.current.add(turn.key)
  }

  const begin = (
    request: Omit<TurnRequest, 'from' | 'branch' | 'model'> & { to?: BranchId; by?: string },
  ) => {
    // the move before has been built upon: taking it back now would take this with it
    takeBackToast()
    const { to = branchId, by = model, ...rest } = request
    const branch = state.unsaved ? {} : { branch: to }
    const wish: TurnRequest = { ...rest, ...branch, from: to, model: by }
    if (replies) keep(replies.startTurn(deps, wish))
    else {
      loadReplies().then(
        ({ startTurn }) => keep(startTurn(deps, wish)),
        () => wish.onRefused(offline),
      )
    }
  }

  const here: Target = { branchId, head: headOf(index, branchId) }

  /** Takes in what was written since, by whomever. */
  const refresh = async () => {
    const since = latest.current.readTo
    const url = `/api/chats/${encodeURIComponent(chatId)}/graph?since=${since}`
    dispatch({ type: 'delta', complete: true, delta: await getJson<GraphDelta>(api, url) })
  }

  return {
    stop,
    refresh,

    send(message: ChatMessage, target: Target = here) {
      begin({
        to: target.branchId,
        base: target.head,
        expectedHead: target.head,
        trigger: 'submit-message',
        message,
        onRefused: (problem) => options.onUnsent(problem, message, target),
      })
    },

    /** Says something else in a message's place; the message stays, on its own branch. */
    edit(node: GraphNode, text: string) {
      begin({
        base: index.parentOf(node.id)?.id ?? null,
        expectedHead: here.head,
        trigger: 'submit-message',
        messageId: node.id,
        message: userMessage(text),
        onRefused: (problem) => options.onProblem(problem, { kind: 'edit', node, text }),
      })
    },

    /** Asks for another reply in a reply's place, or for one to a message that has none. */
    retry(node: GraphNode, by?: string) {
      const asked = node.role === 'user' ? node : index.parentOf(node.id)
      const message = asked && state.bodies.get(asked.id)
      if (!message) return
      begin({
        by,
        base: message.id,
        expectedHead: here.head,
        trigger: 'regenerate-message',
        messageId: node.id,
        message,
        onRefused: (problem) => options.onProblem(problem, { kind: 'retry', node, by }),
      })
    },
  }
}

export function userMessage(text: string, id: MessageId = newId()): ChatMessage {
  return { id, role: 'user', parts: [{ type: 'text', text }] }
}
