import { GitPullRequest } from 'lucide-react'
import type { ChatSummary } from '@/lib/protocol'
import type { Action } from './action'

/** A chat whose branches are proposed to its owner, or to the owner of the chat that it is a copy of. */
export interface OnProposals {
  /** undefined while nothing of the chat is stored */
  chat: ChatSummary | undefined
  /** opens the list of them, where a copy is proposed too */
  showProposals(): void
}

export const showProposals: Action<OnProposals> = {
  id: 'proposals',
  label: 'Proposals…',
  git: 'pull request',
  words: 'propose to the original copy share contribute',
  Icon: GitPullRequest,
  when: ({ chat }) => chat !== undefined,
  run: (on) => on.showProposals(),
}
