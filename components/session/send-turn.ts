// The effects of one turn: its request, the stream of its reply, following and stopping it. Most of the AI SDK comes with it, so it is a
// chunk of its own (see `loadTurns`): reading needs none of it.
import { Chat, useChat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessageChunk } from 'ai'
import type { Dispatch } from 'react'
import type { Api } from '@/components/app/api'
import { isGone, isOffline, problemOf, unreached } from '@/components/app/problem'
import { type BranchId, type ChatId, type MessageId, newId, type ToolAnswer } from '@/lib/events'
import type { ChatMessage, GraphDelta, LiveRun, Problem } from '@/lib/protocol'
import type { ChatAction } from './chat-session'
import { chatUrl, readSince } from './read-chat'
import { changeTurn, type Turn, type TurnEvent, type TurnPhase } from './turn'

export interface TurnDeps {
  api: Api
  chatId: ChatId
  dispatch: Dispatch<ChatAction>
  /** the log position the page knows */
  readTo(): number
  onTitle(title: string): void
  /** the server's first word: from here on the turn is stored, and with it the message that was sent, where there is one */
  onStored(messageId: MessageId | null): void
  onStopFailed(problem: Problem): void
  /** the turn is off the page; nothing more comes of it */
  onOver(key: string): void
}

/** The request of a turn, without the message itself. */
interface TurnBody {
  /** absent for a chat that is not stored yet */
  branch?: BranchId
  expectedHead: MessageId | null
  trigger: 'submit-message' | 'regenerate-message' | 'answer-tools'
  /** the stored message that is edited or answered again, or whose tools are answered */
  messageId?: MessageId
  /** the reply goes on where it was cut */
  continue?: true
  /** to the tools that wait in it */
  answers?: ToolAnswer[]
  /** absent for the branch's own */
  model: string | undefined
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

/** A turn on the page, and the way to tell it news. */
export interface OpenTurn {
  key: string
  tell(event: TurnEvent): void
}

/** The pauses before each request for a reply whose stream broke off, in ms; the last one repeats. */
const patience = [0, 1000, 2000, 4000, 8000, 15_000] as const
/** The time a reply that is over may go on streaming, in ms: a connection that died unnoticed never ends. */
const grace = 5000

/** Sends a message, an edit or a retry, and follows the reply to its end. */
export function sendTurn(deps: TurnDeps, request: TurnRequest): OpenTurn {
  const { from, base, message, onRefused, ...body } = request
  const isRetry = body.trigger !== 'submit-message'
  const user = isRetry ? null : message
  const turn = newTurn({ key: newId(), phase: { is: 'sending' }, branchId: from, base, user })
  const { chat, ...open } = openTurn(deps, turn, isRetry ? [message] : [], onRefused)
  // the AI SDK's `trigger` and `messageId` are replaced by the body's
  if (isRetry) void chat.regenerate({ messageId: message.id, body })
  else void chat.sendMessage(message, { body })
  return open
}

/** Follows a reply that this page has not begun: from before a reload, another tab, a script. */
export function followRun(deps: TurnDeps, { runId, branchId, replyTo, replyId }: LiveRun): OpenTurn {
  const turn = newTurn({ key: runId, phase: { is: 'pausing' }, branchId, base: replyTo, user: null })
  return openTurn(deps, { ...turn, runId, replyId }, [])
}

/** The words of a reply as they stream in. */
export const useReply = (chat: Turn['chat']): ChatMessage | undefined =>
  useChat({ chat, throttle: 50 }).messages.findLast(({ role }) => role === 'assistant')

type Opening = Omit<Turn, 'chat'>

const newTurn = (begins: Pick<Turn, 'key' | 'phase' | 'branchId' | 'base' | 'user'>): Opening => ({
  ...begins,
  runId: null,
  replyId: null,
  startedAt: Date.now(),
  waiting: null,
  stopping: false,
  tries: 0,
})

/** Keeps a turn: shows each of its states on the page, and does the work of a phase when the turn enters it. */
function openTurn(
  { api, chatId, dispatch, ...deps }: TurnDeps,
  opening: Opening,
  messages: ChatMessage[],
  onRefused?: (problem: Problem) => void,
) {
  const { key, user } = opening
  let timer: ReturnType<typeof setTimeout> | undefined
  let failure: unknown
  let result: GraphDelta | undefined

  const chat = new Chat<ChatMessage>({
    id: chatId,
    generateId: newId,
    messages,
    transport: new TurnTransport(api, chatId, () => ({ branch: turn.branchId, since: deps.readTo() })),
    onData(part) {
      if (part.type === 'data-run') {
        const { runId, branchId } = turn
        if (!tell({ type: 'named', run: part.data, at: Date.now() })) return
        const bodies = user ? [{ ...user, id: part.data.userMessageId }] : undefined
        // only a turn that begins leads anywhere; a reply that is followed moves no reader
        const goTo = runId === null ? part.data.branchId : undefined
        dispatch({ type: 'delta', delta: part.data.delta, bodies, goTo, from: branchId })
        if (runId === null) deps.onStored(user?.id ?? null)
      } else if (part.type === 'data-title') deps.onTitle(part.data)
      else if (part.type === 'data-graph') result = part.data
    },
    onError(error) {
      failure = error
    },
    onFinish({ message, isAbort }) {
      if (isAbort) return
      if (result) tell({ type: 'over', delta: result, bodies: [withoutData(message)] })
      else tell({ type: 'broken', problem: problemOf(failure) })
    },
  })
  let turn: Turn = { ...opening, chat }

  /** Answers whether the event changed anything. */
  const tell = (event: TurnEvent): boolean => {
    const before = turn
    turn = changeTurn(before, event)
    if (turn === before) return false
    dispatch({ type: 'turn', turn })
    if (turn.phase !== before.phase) enter(turn.phase)
    const isStopped = before.stopping && before.runId !== null
    if (turn.stopping && turn.runId !== null && !isStopped) void stop()
    return true
  }

  const enter = (phase: TurnPhase) => {
    clearTimeout(timer)
    switch (phase.is) {
      case 'pausing': {
        const pause = patience[Math.min(turn.tries, patience.length - 1)]
        timer = setTimeout(() => tell({ type: 'pause over', offline: isOffline() }), pause)
        break
      }
      case 'resuming':
        void resume(phase)
        break
      case 'unread':
        void chat.stop()
        break
      case 'closing':
        timer = setTimeout(() => tell({ type: 'over' }), grace)
        break
      case 'refused':
        deps.onOver(key)
        onRefused?.(phase.problem)
        break
      case 'ended':
        deps.onOver(key)
        void chat.stop()
    }
  }

  /** Asks for the rest of the reply. A stream that opens tells its own end; every other answer is told from here. */
  const resume = async (asked: TurnPhase) => {
    failure = undefined
    await chat.resumeStream()
    const isWaitedFor = () => turn.phase === asked || turn.phase.is === 'closing'
    // the run is over with its chat; without the delta the page would follow it again
    if (isGone(failure)) tell({ type: 'over', delta: { chatId, seq: 0, endedRuns: [turn.runId ?? key] } })
    // a state that cannot be read now is asked for again after the next pause
    else if (isWaitedFor() && failure === undefined) await catchUp().catch(() => undefined)
    if (isWaitedFor()) tell({ type: 'broken', problem: problemOf(failure) })
  }

  /** Reads the state of the run. A queued run, or one being taken over, is neither streamed nor over. */
  const catchUp = async () => {
    const delta = await readSince(api, chatId, deps.readTo())
    const { runId, replyId } = turn
    const isStored = delta.nodes?.some(({ id }) => id === replyId)
    if (isStored || delta.endedRuns?.some((id) => id === runId)) tell({ type: 'over', delta })
    else dispatch({ type: 'delta', complete: true, delta })
  }

  const stop = async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ runId: turn.runId })
    try {
      await api.fetch(chatUrl('chat', chatId, 'stop'), { method: 'POST', headers, body })
    } catch (error) {
      tell({ type: 'stop failed' })
      deps.onStopFailed(problemOf(error, unreached))
    }
  }

  dispatch({ type: 'turn', turn })
  enter(turn.phase)
  return { key, tell, chat }
}

