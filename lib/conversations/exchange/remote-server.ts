import type { ChatId, MessageId } from '@/lib/events'

/** The refs of a chat on a server, by name. */
export interface ChatRefs {
  /** the owner's id for the chat; a chat has the same one on each server */
  chatId: ChatId
  /** made with the chat and kept by its clones */
  origin: string
  title: string | null
  branches: { name: string; headMessageId: MessageId | null }[]
  checkpoints: { name: string; messageId: MessageId }[]
  /** the position of its last event there */
  seq: number
}

/** Moves a branch from one message to another: null for a branch that is not there, or is empty. */
export interface RefUpdate {
  branch: string
  old: MessageId | null
  new: MessageId
}

/** Answer to a push. A refused push has written nothing. */
export type PushResult =
  | { outcome: 'updated'; updated: { branch: string; headMessageId: MessageId }[] }
  /** `reason` explains the refusal and what to do */
  | { outcome: 'not_fast_forward' | 'diverged_objects' | 'refused'; reason: string }

/** Another Ramify server, as a chat is exchanged with it. */
export interface RemoteServer {
  /** heads and origin of a chat there; null when there is none for this person */
  refs(chatId: ChatId): Promise<ChatRefs | null>
  /**
   * The pack of the messages reachable from `want` and not from `have`: lines of NDJSON without their ends. A
   * pack that was cut off continues behind its first `after` lines.
   */
  fetch(
    chatId: ChatId,
    asked: { want: readonly MessageId[]; have: readonly MessageId[]; after?: number },
  ): AsyncIterable<string>
  /** sends a pack; the answer is its result */
  push(chatId: ChatId, lines: AsyncIterable<string>, updates: readonly RefUpdate[]): Promise<PushResult>
}
