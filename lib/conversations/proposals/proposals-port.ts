import type { BranchId, ChatId, UserId } from '@/lib/events'
import type { StoredComment, StoredProposal } from '@/lib/protocol/remotes/proposals'
import type { MembersPort } from '../members/members-port'
import type { Ports } from '../ports'
import type { SharingPorts } from '../shares/shares-port'

type Named = Pick<StoredProposal, 'chatId' | 'id'>

interface ProposalsPort {
  chatOf(chatId: ChatId): Promise<{ ownerId: UserId; called: ChatId; origin: string } | undefined>
  countOpen(chatId: ChatId, authorId: UserId): Promise<{ ofChat: number; ofBoth: number; ofAuthor: number }>
  /** false where its chat or its author is gone */
  keep(
    proposal: Omit<StoredProposal, 'ownerId' | 'state' | 'takenAs' | 'answer' | 'createdAt' | 'updatedAt'>,
  ): Promise<boolean>
  pin(proposal: Named, at: Pick<StoredProposal, 'headMessageId' | 'sourceHeadId' | 'messages'>): Promise<void>
  /** a proposal that a person has made, or that was made to their chat */
  find(id: string, personId: UserId): Promise<StoredProposal | undefined>
  /** proposals to an owner's chat, and those made from it, the newest first */
  list(chatId: ChatId, ownerId: UserId): Promise<StoredProposal[]>
  /** the newest proposal of a branch to a chat */
  latestOf(chatId: ChatId, sourceBranchId: BranchId, authorId: UserId): Promise<StoredProposal | undefined>
  /** false when it is not open, or another request takes it */
  claim(proposal: Named): Promise<boolean>
  settle(
    proposal: Named,
    outcome:
      | { state: 'taken'; seq: number; as: NonNullable<StoredProposal['takenAs']> }
      | { state: 'declined'; answer: string }
      | { state: 'open' },
  ): Promise<void>
  /** false where the proposal has as many as it may have */
  comment(chatId: ChatId, comment: Omit<StoredComment, 'createdAt'>): Promise<boolean>
  comments(proposals: readonly Named[]): Promise<StoredComment[]>
}

/** Proposals need these besides the other use cases. */
export interface ProposingPorts extends Ports, SharingPorts {
  proposals: ProposalsPort
  members: Pick<MembersPort, 'opened'>
}
