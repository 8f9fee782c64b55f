'use client'

import { type Dispatch, useEffect, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { withoutCode } from '@/components/app/new-version'
import { offline, problemOf, unreached } from '@/components/app/problem'
import { shared } from '@/components/app/shared'
import { useOnChange } from '@/components/ui/use-on-change'
import type { BranchId, MessageId, ToolAnswer } from '@/lib/events'
import type { ChatMessage, GraphNode, Problem } from '@/lib/protocol'
import { allowTools } from './allow-tools'
import { modelToName } from './branch-model'
import { type ChatAction, type ChatSession, headOf } from './chat-session'
import { filesOf, userMessage } from './messages'
import { readSince } from './read-chat'
import type { OpenTurn, TurnDeps, TurnRequest } from './send-turn'
import type { TurnEvent } from './turn'

/** A place for a message other than the end of the branch being read. */
export interface Target {
  branchId: BranchId
  head: MessageId | null
}

interface Options {
  /** something is written that will be sent */
  isWriting: boolean
  /** a turn builds on the moves until here */
  onBegin(): void
  onTitle(title: string): void
  /** `messageId`: the message that was sent, null for a retry */
  onStored(messageId: MessageId | null): void
  /** `again` makes the same request, of the page as it is by then */
  onProblem(problem: Problem, again: (turns: Turns) => void): void
  /** a new message that was not stored */
  onUnsent(problem: Problem, message: ChatMessage, target: Target): void
}

export interface Turns {
  stop(): void
  /** takes in every write since `readTo` */
  refresh(): Promise<void>
  send(message: ChatMessage, target?: Target): void
  /** sends another message in a message's place; the original stays, on its own branch */
  edit(node: GraphNode, text: string): void
  /**
   * Asks for another reply in a reply's place, or for a reply to a message without one.
   *
   * @param to the branch to ask on, unless it is the one being read
   */
  retry(node: GraphNode, by?: string, to?: BranchId): void
  /** asks for the rest of a cut reply, in a version beside it */
  goOn(node: GraphNode): void
  /**
   * Answers the tools that wait in a reply: it goes on in a message below.
   *
   * @param always the names of the tools that ask no more on this branch
   */
  answer(node: GraphNode, answers: ToolAnswer[], always?: readonly string[]): void
}

/** Loads the code that sends and follows turns. */
export const loadTurns = shared(() => import('./send-turn').catch(withoutCode))

/** Begins turns on the branch being read, follows the reply that is written on it, and stops it. */
export function useTurns(state: ChatSession, dispatch: Dispatch<ChatAction>, options: Options): Turns {
  const { api, model: last } = useApp()
  const { index, branchId, turns } = state
  const { chatId, runs } = index.graph
  const latest = useRef(state)
  const open = useRef(new Map<string, OpenTurn>())
  const [code, setCode] = useState<Awaited<ReturnType<typeof loadTurns>>>()

  // a page that is only read does without it; a send before the code has loaded loads it again
  const isWanted = options.isWriting || runs.length > 0
  useEffect(() => {
    if (isWanted) loadTurns().then(setCode, () => undefined)
  }, [isWanted])

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
    onStopFailed: (problem) => options.onProblem(problem, (now) => now.stop()),
    onOver: (key) => open.current.delete(key),
  }
  const keep = (turn: OpenTurn) => open.current.set(turn.key, turn)

  useOnChange([runs, branchId, turns, code], () => {
    for (const { key, runId, branchId: writtenOn } of turns) {
      const turn = open.current.get(key)
      if (!turn || !runId) continue
      // a browser keeps six connections to a server: a stream for each branch would leave none for Stop
      turn.tell({ type: writtenOn === branchId ? 'read' : 'left' })
      if (!runs.some((live) => live.runId === runId)) turn.tell({ type: 'run over' })
    }
    const live = runs.find((candidate) => candidate.branchId === branchId)
    const known = turns.some((turn) => turn.branchId === branchId || turn.runId === live?.runId)
    if (code && live && !known && !open.current.has(live.runId)) keep(code.followRun(deps, live))
  })

  useEffect(() => {
    const all = open.current
    const tell = (event: TurnEvent) => {
      for (const turn of [...all.values()]) turn.tell(event)
    }
    const online = () => tell({ type: 'online' })
    addEventListener('online', online)
    return () => {
      removeEventListener('online', online)
      tell({ type: 'over' })
    }
  }, [])

  const begin = (
    request: Omit<TurnRequest, 'from' | 'branch' | 'model'> & { to?: BranchId; by?: string },
  ) => {
    options.onBegin()
    const { to = branchId, by = modelToName(state, to, last), ...rest } = request
    const wish: TurnRequest = { ...rest, branch: state.unsaved ? undefined : to, from: to, model: by }
    if (code) keep(code.sendTurn(deps, wish))
    else {
      loadTurns().then(
        ({ sendTurn }) => keep(sendTurn(deps, wish)),
        () => wish.onRefused(offline),
      )
    }
  }

  /** Asks for another reply in a reply's place, which may go on with it. */
  const replyAgain = (
    node: GraphNode,
    wish: Pick<TurnRequest, 'onRefused' | 'continue'> & {
      by?: string | undefined
      to?: BranchId | undefined
    },
  ) => {
    const asked = node.role === 'user' ? node : index.parentOf(node.id)
    const found = asked && state.bodies.get(asked.id)
    if (!found) return
    // a reply that went on after its tools were answered stands below another reply
    const message = found.role === 'user' ? found : placeOf(found.id)
    begin({
      ...wish,
      base: message.id,
      expectedHead: here.head,
      trigger: 'regenerate-message',
      messageId: node.id,
      message,
    })
  }

  const here: Target = { branchId, head: headOf(index, branchId) }

  return {
    stop() {
      const turn = turns.find((candidate) => candidate.branchId === branchId)
      if (turn) open.current.get(turn.key)?.tell({ type: 'stop' })
    },

    async refresh() {
      const delta = await readSince(api, chatId, latest.current.readTo)
      dispatch({ type: 'delta', complete: true, delta })
    },

    send(message, target = here) {
      begin({
        to: target.branchId,
        base: target.head,
        expectedHead: target.head,
        trigger: 'submit-message',
        message,
        onRefused: (problem) => options.onUnsent(problem, message, target),
      })
    },

    edit(node, text) {
      begin({
        base: index.parentOf(node.id)?.id ?? null,
        expectedHead: here.head,
        trigger: 'submit-message',
        messageId: node.id,
        // its files stay with it
        message: userMessage(text, filesOf(state.bodies.get(node.id))),
        onRefused: (problem) => options.onProblem(problem, (now) => now.edit(node, text)),
      })
    },

    retry(node, by, to) {
      const onRefused = (problem: Problem) => options.onProblem(problem, (now) => now.retry(node, by, to))
      replyAgain(node, { by, to, onRefused })
    },

    goOn(node) {
      const onRefused = (problem: Problem) => options.onProblem(problem, (now) => now.goOn(node))
      replyAgain(node, { continue: true, onRefused })
    },

    answer(node, answers, always = []) {
      const again = (now: Turns) => now.answer(node, answers, always)
      const goOn = () =>
        begin({
          base: node.id,
          expectedHead: here.head,
          trigger: 'answer-tools',
          messageId: node.id,
          answers,
          message: placeOf(node.id),
          onRefused: (problem) => options.onProblem(problem, again),
        })
      if (always.length === 0) return goOn()
      // the rest of the reply is asked for in the context that holds by then
      allowTools(api, { chatId, branchId, names: always }).then(goOn, (error) =>
        options.onProblem(problemOf(error, unreached), again),
      )
    },
  }
}

/** A message that makes the AI SDK add another reply below a message that is no question: nothing of it travels. */
const placeOf = (id: MessageId): ChatMessage => ({ id, role: 'user', parts: [] })
