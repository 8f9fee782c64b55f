import {
  type Answered,
  type CreatedThread,
  type CreateThread,
  checkChange,
  checkData,
  type ForkedThread,
  type ForkThread,
  IdempotencyMismatchError,
  NotFoundError,
  type PlannedChange,
  type SendMessage,
  type SentMessage,
  type ThreadCommand,
} from '@/lib/context'
import type { Database } from '@/lib/db'
import {
  type Counting,
  noUse,
  quotaJson,
  refusedBy,
  takenBy,
  takenByMessage,
  type Use,
} from '../access/quota'
import { isStorable } from '../reads/asking'
import { refusalOf } from './refusals'
import { bodiesText, writtenChange } from './written-change'

/**
 * The commands that know a thread and nothing of its chat, each in one transaction and one round trip (`run_command`).
 * All of them reject with `IdempotencyMismatchError` for a key that was used for something else, and with
 * `NotFoundError` for a thread that is missing or someone else's; then nothing is written.
 */
export class ThreadCommands {
  /**
   * @param onCommitted called with a chat's id after what was written to it
   * @param counting the limits that every command is counted against; without it nothing is
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
    return this.#run('create-thread', command, { newThreadId: threadId, change }, takenBy(change))
  }

  /**
   * Appends a message to the thread's head and queues its reply. Rejects with `ExpectedVersionError` or
   * `ReplyInProgressError`.
   */
  async sendMessage({ message, ...rest }: SendMessage): Promise<Answered<SentMessage>> {
    checkData(message)
    const { ownerId, once, threadId, ...command } = rest
    checkThread(threadId)
    return this.#run(
      'send-message',
      { ownerId, once },
      { ...command, threadId, message, messageId: message.id },
      takenByMessage(message),
    )
  }

  /** Opens a thread that inherits every event up to `eventNumber`. Rejects with `NotFoundError` when there is none. */
  async forkThread({ sourceThreadId, ...rest }: ForkThread): Promise<Answered<ForkedThread>> {
    const { ownerId, once, ...command } = rest
    checkThread(sourceThreadId)
    return this.#run('fork-thread', { ownerId, once }, { ...command, threadId: sourceThreadId }, noUse)
  }

  /**
   * Carries out a change that was planned outside, of a chat that exists, and keeps its answer. Rejects as `commit`, and with
   * `ExpectedVersionError`.
   */
  async change<T extends object>(
    command: PlannedChange<T>,
  ): Promise<Answered<T & { event_number?: number }>> {
    const { ownerId, once, change, answer, threadId, expectedVersion } = command
    checkChange(change)
    const { json, bodies } = writtenChange(change)
    return this.#run(
      'change',
      { ownerId, once },
      { change: JSON.parse(json), answer, threadId, expectedVersion },
      takenBy(change, bodies),
      bodies,
    )
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

  /** Forgets the answers to commands that are older than `olderMs` milliseconds. Returns how many those were. */
  async forgetAnswers(olderMs: number): Promise<number> {
    const rows = await this.database.query(
      `delete from idempotency where created_at < clock_timestamp() - $1::double precision * interval '1 millisecond'
      returning 1`,
      [olderMs],
    )
    return rows.length
  }

  async #run<T>(
    kind: string,
    { ownerId, once }: ThreadCommand,
    command: object,
    use: Use,
    bodies: readonly string[] = [],
  ): Promise<Answered<T>> {
    try {
      const asked = JSON.stringify({ kind, userId: ownerId, ...once, ...command })
      const [row] = await this.database.query<Done<T>>('select run_command($1::json, $2::json, $3) as done', [
        asked,
        this.counting ? quotaJson(use, this.counting) : null,
        bodiesText(bodies),
      ])
      if (!row) throw new Error('run_command returned nothing')
      const { answer, repeated, chatId } = row.done
      if (chatId !== undefined) this.onCommitted(chatId)
      return { answer, repeated }
    } catch (error) {
      throw await refusedBy(this.counting, this.database, refusalOf(error))
    }
  }
}

interface Done<T> {
  done: Answered<T> & { chatId?: string }
}

/** What no thread can be called is no thread: Postgres would refuse the text, or read it as another. */
function checkThread(threadId: string): void {
  if (!isStorable(threadId)) throw new NotFoundError('thread', threadId)
}
