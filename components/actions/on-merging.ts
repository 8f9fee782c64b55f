import { Cherry, GitMerge, Shrink } from 'lucide-react'
import type { Merging } from '@/components/session/merging'
import type { MessageId } from '@/lib/events'
import type { GraphBranch } from '@/lib/protocol'
import type { Action } from './action'

export interface OnMerging {
  /** asks where messages go, and how */
  merging(asked: Merging): void
  /** there is another branch; nothing to merge with, and nowhere to pick to, without one */
  severalBranches: boolean
}

type OnMessage = OnMerging & {
  messageId: MessageId | null
  past?: boolean
  readOnly?: boolean
  isWriting?: boolean
}
type OnBranch = OnMerging & { branch: GraphBranch | undefined; title: string | undefined; past: boolean }

const isStored = ({ messageId, past, readOnly, isWriting }: OnMessage) =>
  messageId !== null && !past && !readOnly && !isWriting

export const cherryPickTo: Action<OnMessage> = {
  id: 'cherry-pick',
  label: 'Bring single messages along…',
  git: 'cherry-pick',
  purpose: 'Copies a message onto another branch, without the rest.',
  words: 'copy message onto another branch',
  Icon: Cherry,
  when: (on) => isStored(on) && on.severalBranches,
  run: ({ messageId, merging }) => messageId !== null && merging({ kind: 'pick', messageIds: [messageId] }),
}

export const compactHere: Action<OnMessage> = {
  id: 'compact',
  label: 'Sum up and go on…',
  git: 'compact',
  purpose: 'Goes on from a summary, where a chat has become too long.',
  words: 'summary summarise shorten context window squash',
  Icon: Shrink,
  when: isStored,
  run: ({ messageId, merging }) => merging({ kind: 'compact', branchId: null, messageId }),
}

const withMessages = ({ branch, past }: OnBranch): boolean =>
  !past && branch !== undefined && branch.headId !== null

export const mergeBranch: Action<OnBranch> = {
  id: 'merge',
  label: 'Merge the branch into another…',
  named: ({ title }) => `Merge ${title} into…`,
  short: 'Merge into…',
  words: 'join combine bring back',
  Icon: GitMerge,
  when: (on) => withMessages(on) && on.severalBranches,
  run: ({ branch, merging }) => branch && merging({ kind: 'merge', sourceId: branch.id }),
}

/** Actions that bring a branch together with others. */
export const branchMerging: readonly Action<OnBranch>[] = [
  mergeBranch,
  {
    id: 'compact branch',
    label: 'Sum up the branch and go on…',
    named: ({ title }) => `Sum up ${title} and go on…`,
    short: 'Sum up and go on…',
    git: 'compact',
    words: 'summary summarise shorten squash',
    Icon: Shrink,
    when: withMessages,
    run: ({ branch, merging }) =>
      branch && merging({ kind: 'compact', branchId: branch.id, messageId: null }),
  },
]
