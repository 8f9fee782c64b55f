import type { ModelMessage } from 'ai'
import type { AgentCall, AgentProtocol, AgentReply } from '../agent-call'
import type { MessageList } from './shared/read-call'
import type { Fields } from './shared/values'

/** A request that cannot be understood: in words, and the field at fault where there is one. */
export class CallRefusedError extends Error {
  override readonly name = 'CallRefusedError'

  constructor(
    message: string,
    readonly param: string | null = null,
  ) {
    super(message)
  }
}

/** Why a request is refused, before it is worded for a protocol. */
export interface Refusal {
  status: number
  /** in lower case, with underscores: `model_not_found` */
  code: string
  message: string
  /** the field at fault */
  param?: string | null
  /** when the next attempt makes sense, in seconds */
  retryAfter?: number
}

/** Reads an answer as its bytes pass by, and changes none of them. */
export interface ReplyCollector {
  /** Takes the next bytes; they may end anywhere, also within a character. */
  push(bytes: Uint8Array): void
  /** true when the answer has said that nothing more comes */
  readonly isOver?: boolean
  /**
   * The reply, as far as it came.
   *
   * @param brokenOff why no more bytes come, in words; without it, the answer itself says whether it is whole
   */
  end(brokenOff?: string): AgentReply
}

/** One step of a reply, whatever the protocol it is written in. */
export type ReplyEvent =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'call'; id: string; name: string }
  | { type: 'input'; id: string; text: string }
  | { type: 'finish'; reason: string; usage?: AgentReply['usage'] }
  | { type: 'error'; refusal: Refusal }

/** Facts that an answer says of itself. */
export interface ReplyFrame {
  /** a random text that the ids of the answer are made of */
  id: string
  model: string
  /** in seconds since 1970 */
  created: number
  /** true for a stream of chat completions that ends with the usage */
  includeUsage?: boolean
}

/** Writes a reply as a stream of events of one protocol. */
export interface ReplyWriter {
  /** The text before the first event. */
  begin(): string
  /** One event; nothing for an event that the protocol has no word for. */
  write(event: ReplyEvent): string
  /** The text after the last event. Nothing after an error. */
  end(): string
}

/** Writes a call anew with other messages. */
export interface CallWriter {
  /** the field of a call that has its messages */
  readonly field: 'messages' | 'input'
  /** the fields by which a call goes on from what its provider keeps */
  readonly follows: readonly string[]
  /**
   * Writes messages as items, each by itself.
   *
   * @param body of the call
   */
  write(body: Fields): (message: ModelMessage) => Fields[]
  /**
   * Makes items one conversation that providers take: each call of a tool stands with its answer, and calls without
   * one are left out.
   *
   * @param body of the call as its client sent it
   */
  conversation(items: readonly Fields[], body: Fields): Fields[]
}

/** A protocol of agents and providers: its requests, answers and errors. */
export interface Protocol {
  readonly name: AgentProtocol
  /**
   * Reads a request. Throws `CallRefusedError`. Unknown fields are ignored.
   *
   * @param list takes the messages, and the items that they are read from
   */
  readCall(body: unknown, list?: MessageList): AgentCall
  readonly writer: CallWriter
  /** Reads a whole answer; an answer outside of the protocol is broken off. */
  readReply(body: unknown): AgentReply
  /** Reads an answer that comes as an event stream. */
  collect(): ReplyCollector
  /** Writes a whole answer. */
  writeReply(reply: AgentReply, frame: ReplyFrame): object
  /** Writes an answer as an event stream. */
  writeStream(frame: ReplyFrame): ReplyWriter
  /** Words a refusal. */
  writeRefusal(refusal: Refusal): object
}
