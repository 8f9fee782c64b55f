import { Chat } from '@ai-sdk/react'
import type { Dispatch } from 'react'
import { type Api, getJson } from '@/components/app/api'
import { isOffline } from '@/components/app/is-offline'
import { isGone, problemOf } from '@/components/app/problem'
import { type BranchId, type ChatId, type MessageId, newId } from '@/lib/events'
import type { ChatMessage, GraphDelta, LiveRun, Problem, TurnData } from '@/lib/protocol'
import type { ChatAction } from './chat-state'
import { type TurnBody, TurnTransport } from './transport'

export interface TurnDeps {
  api: Api
  chatId: ChatId
  dispatch: Dispatch<ChatAction>
  /** the log position the page knows */
  readTo(): number
  onTitle(title: string): void
  /** the server's first word: from here on the turn is stored */
  onStored(): void
  /** the turn is off the page; nothing more comes of it */
  onOver(key: string): void
}

export interface TurnRequest extends TurnBody {
  /** the branch being read */
  from: BranchId
  /** the thread shows everything up to here, then the message */
  base: MessageId | null
  message: ChatMessage
  /** the server refused, or was not reached; nothing is known to be stored */
  onRefused(problem: Problem): void
}

/** A turn on the page. */
export interface OpenTurn {
  key: string
  /** Lets go of it without stopping it: the server goes on writing. */
  letGo(): void
  /** Whether its branch is being read. While it is not, the turn stays as it is and keeps no connection. */
  setRead(isRead: boolean): void
  /** The page has learnt elsewhere that its reply is over. What streams in at this moment may still come to its end. */
  runOver(): void
  /** The connection is back: what waits to be tried again is tried now. */
  tryNow(): void
}

/** How long to wait before asking again for a reply whose stream broke off, in ms; from the last on, every time. */
const patience = [0, 1000, 2000, 4000, 8000, 15_000] as const
/** How long a reply that is over may go on streaming, in ms; a connection that died unnoticed never ends by itself. */
const grace = 5000

/** Sends a message, an edit, or a wish for another reply, and follows the reply to its end. */
export function startTurn(deps: TurnDeps, request: TurnRequest): OpenTurn {
  const { from, base, message, onRefused, ...body } = request
  const again = body.trigger === 'regenerate-message'
  const turn = openTurn(deps, {
    key: newId(),
    branchId: from,
    base,
    user: again ? null : message,
    messages: again ? [message] : [],
    onRefused,
  })
  // What the SDK takes for `trigger` and `messageId` is replaced by the body's.
  if (again) void turn.chat.regenerate({ messageId: message.id, body })
  else void turn.chat.sendMessage(message, { body })
  return turn.open
}

/** Follows a reply somebody else began: this page before a reload, another tab, a script. */
export function followRun(deps: TurnDeps, run: LiveRun): OpenTurn {
  const turn = openTurn(deps, {
    key: run.runId,
    branchId: run.branchId,
    base: run.replyTo,
    user: null,
    messages: [],
    run,
  })
  void turn.follow()
  return turn.open
}

interface Opening {
  key: string
  branchId: BranchId
  base: MessageId | null
  user: ChatMessage | null
  messages: ChatMessage[]
  run?: LiveRun
  onRefused?(problem: Problem): void
}

