import { Signpost, SignpostBig } from 'lucide-react'
import type { MessageId } from '@/lib/events'
import type { Action } from './action'

/** A message of a chat that agents write in. */
export interface OnSteering {
  /** an agent writes in the chat */
  hasAgents?: boolean
  /** asks for the agent that goes on from a message, and the words it reads there first */
  steer?(id: MessageId): void
}

type OnMessage = OnSteering & { messageId: MessageId | null; past?: boolean; isWriting?: boolean }

/** From a message on, with the agent's next call. */
export const steerHere: Action<OnMessage> = {
  id: 'steer',
  label: 'Steer the agent here…',
  hint: 'its next call goes on from this message',
  purpose: 'Its next call goes on from this message.',
  words: 'agent rewind redirect correct go on from here move client branch next call',
  keys: ['a'],
  Icon: Signpost,
  when: ({ hasAgents, messageId, past, isWriting }) =>
    hasAgents === true && messageId !== null && !past && (!isWriting || 'This reply is still being written'),
  run: ({ messageId, steer }) => messageId !== null && steer?.(messageId),
}

/** Stops the agent that is on its way to or from the branch being read; else the agent that was steered last. */
export const stopSteering: Action<{ stopSteering?: (() => void) | undefined }> = {
  id: 'stop steering',
  label: 'Stop steering the agent',
  short: 'Stop steering',
  words: 'agent take back cancel',
  Icon: SignpostBig,
  when: ({ stopSteering }) => stopSteering !== undefined,
  run: ({ stopSteering }) => stopSteering?.(),
}
