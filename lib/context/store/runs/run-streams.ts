import type { UIMessageChunk } from 'ai'
import { type ChatId, newId, type RunId } from '@/lib/events'
import { planEnding } from '../../planners/plan-turn'
import type { ContextStore } from '../context-store'
import { NotFoundError, RunOverError } from '../errors'
import type { ClaimedRun, RunRecord } from '../records'

/** A place in the parts of a run: the last entry of an attempt that was read. */
export interface RunPosition {
  attempt: number
  /** from 0 in each attempt; -1 before the first */
  number: number
}

/** State of a run, and its parts after a position. */
export interface RunPage extends RunPosition {
  status: RunRecord['status']
  /** all parts of the attempt when `attempt` differs from the position's: the parts read before are void */
  parts: UIMessageChunk[]
}

/** The next parts of a reply, from the process that holds its run. */
export interface WrittenParts extends RunPosition {
  chatId: ChatId
  runId: RunId
  /** the claim's fence; after another claim it is too low, and nothing is written */
  fence: number
  /** none, to ask only whether the run is still held */
  parts: UIMessageChunk[]
}

const BEGINNING: RunPosition = { attempt: 0, number: -1 }

/**
 * Replies while they are written: any process reads along, from the first part or from where it was, and asks for an end. A
 * run is queued and ended by a change of the chat (`planRun`, `planEnding`), in one transaction with the message it brings.
 *
 * Departure: an ended run is never opened again, as the source's streams are, since its reply is part of the graph. `reopen`
 * begins a run anew that has not ended; a reply that is asked for again is a run of its own (`planTurn`).
 *
 * @example
 * const run = await store.runs.claim(chatId, runId, 30_000)
 * await store.runs.append({ ...run, number: 0, parts: [{ type: 'text-delta', id: 't', delta: 'Hello' }] })
 * for await (const { parts } of store.runs.follow(chatId, runId)) show(parts)
 */
export abstract class RunStreams {
  readonly #store: Pick<ContextStore, 'commit'>

  constructor(store: Pick<ContextStore, 'commit'>) {
    this.#store = store
  }

  abstract find(chatId: ChatId, runId: RunId): Promise<RunRecord | undefined>

  /**
   * Takes a queued run to write its reply; undefined when it is not queued, or does not exist.
   *
   * @param leaseMs length of the lease, in milliseconds
   */
  abstract claim(chatId: ChatId, runId: RunId, leaseMs: number): Promise<ClaimedRun | undefined>

  /**
   * Takes a run from the process that holds it, to begin its reply anew: the attempt and the fence rise, and
   * what the former holder still writes is refused. Undefined when the run is over, or does not exist.
   *
   * @param leaseMs length of the lease, in milliseconds
   */
  abstract reopen(chatId: ChatId, runId: RunId, leaseMs: number): Promise<ClaimedRun | undefined>

  /**
   * Adds parts. The same number again changes nothing: an entry whose acknowledgement was lost may come twice.
   *
   * @returns true when the run was asked to stop; undefined when it is over or was taken, and nothing is written
   */
  abstract append(entry: WrittenParts): Promise<{ stopping: boolean } | undefined>

  /** State of a run and its parts after a position, or all of the latest attempt; undefined for no run. */
  abstract replay(chatId: ChatId, runId: RunId, after?: RunPosition): Promise<RunPage | undefined>

  /** Forgets the parts of runs that ended more than `olderMs` milliseconds ago. Returns how many runs that were. */
  abstract prune(olderMs: number): Promise<number>

  /**
   * The pages of a run, from a position on as they come. It ends after the page with the run's end, when the
   * signal is aborted, and when there is no such run (any more).
   */
  async *follow(
    chatId: ChatId,
    runId: RunId,
    { after = BEGINNING, signal = never }: { after?: RunPosition; signal?: AbortSignal } = {},
  ): AsyncGenerator<RunPage, void> {
    // listening begins before the first read, so nothing falls between the two
    const news = this.listen(runId)
    let at = after
    let told: RunPage['status'] | undefined
    try {
      while (!signal.aborted) {
        const page = await this.replay(chatId, runId, at)
        if (!page) return
        if (page.status !== told || page.attempt !== at.attempt || page.parts.length > 0) yield page
        if (page.status !== 'queued' && page.status !== 'running') return
        told = page.status
        at = page
        await news.next(signal)
      }
    } finally {
      news.close()
    }
  }

  /**
   * Asks for an end of a run. Its holder learns of it with the next parts it writes, and ends it; a queued run, which has none,
   * ends here. An ended run stays as it is.
   *
   * @returns how the run stands afterwards: `running` until its holder has ended it
   * @throws NotFoundError for an unknown run
   */
  async cancel(chatId: ChatId, runId: RunId): Promise<RunRecord['status']> {
    await this.requestStop(chatId, runId)
    const queued = await this.claim(chatId, runId, CANCEL_LEASE)
    if (queued) {
      try {
        const steps = planEnding(queued, { status: 'stopped', newId })
        await this.#store.commit({ chatId, at: Date.now(), steps })
      } catch (error) {
        // taken in between: its new holder was told to stop
        if (!(error instanceof RunOverError)) throw error
      }
    }
    const run = await this.find(chatId, runId)
    if (!run) throw new NotFoundError('run', runId)
    return run.status
  }

  /** Marks a live run as asked to stop; does nothing to any other. */
  protected abstract requestStop(chatId: ChatId, runId: RunId): Promise<void>

  /** Hears of changes of a run, from now on. */
  protected abstract listen(runId: RunId): RunNews
}

/** News of one run. */
export interface RunNews {
  /** Ends when the run may have changed since the last call, or the signal is aborted. */
  next(signal: AbortSignal): Promise<void>
  close(): void
}

/** Enough to end a run that was just taken, in milliseconds. */
const CANCEL_LEASE = 10_000

const never = new AbortController().signal
