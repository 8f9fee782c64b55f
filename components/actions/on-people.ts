import { Users } from 'lucide-react'
import type { ChatSummary } from '@/lib/protocol'
import type { Action } from './action'

/** A chat that others are let into. */
export interface OnPeople {
  /** undefined while nothing of the chat is stored, and in a chat of someone else */
  chat: ChatSummary | undefined
  readOnly?: boolean
  /** opens the list of who is in the chat */
  showPeople(): void
}

export const showPeople: Action<OnPeople> = {
  id: 'people',
  label: 'People…',
  words: 'invite member members share role team together leave',
  Icon: Users,
  when: ({ chat, readOnly }) => chat !== undefined || readOnly === true,
  run: (on) => on.showPeople(),
}
