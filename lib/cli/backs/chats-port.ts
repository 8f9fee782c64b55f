import type { UIMessageChunk } from 'ai'
import type { ThreadMove, UndoAnswer } from '@/lib/conversations'
import type { MergeConflict, MergeMode, MergeResolution, Quote } from '@/lib/events'
import type {
  AddedRemote,
  ChatPage,
  Exchanged,
  ExchangeVerb,
  ExportFormat,
  ExportPart,
  Graph,
  ImportChoice,
  ImportPreview,
  ImportReport,
  MergePreview,
  Remote,
  RemoteState,
  ThreadWindow,
} from '@/lib/protocol'

/** A message to send, and where. */
export interface SentTurn {
  /** an id that no chat has makes a new chat */
  chatId: string
  branch?: string | undefined
  message: { id: string; text: string }
  model?: string | undefined
}

/** The parts of a turn as they come, and its end: the reply is stored then. */
export interface TakenTurn {
  parts: AsyncIterable<UIMessageChunk>
  ended: Promise<void>
}

export interface MergeAsked {
  sourceId: string
  targetId: string
  mode: MergeMode
}

/** A merge as it was previewed, with the conflicts decided. */
export interface MergeOrder extends MergeAsked {
  brief: string
  quotes: readonly Quote[]
  conflicts: readonly MergeConflict[]
  resolutions: Readonly<Record<string, MergeResolution>>
}

export interface ImportFile {
  path: string
  name: string
  signal: AbortSignal
}

/** Another server to be added. */
export interface GivenRemote {
  name: string
  url: string
  key: string | undefined
}

export interface ExchangeAsked {
  remote: string
  chatId: string
  branch?: string | undefined
  signal: AbortSignal
}

interface ExportedChat {
  /** the name of the file */
  name: string
  content: AsyncIterable<string | Uint8Array>
}

/**
 * A command line's access to a person's chats: the use cases of Ramify, in this process on a folder, or over
 * HTTP on a server. Both answer alike; `testing/int/lib/cli/both-places.int.test.ts` holds them to it.
 * Branches and threads are the same thing.
 *
 * Every method rejects with an error whose message is for the person; a chat that is missing or another person's with
 * `NotFoundError` or `MissingError`.
 */
export interface ChatsPort {
  /** name of the place: `the folder .data` */
  readonly place: string
  /** a page of the chats, the latest first */
  listChats(page: {
    archived?: boolean | undefined
    cursor?: string | undefined
    limit?: number
  }): Promise<ChatPage>
  /** undefined for a chat that is missing, or another person's */
  readGraph(chatId: string): Promise<Graph | undefined>
  /** the last messages of a branch above a depth, root first */
  readWindow(
    chatId: string,
    page: { branch: string; before?: number | undefined; limit: number },
  ): Promise<ThreadWindow>
  move(threadId: string, move: ThreadMove): Promise<{ chat_id: string; thread_id: string }>
  moveBack(which: 'undo' | 'redo', chatId: string): Promise<Pick<UndoAnswer, 'thread_id' | 'move' | 'says'>>
  previewMerge(asked: MergeAsked & { signal: AbortSignal }): Promise<Omit<MergePreview, 'source'>>
  merge(order: MergeOrder): Promise<{ message_id: string }>
  exportChat(
    chatId: string,
    asked: { format: ExportFormat; branch?: string | undefined; without?: readonly ExportPart[] | undefined },
  ): Promise<ExportedChat>
  /** the chats of a file; nothing is stored */
  previewImport(file: ImportFile): Promise<ImportPreview>
  startImport(file: ImportFile & { choice?: ImportChoice | undefined }): Promise<string>
  /** progress of an import; an import in this process continues during the call */
  readImport(importId: string): Promise<ImportReport>
  cancelImport(importId: string): Promise<void>
  listRemotes(): Promise<Remote[]>
  addRemote(given: GivenRemote): Promise<AddedRemote>
  removeRemote(name: string): Promise<void>
  /** lets the place talk to the remote; parts received before an abort stay */
  exchange(verb: ExchangeVerb, asked: ExchangeAsked): Promise<Exchanged>
  readRemoteState(remote: string, chatId: string): Promise<RemoteState>
  takeTurn(turn: SentTurn): Promise<TakenTurn>
  /** ends a reply; its words so far stay */
  stopReply(chatId: string, runId: string): Promise<void>
  close(): Promise<void>
}
