import type { ChatId, MemberRole, UserId } from '@/lib/events'
import type { Invitation, NewInvitation, OpenedShare, SharedChat, StoredMember } from '@/lib/protocol'
import type { Ports } from '../ports'
import type { SharingPorts } from '../shares/shares-port'

/** The people of chats. Those who may change them are told by `inCalledChat`. */
export interface MembersPort {
  ownerName(chatId: ChatId): Promise<string>
  list(chatId: ChatId): Promise<StoredMember[]>
  /** the token; undefined where the chat has as many as it may have */
  invite(ownerId: UserId, invitation: NewInvitation): Promise<string | undefined>
  look(token: string, personId: UserId): Promise<Invitation | undefined>
  /** false where another person was first, or this one is a member already */
  take(token: string, personId: UserId): Promise<boolean>
  changeRole(chatId: ChatId, id: string, role: MemberRole): Promise<void>
  remove(chatId: ChatId, id: string): Promise<void>
  chatsOf(personId: UserId): Promise<SharedChat[]>
  /** a chat as a link that follows it would open it; undefined for all but its member */
  opened(id: string, personId: UserId): Promise<(OpenedShare & { role: MemberRole }) | undefined>
}

/** Ports of members besides those of the other use cases. */
export interface MembersPorts extends Pick<Ports, 'reads' | 'store' | 'clock' | 'newId'> {
  members: MembersPort
}

export interface JoiningPorts extends MembersPorts, SharingPorts {}
