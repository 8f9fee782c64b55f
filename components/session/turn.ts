import type { Chat } from '@ai-sdk/react'
import type { BranchId, MessageId, RunId } from '@/lib/events'
import type { ChatMessage, GraphDelta, Problem, TurnData, Waiting } from '@/lib/protocol'

/** A reply on its way, as the thread shows it: everything up to `base`, then `user`, then what streams in. */
export interface Turn {
  /** stays the same from key press to stored reply */
  key: string
  phase: TurnPhase
  /** the branch it is shown on: the reader's, then the one the server answered on */
  branchId: BranchId
  base: MessageId | null
  /** the user's message while it is not yet in the graph */
  user: ChatMessage | null
  /** null until the turn is stored */
  runId: RunId | null
  replyId: MessageId | null
  /** since when it is written, or waits */
  startedAt: number
  /** why its reply does not begin yet */
  waiting: Waiting | null
  /** Stop was pressed; the run is stopped as soon as it has a name */
  stopping: boolean
  /** number of requests for the rest of the reply since the stream last brought something */
  tries: number
  /** holds the reply's words as they stream in */
  chat: Chat<ChatMessage>
}

export type TurnPhase =
  /** the request is on its way; nothing is known to be stored */
  | { is: 'sending' }
  /** the turn is stored, and its stream is open */
  | { is: 'streaming' }
  /** the stream broke off; the rest is asked for after a pause that grows with `tries` */
  | { is: 'pausing' }
  /** the rest is being asked for */
  | { is: 'resuming' }
  /** another branch is read: the turn keeps no connection */
  | { is: 'unread' }
  /** the run is known to be over; a stream that is still open may come to its end */
  | { is: 'closing' }
  /** nothing was stored */
  | { is: 'refused'; problem: Problem }
  /** `delta` and `bodies` hold the stored reply, where this turn has brought it */
  | { is: 'ended'; delta?: GraphDelta; bodies?: ChatMessage[] }

export type TurnEvent =
  /** the stream names the run, or says that its reply waits or begins */
  | { type: 'named'; run: TurnData['run']; at: number }
  /** the stream is over, and the reply is not known to be stored */
  | { type: 'broken'; problem: Problem }
  | { type: 'pause over'; offline: boolean }
  | { type: 'online' }
  /** the turn's branch is the one being read, or no longer is */
  | { type: 'read' }
  | { type: 'left' }
  /** the graph says that the run is over */
  | { type: 'run over' }
  | { type: 'stop' }
  | { type: 'stop failed' }
  /** the turn leaves the page, for the stored reply or for nothing; the server writes on if it does */
  | { type: 'over'; delta?: GraphDelta; bodies?: ChatMessage[] }

/** A turn that is over is off the page, and nothing more comes of it. */
export const isOver = ({ phase }: Turn): boolean => phase.is === 'refused' || phase.is === 'ended'

/** The turn after an event: the same object when the event says nothing new to it. */
export function changeTurn(turn: Turn, event: TurnEvent): Turn {
  if (isOver(turn)) return turn
  const now = turn.phase.is
  const to = (phase: TurnPhase): Turn => ({ ...turn, phase })
  switch (event.type) {
    case 'named':
      return named(turn, event.run, event.at)
    case 'broken':
      if (turn.runId === null) return to({ is: 'refused', problem: event.problem })
      if (now === 'closing') return to({ is: 'ended' })
      return now === 'streaming' || now === 'resuming' ? to({ is: 'pausing' }) : turn
    case 'pause over': {
      if (now !== 'pausing') return turn
      // without a network a request would only fail, and say so in the browser's log
      return { ...turn, tries: turn.tries + 1, phase: { is: event.offline ? 'pausing' : 'resuming' } }
    }
    case 'online':
      return now === 'pausing' ? { ...turn, tries: 0, phase: { is: 'resuming' } } : { ...turn, tries: 0 }
    case 'read':
      return now === 'unread' ? { ...turn, tries: 0, phase: { is: 'pausing' } } : turn
    case 'left':
      if (now === 'sending' || now === 'unread') return turn
      return to({ is: now === 'closing' ? 'ended' : 'unread' })
    case 'run over':
      if (now === 'sending' || now === 'closing') return turn
      return to({ is: now === 'pausing' || now === 'unread' ? 'ended' : 'closing' })
    case 'stop':
      return turn.stopping ? turn : { ...turn, stopping: true }
    case 'stop failed':
      return { ...turn, stopping: false }
    case 'over':
      return to({ is: 'ended', delta: event.delta, bodies: event.bodies })
  }
}

/** The start of a turn by the clock of the browser. A reply that this page has not begun is as old as the server says. */
function startOf({ key, startedAt }: Turn, { runId, elapsedMs }: TurnData['run'], at: number): number {
  return key === runId && elapsedMs !== undefined ? at - elapsedMs : startedAt
}

/** A reply that has waited is timed from where it begins. */
function named(turn: Turn, run: TurnData['run'], at: number): Turn {
  const { branchId, userMessageId, runId, replyId, waiting = null } = run
  const { is } = turn.phase
  const begins = turn.waiting !== null && waiting === null
  return {
    ...turn,
    branchId,
    base: userMessageId,
    user: null,
    runId,
    replyId,
    waiting,
    startedAt: begins ? at : startOf(turn, run, at),
    tries: Math.min(turn.tries, 1),
    phase: is === 'sending' || is === 'resuming' ? { is: 'streaming' } : turn.phase,
  }
}
