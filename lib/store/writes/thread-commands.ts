import {
  type Answered,
  type CreatedThread,
  type CreateThread,
  checkChange,
  checkData,
  ExpectedVersionError,
  type ForkedThread,
  type ForkThread,
  IdempotencyMismatchError,
  InvalidDataError,
  NotFoundError,
  type PlannedChange,
  planForkThread,
  planSend,
  type SendMessage,
  type SentMessage,
  type Slice,
  standKey,
  type ThreadCommand,
} from '@/lib/context'
import type { Database } from '@/lib/db'
import { type ChatId, type Thread, threadAt } from '@/lib/events'
import { type Counting, refusedBy, takenBy } from '../access/quota'
import { type Asked, changeAsked } from '../commit/asked'
import { ChangeWriter } from '../commit/change-writer'
import { needsOf } from '../commit/needs'
import { isStorable } from '../reads/asking'

/**
 * The commands that get a thread without its chat, each in one transaction. All of them reject with
 * `IdempotencyMismatchError` for a key that was used for something else, and with `NotFoundError` for a
 * missing or another person's thread; then nothing is written.
 */
export class ThreadCommands {
  /**
   * @param onCommitted called with a chat's id after each write to it
   * @param counting the limits that every command is counted against; without it nothing is counted
   */
  constructor(
    private readonly database: Database,
    private readonly onCommitted: (chatId: string) => void = () => undefined,
    private readonly counting?: Counting,
  ) {}

  /** These commands, counted for a network address too. */
  countingFor(address: string): ThreadCommands {
    if (!this.counting) return this
    return new ThreadCommands(this.database, this.onCommitted, { ...this.counting, address })
  }

