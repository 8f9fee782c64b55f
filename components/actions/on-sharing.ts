import { Share2 } from 'lucide-react'
import type { BranchId, MessageId } from '@/lib/events'
import type { GraphBranch } from '@/lib/protocol'
import type { Action } from './action'

/** A target that can be shared by link. */
export interface OnSharing {
  /** asks what a link opens: a branch, up to `messageId` where it is given */
  share(branchId: BranchId | null, messageId: MessageId | null): void
}

const record = { words: 'share link publish send show public url', Icon: Share2 }

/** Shares the messages up to one, on the branch that is read or holds it. */
export const shareUpToHere: Action<
  OnSharing & { messageId: MessageId | null; past?: boolean; readOnly?: boolean; isWriting?: boolean }
> = {
  ...record,
  id: 'share',
  label: 'Share up to here…',
  when: ({ messageId, past, readOnly, isWriting }) => messageId !== null && !past && !readOnly && !isWriting,
  run: ({ messageId, share }) => messageId !== null && share(null, messageId),
}

/** Shares a whole branch. */
export const shareBranch: Action<
  OnSharing & { branch: GraphBranch | undefined; title: string | undefined; past: boolean }
> = {
  ...record,
  id: 'share branch',
  label: 'Share the branch…',
  named: ({ title }) => `Share ${title}…`,
  short: 'Share…',
  when: ({ branch, past }) => !past && branch !== undefined && branch.headId !== null,
  run: ({ branch, share }) => branch && share(branch.id, null),
}
