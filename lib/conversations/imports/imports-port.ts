import type { Change } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import type { ImportChoice } from '@/lib/protocol'

/** An import as it stands. Times are milliseconds. */
export interface ImportStanding extends ImportCounts {
  id: string
  /** the file's name */
  name: string
  size: number
  source: string
  status: 'queued' | 'running' | 'done' | 'cancelled' | 'failed'
  /** why it failed, in words */
  reason: string | null
  /** items of the file that are done */
  place: number
  /** the first problems */
  problems: ImportTrouble[]
  /** some of the chats, the first in the file first */
  chats: ImportedChat[]
  createdAt: number
  endedAt: number | null
}

interface ImportCounts {
  chatsImported: number
  chatsUnchanged: number
  /** chats that were not chosen */
  chatsLeft: number
  messagesFound: number
  messagesImported: number
  messagesSkipped: number
  problemCount: number
}

interface ImportedChat {
  chatId: ChatId
  title: string | null
}

/** A chat that could not be imported unchanged, and the reason. */
export interface ImportTrouble {
  chat: string
  /** the chat, when part of it was brought in */
  chatId?: ChatId
  reason: string
}

/** An import that this process works on. */
export interface HeldImport {
  id: string
  ownerId: UserId
  name: string
  source: string
  place: number
  /** the chats that are meant; null: all */
  choice: ImportChoice | null
  fence: number
}

/** Progress of an import: sums to add, and the place to continue from. */
export interface ImportProgress extends ImportCounts {
  place: number
  problems: ImportTrouble[]
  chats: ImportedChat[]
}

/** A person waits for a preview; an import continues in people's pauses. */
export type ImportWork = 'preview' | 'import'

/** People's imports; see `Imports` of lib/store. */
export interface ImportsPort {
  /** messages that are written together at most */
  readonly batch: number
  begin(
    ownerId: UserId,
    file: { id: string; name: string; size: number; source: string },
    bounds: { perPerson: number; inAll: number },
  ): Promise<'person' | 'site' | 'gone' | undefined>
  upload(id: string, bytes: AsyncIterable<Uint8Array>, choice?: ImportChoice): Promise<void>
  abandon(id: string): Promise<void>
  bytes(id: string): AsyncIterable<Uint8Array>
  claim(leaseMs: number): Promise<HeldImport | undefined>
  renew(held: HeldImport, leaseMs: number): Promise<boolean>
  attend(held: HeldImport): Promise<() => Promise<void>>
  release(held: HeldImport): Promise<void>
  /** false when it was cancelled or is another process's: then nothing was written */
  advance(
    held: HeldImport,
    progress: ImportProgress,
    changes: readonly Change[],
    leaseMs: number,
  ): Promise<boolean>
  end(held: HeldImport, status: 'done' | 'failed', reason?: string): Promise<void>
  cancel(ownerId: UserId, id: string): Promise<void>
  find(ownerId: UserId, id: string): Promise<ImportStanding>
  list(ownerId: UserId): Promise<ImportStanding[]>
  known(
    ownerId: UserId,
    source: string,
    foreignIds: readonly string[],
    work: ImportWork,
  ): Promise<{ foreignId: string; chatId: ChatId; digest: string | null }[]>
  knownByDigest(
    ownerId: UserId,
    source: string,
    digests: readonly string[],
    work: ImportWork,
  ): Promise<{ chatId: ChatId; digest: string }[]>
  tree(chatId: ChatId): Promise<{
    /** parts of messages without a record of their file's content */
    messages: { id: MessageId; imported: string | null; parts: unknown[] | null }[]
    branches: { id: BranchId; name: string; headId: MessageId | null; isOpen: boolean }[]
  }>
}