  async createThread({ change, threadId, ...command }: CreateThread): Promise<Answered<CreatedThread>> {
    checkChange(change)
    const { chatId } = change
    return this.#run<CreatedThread>(command, chatId, {
      ...changeAsked(change, this.counting),
      answer: ({ threads }) => ({
        chat_id: chatId,
        thread_id: threadId,
        event_number: threads.get(threadId)?.number ?? null,
      }),
    })
  }

  /**
   * Appends a message to the thread's head and queues its reply. Rejects with `ExpectedVersionError` or
   * `ReplyInProgressError`.
   */
  async sendMessage(command: SendMessage): Promise<Answered<SentMessage>> {
    const { ownerId, threadId, at, message, run, models, expectedVersion } = command
    checkData(message)
    const chatId = await this.#chatOf(command, threadId)
    return this.#run<SentMessage>(command, chatId, {
      needs: ({ branches }) => branches.add(threadId),
      plan: (slice) => {
        const thread = threadOf(slice, threadId, expectedVersion)
        const own = thread.contextId === null ? undefined : slice.facts.get(thread.contextId)?.model
        if (own != null && !models.includes(own)) throw unknownModel(own)
        const steps = planSend(thread, { message, run }, own ?? null)
        return { chatId, ownerId, at, steps }
      },
      answer: ({ messages }) => ({
        thread_id: threadId,
        message_id: message.id,
        event_number: messages.get(message.id)?.eventNumber,
      }),
      use: takenBy,
    })
  }

  /** Opens a thread that inherits every event up to `eventNumber`. Rejects with `NotFoundError` when there is none. */
  async forkThread(command: ForkThread): Promise<Answered<ForkedThread>> {
    const { ownerId, sourceThreadId, newThreadId, eventNumber, at } = command
    const chatId = await this.#chatOf(command, sourceThreadId)
    return this.#run<ForkedThread>(command, chatId, {
      needs: ({ branches, stands }) => {
        branches.add(sourceThreadId)
        // beyond it no number of an event is kept, and the fork is refused
        if (eventNumber < 2 ** 31) stands.add(standKey(sourceThreadId, eventNumber))
      },
      plan: (slice) => {
        const source = threadOf(slice, sourceThreadId, undefined)
        if (eventNumber < 1 || eventNumber > source.number) throw new NotFoundError('event', `${eventNumber}`)
        const steps = planForkThread(source, command, threadAt(slice, sourceThreadId, eventNumber))
        return { chatId, ownerId, at, steps }
      },
      answer: () => ({
        thread_id: newThreadId,
        parent_thread_id: sourceThreadId,
        from_event_number: eventNumber,
        event_number: eventNumber + 2,
      }),
      use: takenBy,
    })
  }

  /**
   * Carries out a change that was planned outside, of a chat that exists, and keeps its answer. Rejects as `commit`, and with
   * `ExpectedVersionError`.
   */
  async change<T extends object>(
    command: PlannedChange<T>,
  ): Promise<Answered<T & { event_number?: number }>> {
    const { ownerId, change, answer, threadId, expectedVersion } = command
    checkChange(change)
    const told = 'thread_id' in answer && typeof answer.thread_id === 'string' ? answer.thread_id : undefined
    return this.#run<T & { event_number?: number }>(command, change.chatId, {
      ...changeAsked(change, this.counting),
      needs: (needs) => {
        needsOf(change, needs)
        if (threadId !== undefined) needs.branches.add(threadId)
      },
      plan: (slice) => {
        if (threadId !== undefined && expectedVersion !== undefined)
          threadOf(slice, threadId, expectedVersion)
        return { ...change, ownerId }
      },
      answer: ({ threads }) => {
        const number = told === undefined ? undefined : threads.get(told)?.number
        return number === undefined ? answer : { ...answer, event_number: number }
      },
    })
  }

  /** The answer that a command got when it was carried out before. Rejects with `IdempotencyMismatchError`. */
  async answered<T>({ ownerId, once }: ThreadCommand): Promise<T | undefined> {
    if (!once) return undefined
    const [kept] = await this.database.query<{ route: string; bodyHash: string; answer: T }>(
      'select route, body_hash as "bodyHash", answer from idempotency where user_id = $1 and key = $2',
      [ownerId, once.key],
    )
    if (!kept) return undefined
    if (kept.route !== once.route || kept.bodyHash !== once.bodyHash)
      throw new IdempotencyMismatchError('This Idempotency-Key was used before, for another request')
    return kept.answer
  }

  /** Forgets the answers to commands that are older than `olderMs` milliseconds. Returns their number. */
  async forgetAnswers(olderMs: number): Promise<number> {
    const rows = await this.database.query(
      `delete from idempotency where created_at < clock_timestamp() - $1::double precision * interval '1 millisecond'
      returning 1`,
      [olderMs],
    )
    return rows.length
  }

  /**
   * The chat of a person's thread. When two have one id, after a guest's chats moved into an account, the
   * older chat.
   */
  async #chatOf(command: ThreadCommand, threadId: string): Promise<ChatId> {
    const [found] = isStorable(threadId)
      ? await this.database.query<{ id: ChatId }>(
          `select t.chat_id as id from branches t join chats c on c.id = t.chat_id and c.user_id = $1
          where t.id = $2 order by c.created_at, c.id limit 1`,
          [command.ownerId, threadId],
        )
      : []
    if (!found) throw new NotFoundError('thread', threadId)
    return found.id
  }

  async #run<T extends object>(
    { ownerId, once }: ThreadCommand,
    chatId: ChatId,
    asked: Asked,
  ): Promise<Answered<T>> {
    try {
      const done = await ChangeWriter.of(this.database).write(chatId, {
        ...asked,
        counting: this.counting,
        once: once && { ...once, ownerId },
      })
      if (!done.repeated) this.onCommitted(chatId)
      return { answer: done.answer as T, repeated: done.repeated }
    } catch (error) {
      // a command that was carried out before may be refused now: its answer stays
      const answer = await this.answered<T>({ ownerId, once })
      if (answer !== undefined) return { answer, repeated: true }
      throw await refusedBy(this.counting, this.database, error)
    }
  }
}

/** A thread that is at the given event, if one is given. */
function threadOf(slice: Slice, threadId: string, expectedVersion: number | undefined): Thread {
  const thread = slice.threads.get(threadId)
  if (!thread) throw new NotFoundError('thread', threadId)
  if (expectedVersion !== undefined && expectedVersion !== thread.number)
    throw new ExpectedVersionError(thread.number, expectedVersion)
  return thread
}

const unknownModel = (model: string) =>
  new InvalidDataError(
    `The model "${model}", which answers on this thread, is not available now. Choose another one, or make it available again.`,
  )