function openTurn(deps: TurnDeps, { key, branchId, base, user, messages, run, onRefused }: Opening) {
  const { api, chatId, dispatch } = deps
  let where = branchId
  let runId = run?.runId
  let replyId = run?.replyId
  let result: GraphDelta | null = null
  let failure: unknown
  let over = false
  let following = false
  let broken = false
  let known = false
  let waited = false
  let unread = false
  let tries = 0
  let wake: (() => void) | undefined

  const end = (delta?: GraphDelta, bodies?: ChatMessage[]) => {
    if (over) return
    over = true
    wake?.()
    dispatch({ type: 'turn over', key, delta, bodies })
    deps.onOver(key)
  }

  const onRun = (data: TurnData['run']) => {
    const { delta, userMessageId } = data
    const waiting = data.waiting ?? null
    // a reply that has waited is timed from where it begins
    const begins = waited && !waiting ? { startedAt: Date.now() } : {}
    waited = waiting !== null
    replyId = data.replyId
    dispatch({
      type: 'turn changed',
      key,
      change: {
        branchId: data.branchId,
        base: userMessageId,
        user: null,
        runId: data.runId,
        replyId,
        waiting,
        ...begins,
      },
    })
    const bodies = user ? [{ ...user, id: userMessageId }] : undefined
    // only a turn that begins leads anywhere; whoever follows or comes back to a reply stays where they are
    const leads = runId === undefined ? { goTo: data.branchId, from: where } : {}
    dispatch({ type: 'delta', delta, bodies, ...leads })
    where = data.branchId
    if (runId === undefined) deps.onStored()
    runId = data.runId
    tries = Math.min(tries, 1)
  }

  const chat = new Chat<ChatMessage>({
    id: chatId,
    generateId: newId,
    messages,
    transport: new TurnTransport(api, chatId, { branchId: () => where, readTo: deps.readTo }),
    onData(part) {
      if (over) return
      if (part.type === 'data-run') onRun(part.data)
      else if (part.type === 'data-title') deps.onTitle(part.data)
      else if (part.type === 'data-graph') result = part.data
    },
    onError(error) {
      failure = error
    },
    onFinish({ message, isAbort }) {
      if (over || isAbort) return
      if (result) return end(result, [withoutData(message)])
      broken = true
      if (runId !== undefined) {
        void follow()
        return
      }
      end()
      onRefused?.(problemOf(failure))
    },
  })

  /** Asks for the rest of a reply until it is there, or known to be over: a run may wait long for somebody to write it. */
  const follow = async () => {
    if (following) return
    following = true
    const isWaitedFor = () => !over && !known && !unread
    while (isWaitedFor()) {
      await nap(patience[Math.min(tries++, patience.length - 1)])
      if (!isWaitedFor()) break
      // a request would only fail, and say so in the browser's log
      if (isOffline()) continue
      failure = undefined
      broken = false
      await chat.resumeStream()
      // with its chat the run is over, also for whoever would follow it next
      if (isGone(failure)) end({ chatId, seq: 0, endedRuns: runId ? [runId] : [] })
      const nothingRuns = isWaitedFor() && !broken && failure === undefined
      if (nothingRuns) await catchUp().catch(() => undefined)
    }
    following = false
    if (!unread) end()
  }

  /** Pauses for some ms, or until something is learnt of the turn. */
  const nap = (ms: number | undefined) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    setTimeout(resolve, ms)
    return promise
  }

  /** Reads what became of the run. One that is queued, or being taken over, is neither streamed nor over. */
  const catchUp = async () => {
    const url = `/api/chats/${encodeURIComponent(chatId)}/graph?since=${deps.readTo()}`
    const delta = await getJson<GraphDelta>(api, url)
    const ended = delta.endedRuns?.some((id) => id === runId) || delta.nodes?.some(({ id }) => id === replyId)
    if (ended) end(delta)
    else dispatch({ type: 'delta', complete: true, delta })
  }

  dispatch({
    type: 'turn began',
    turn: {
      key,
      branchId,
      base,
      user,
      runId: run?.runId ?? null,
      replyId: run?.replyId ?? null,
      startedAt: Date.now(),
      waiting: null,
      stopping: false,
      chat,
    },
  })

  const letGo = () => {
    if (over) return
    end()
    void chat.stop()
  }
  const runOver = () => {
    if (over || known) return
    if (unread) return end()
    known = true
    wake?.()
    setTimeout(letGo, grace)
  }
  const tryNow = () => {
    tries = 0
    wake?.()
  }
  const setRead = (isRead: boolean) => {
    if (over || unread !== isRead) return
    unread = !isRead
    if (unread) return void chat.stop()
    tryNow()
    void follow()
  }
  return { chat, follow, open: { key, letGo, setRead, runOver, tryNow } satisfies OpenTurn }
}

const withoutData = (message: ChatMessage): ChatMessage => ({
  ...message,
  parts: message.parts.filter((part) => !part.type.startsWith('data-')),
})
