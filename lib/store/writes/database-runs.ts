import { setTimeout as passed } from 'node:timers/promises'
import {
  type ClaimedRun,
  type RunNews,
  type RunPage,
  type RunPosition,
  type RunRecord,
  RunStreams,
  type WrittenParts,
} from '@/lib/context'
import type { Database } from '@/lib/db'
import { RunLog } from './run-log'
import { RunStore } from './runs'

/** Pause between two looks at a run that is followed, in ms. */
const POLL = 250

/** The runs of the database, as the library offers them; the server follows them with its hints (`followReply`). */
export class DatabaseRuns extends RunStreams {
  readonly #runs: RunStore
  readonly #log: RunLog

  constructor(store: ConstructorParameters<typeof RunStreams>[0], database: Database) {
    super(store)
    this.#runs = new RunStore(database)
    this.#log = new RunLog(database)
  }

  override find(chatId: string, runId: string): Promise<RunRecord | undefined> {
    return this.#runs.get(chatId, runId)
  }

  override claim(chatId: string, runId: string, leaseMs: number): Promise<ClaimedRun | undefined> {
    return this.#runs.claimOne(chatId, runId, leaseMs)
  }

  override reopen(chatId: string, runId: string, leaseMs: number): Promise<ClaimedRun | undefined> {
    return this.#runs.seize(chatId, runId, leaseMs)
  }

  override async append(entry: WrittenParts): Promise<{ stopping: boolean } | undefined> {
    return (await this.#log.append([entry])).get(entry.runId)
  }

  override replay(
    chatId: string,
    runId: string,
    after: RunPosition = { attempt: 0, number: -1 },
  ): Promise<RunPage | undefined> {
    return this.#log.read(chatId, runId, after)
  }

  override prune(olderMs: number): Promise<number> {
    return this.#log.prune(olderMs)
  }

  protected override requestStop(chatId: string, runId: string): Promise<void> {
    return this.#runs.requestStop(chatId, runId)
  }

  protected override listen(): RunNews {
    return {
      next: (signal) =>
        passed(POLL, undefined, { signal }).catch((error: unknown) => {
          if (!signal.aborted) throw error
        }),
      close: () => undefined,
    }
  }
}
