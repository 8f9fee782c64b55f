import type { PlacedMessage } from '@/lib/context'
import type { ChatId, MessageId, ShareId, UserId } from '@/lib/events'
import type { ListedShare, OpenedShare, StoredShare } from '@/lib/protocol'
import type { FileFacts, Ports } from '../ports'

type End = OpenedShare['end']

/** Links to chats. Content behind a link is found by its token alone, never by an owner. */
interface SharesPort {
  make(
    ownerId: UserId,
    share: Pick<
      StoredShare,
      'id' | 'chatId' | 'withGraph' | 'follows' | 'indexed' | 'sharedBy' | 'expiresAt'
    > & { branch: string; messageId?: MessageId | undefined },
  ): Promise<
    { token: string } | { lacks: 'branch' | 'first message' | 'message' } | { used: number } | undefined
  >
  list(ownerId: UserId, chatId?: ChatId): Promise<ListedShare[]>
  revoke(ownerId: UserId, id: ShareId): Promise<void>
  /** undefined for a token that is wrong, revoked or expired */
  open(token: string): Promise<OpenedShare | undefined>
  /** undefined for a link that is revoked or expired */
  inForce(id: ShareId): Promise<OpenedShare | undefined>
  chain(chatId: ChatId, end: End, depths: { from: number; to: number }): Promise<PlacedMessage[]>
  messages(chatId: ChatId): Promise<PlacedMessage[]>
  naming(chatId: ChatId, fileId: string): Promise<PlacedMessage[]>
  isOnChain(chatId: ChatId, end: End, messageId: MessageId): Promise<boolean>
}

/** Ports of sharing besides those of the other use cases. */
export interface SharingPorts
  extends Pick<Ports, 'reads' | 'store' | 'files' | 'models' | 'clock' | 'newId'> {
  shares: SharesPort
  /** the files of the people who share */
  stored: {
    ofChat(chatId: ChatId, ids: readonly string[]): Promise<FileFacts[]>
    bytes(file: FileFacts): Promise<Buffer>
  }
}