/** The lean form of `POST /api/chat`: the server has the history, so only the new message travels. */
class TurnTransport extends DefaultChatTransport<ChatMessage> {
  constructor(api: Api, chatId: ChatId, at: () => { branch: BranchId; since: number }) {
    super({
      api: '/api/chat',
      fetch: api.fetch,
      prepareSendMessagesRequest: ({ messages, body }) => {
        const { id, role, parts } = messages.at(-1) ?? {}
        return { body: { ...body, id: chatId, message: { id, role, parts } } }
      },
      prepareReconnectToStreamRequest: () => ({ api: chatUrl('chat', chatId, 'stream', at()) }),
    })
  }

  /**
   * A run is named before the first words of its reply, and again before a worker that takes it over begins them anew:
   * the words until then go. The AI SDK takes back a single step, so steps are hidden from it.
   */
  protected override processResponseStream(
    stream: ReadableStream<Uint8Array>,
  ): ReadableStream<UIMessageChunk> {
    const beginAnew = new TransformStream<UIMessageChunk, UIMessageChunk>({
      transform(chunk, controller) {
        if (chunk.type === 'start-step') return
        if (chunk.type === 'data-run') controller.enqueue({ type: 'reset-step' })
        controller.enqueue(chunk)
      },
    })
    return super.processResponseStream(stream).pipeThrough(beginAnew)
  }
}

const withoutData = (message: ChatMessage): ChatMessage => ({
  ...message,
  parts: message.parts.filter((part) => !part.type.startsWith('data-')),
})
