import { Repeat, SearchCode } from 'lucide-react'
import type { BranchId, MessageId } from '@/lib/events'
import type { GraphBranch } from '@/lib/protocol'
import type { Action } from './action'

/** A target that can be replayed. */
export interface OnReplay {
  /** asks which messages are asked again, and how; from `messageId` on where it is given */
  replay(branchId: BranchId | null, messageId: MessageId | null): void
}

const record = {
  git: 'replay',
  purpose: 'Asks each question anew, with another model or other instructions.',
  words: 'replay ask again rerun every message other model context regression',
  Icon: Repeat,
}

/** Replays the messages from one on, on the branch that is read or holds it. */
export const replayFromHere: Action<
  OnReplay & { messageId: MessageId | null; past?: boolean; readOnly?: boolean; isWriting?: boolean }
> = {
  ...record,
  id: 'replay',
  label: 'Ask everything again…',
  when: ({ messageId, past, readOnly, isWriting }) => messageId !== null && !past && !readOnly && !isWriting,
  run: ({ messageId, replay }) => replay(null, messageId),
}

/** Replays a whole branch. */
export const replayBranch: Action<
  OnReplay & { branch: GraphBranch | undefined; title: string | undefined; past: boolean }
> = {
  ...record,
  id: 'replay branch',
  label: 'Ask everything on the branch again…',
  named: ({ title }) => `Ask everything on ${title} again…`,
  short: 'Ask everything again…',
  when: ({ branch, past }) => !past && branch !== undefined && branch.headId !== null,
  run: ({ branch, replay }) => branch && replay(branch.id, null),
}

/** Finds the message that made a reply say something. */
export const bisectReply: Action<{
  messageId: MessageId | null
  role: string
  isWriting?: boolean
  readOnly?: boolean
  bisect(id: MessageId): void
}> = {
  id: 'bisect',
  label: 'Find what made the difference…',
  git: 'bisect',
  purpose: 'Finds the message that made a reply say something.',
  words: 'which message made it say this why cause find search turn difference',
  Icon: SearchCode,
  when: ({ messageId, role, isWriting, readOnly }) =>
    messageId !== null && role === 'assistant' && !isWriting && !readOnly,
  run: ({ messageId, bisect }) => messageId !== null && bisect(messageId),
}
