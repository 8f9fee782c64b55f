import { AsyncLocalStorage } from 'node:async_hooks'
import type { UIMessageChunk } from 'ai'
import type { RunRecord } from '@/lib/context'
import { joinWords } from './live-runs'

/** The next parts of a running reply; `number` counts from 0 in each attempt. */
export interface LogEntry {
  chatId: string
  runId: string
  fence: number
  attempt: number
  number: number
  parts: UIMessageChunk[]
}

/** The parts of running replies, where other processes find them. */
export interface RunLogPort {
  /** returns the runs that the caller still holds */
  append(entries: readonly LogEntry[]): Promise<Map<string, { stopping: boolean }>>
  read(
    chatId: string,
    runId: string,
    after: { attempt: number; number: number },
  ): Promise<
    { status: RunRecord['status']; attempt: number; number: number; parts: UIMessageChunk[] } | undefined
  >
  /** the parts of every attempt, first to last */
  attempts(chatId: string, runId: string): Promise<UIMessageChunk[][]>
  /** drops the parts of runs that ended long enough ago; returns how many runs that were */
  prune(olderMs: number): Promise<number>
}

/** Interval between writes of this process's replies, in ms. */
const INTERVAL = 150
/** Interval between checks of a silent reply, in ms: it may have been stopped, or taken over. */
const SILENCE = 1000

/** News of a run that the writer hears while it writes. */
interface Verdicts {
  /** a stop of the reply was requested */
  stop(): void
  /** the run is over, or another process holds it */
  lost(): void
}

/** A reply whose parts are being logged. */
export interface RunEntry {
  push(chunk: UIMessageChunk): void
  /** Writes the parts that are left. Rejects when the database does not take them. */
  close(): Promise<void>
  /** Writes no more. Parts that are not written yet are dropped. */
  discard(): void
}

interface OpenEntry {
  run: RunRecord
  verdicts: Verdicts
  /** parts to log next */
  pending: UIMessageChunk[]
  /** parts that may be logged under `number` already: they go there again unchanged, for a reader may have them */
  unsure: UIMessageChunk[] | undefined
  number: number
  askedAt: number
}

/**
 * Writes the parts of all replies of this process to the run log, in one statement every 150 ms, and learns with the
 * same statement which of them were stopped or taken over. Parts that the database refuses are kept for the next attempt.
 */
export class RunLogWriter {
  readonly #open = new Set<OpenEntry>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  readonly #outside = AsyncLocalStorage.snapshot()

  constructor(
    private readonly log: RunLogPort,
    private readonly options: {
      clock(): number
      logError(what: string, error: unknown): void
      /** called after parts of a run have been written */
      onProgress?(runId: string): void
    },
  ) {}

  open(run: RunRecord, verdicts: Verdicts): RunEntry {
    const entry: OpenEntry = {
      run,
      verdicts,
      pending: [],
      unsure: undefined,
      number: 0,
      askedAt: this.options.clock(),
    }
    this.#open.add(entry)
    // the timer writes for every person: it must not run inside the request of the one whose reply starts it
    this.#timer ??= this.#outside(() => setInterval(() => this.#tick(), INTERVAL))
    const discard = () => {
      this.#open.delete(entry)
      if (this.#open.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    return {
      push: (chunk) => entry.pending.push(chunk),
      close: async () => {
        await this.#writing
        discard()
        do await this.#write([entry])
        while (entry.pending.length > 0)
      },
      discard,
    }
  }

  #busy = false

  #tick(): void {
    // one statement at a time: while the database is slow, parts gather
    if (this.#busy) return
    const now = this.options.clock()
    const due = [...this.#open].filter((e) => e.pending.length > 0 || e.unsure || now - e.askedAt >= SILENCE)
    if (due.length === 0) return
    this.#busy = true
    this.#writing = this.#write(due)
      .catch((error: unknown) => this.options.logError('writing replies down', error))
      .finally(() => {
        this.#busy = false
      })
  }

  async #write(due: readonly OpenEntry[]): Promise<void> {
    const batch = due.map((entry) => {
      const parts = entry.unsure ?? joinWords(entry.pending.splice(0))
      entry.askedAt = this.options.clock()
      return { entry, parts }
    })
    let held: Map<string, { stopping: boolean }>
    try {
      held = await this.log.append(
        batch.map(({ entry: { run, number }, parts }) => ({
          chatId: run.chatId,
          runId: run.runId,
          fence: run.fence,
          attempt: run.attempt,
          number,
          parts,
        })),
      )
    } catch (error) {
      for (const { entry, parts } of batch) if (parts.length > 0) entry.unsure = parts
      throw error
    }
    for (const { entry, parts } of batch) {
      const state = held.get(entry.run.runId)
      entry.unsure = undefined
      if (!state) entry.verdicts.lost()
      else if (state.stopping) entry.verdicts.stop()
      if (!state || parts.length === 0) continue
      entry.number++
      this.options.onProgress?.(entry.run.runId)
    }
  }
}
