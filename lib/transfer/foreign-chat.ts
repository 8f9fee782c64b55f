import type { Readable } from 'node:stream'
import type { UIMessage } from 'ai'
import { named } from '@/lib/events'

/** A file of a message, which is stored before the message can name it by its address. */
export interface ForeignFile {
  type: 'file'
  /** The type that the export gives; the bytes may be of another. */
  mediaType: string
  filename?: string
  /** An entry of the archive, for `openFile`, or the bytes themselves. */
  content: { entry: string } | { base64: string }
}

/**
 * A part as Ramify stores it, but for files. A tool's call and its answer are one `dynamic-tool` part that is
 * answered (`output-available`) or failed (`output-error`), so every stored chain can be sent to a model.
 */
export type ForeignPart =
  | Extract<
      UIMessage['parts'][number],
      { type: 'text' | 'reasoning' | 'dynamic-tool' | 'step-start' | 'source-url' }
    >
  | ForeignFile

export interface ForeignMessage {
  /** As the export has it, or made from its place in the file: the same in every export of the same chat. */
  id: string
  parentId: string | null
  role: 'user' | 'assistant' | 'system'
  /** Never empty; texts hold no NUL and are well-formed Unicode. */
  parts: ForeignPart[]
  createdAt: Date | null
  model: string | null
  /** The name of who speaks, where the file has more speakers than a person and a model. */
  speaker: string | null
  /** Its own program did not show it, and it is no instruction of the person: it is kept, and no model is sent it. */
  isHidden: boolean
  /**
   * Messages of the file that this one is made of: itself, and what its own program keeps apart but shows as one reply
   * (thoughts, the call of a tool, the tool's answer).
   */
  held: number
}

export interface ForeignChat {
  /** The same in every export of the same chat. */
  id: string
  /** The file gives no id of its own: the id is made from names, and the same words may come in under another name. */
  isNamedByFile: boolean
  /** The address of the chat in its own program. */
  origin: string | null
  title: string | null
  /** The system prompt that the chat was set to, where it is a setting and not a message. */
  instructions: string | null
  createdAt: Date | null
  updatedAt: Date | null
  /** A forest: parents before children, unique ids. Siblings stand in the order of the export. */
  messages: ForeignMessage[]
  /**
   * The last message of the chain that was read last; where the export does not say, the end of the chain with the
   * newest words.
   */
  currentId: string | null
  /** Branches that have a name in the export. */
  branches: { name: string; headId: string }[]
  isPinned: boolean
  isArchived: boolean
  tags: string[]
  counts: {
    /** Messages that the file has: the messages in `messages`, and the skipped ones. */
    found: number
    /** Messages that could not be kept, or had nothing to keep; `problems` says each. */
    skipped: number
    /**
     * Nodes that only hold the tree together, and are not counted as found: roots without a message, system messages without
     * words. Their children hang on their parents.
     */
    empty: number
  }
  /** Sentences, each with a problem and its outcome. */
  problems: string[]
}

/** A chat of the file, or why there is none at this place. */
export type ExportItem =
  | {
      place: number
      chat: ForeignChat
      /** The id of the program that it is of: a zip may hold files of several. */
      source: string
      /** about the size of its part of the file, which is the memory that holds it */
      bytes: number
    }
  | { place: number; problem: ExportProblem }
  /** After the last chat: things in the file besides chats that were not brought. */
  | { place: number; notes: readonly ExportProblem[] }

/** A problem of a chat, or of a file of an archive, in words. */
export interface ExportProblem {
  chat: string
  reason: string
}

/** A file that can be read. */
export interface OpenExport {
  /** The id of the program that wrote it, among several the program of the first file: `chatgpt`. */
  source: string
  /**
   * The chats in the order of the file. `place` counts them, also those with problems, so `items(place + 1)` goes on
   * after one. Throws `UnreadableExportError` where the rest cannot be read: a zip that is broken in the middle.
   */
  items(from?: number): AsyncIterable<ExportItem>
  /** The bytes of an archive's entry; null: there is no such entry. */
  openFile(entry: string): Promise<Readable | null>
  close(): Promise<void>
}

/** The file is none that can be read; the message is for the person who chose it. */
export class UnreadableExportError extends named('UnreadableExportError') {}
