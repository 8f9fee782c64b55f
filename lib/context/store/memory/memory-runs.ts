import type { UIMessageChunk } from 'ai'
import type { ChatId, RunId } from '@/lib/events'
import type { ClaimedRun, RunRecord } from '../records'
import {
  type RunNews,
  type RunPage,
  type RunPosition,
  RunStreams,
  type WrittenParts,
} from '../runs/run-streams'
import type { MemoryChats, MemoryRun } from './memory-chat'

/** The runs of a memory store. Leases have no end here: a process that dies takes the store along. */
export class MemoryRuns extends RunStreams {
  readonly #chats: MemoryChats
  readonly #listeners = new Map<RunId, Set<() => void>>()

  constructor(store: ConstructorParameters<typeof RunStreams>[0], chats: MemoryChats) {
    super(store)
    this.#chats = chats
  }

  override async find(chatId: ChatId, runId: RunId): Promise<RunRecord | undefined> {
    const run = this.#run(chatId, runId)
    return run && recordOf(run)
  }

  override async claim(chatId: ChatId, runId: RunId, _leaseMs: number): Promise<ClaimedRun | undefined> {
    const run = this.#run(chatId, runId)
    return run?.status === 'queued' ? this.#take(run) : undefined
  }

  override async reopen(chatId: ChatId, runId: RunId, _leaseMs: number): Promise<ClaimedRun | undefined> {
    const run = this.#run(chatId, runId)
    return run && isLive(run) ? this.#take(run) : undefined
  }

  override async append(entry: WrittenParts): Promise<{ stopping: boolean } | undefined> {
    const run = this.#run(entry.chatId, entry.runId)
    if (run?.status !== 'running' || run.fence !== entry.fence) return undefined
    const { attempt, number } = entry
    const isThere = run.parts.some((known) => known.attempt === attempt && known.number === number)
    if (entry.parts.length > 0 && !isThere) {
      const parts: UIMessageChunk[] = JSON.parse(JSON.stringify(entry.parts))
      this.#put({ ...run, parts: [...run.parts, { attempt, number, parts }] })
    }
    return { stopping: run.stopping }
  }

  override async replay(chatId: ChatId, runId: RunId, after?: RunPosition): Promise<RunPage | undefined> {
    const run = this.#run(chatId, runId)
    if (!run) return undefined
    const { status, attempt } = run
    const last = after?.attempt === attempt ? after.number : -1
    const entries = run.parts
      .filter((entry) => entry.attempt === attempt && entry.number > last)
      .sort((a, b) => a.number - b.number)
    const parts = structuredClone(entries.flatMap((entry) => entry.parts))
    return { status, attempt, number: entries.at(-1)?.number ?? last, parts }
  }

  override async prune(olderMs: number): Promise<number> {
    const runs = [...this.#chats.values()].flatMap((chat) => [...chat.runs.values()])
    const before = Date.now() - olderMs
    const old = runs.filter(({ endedAt, parts }) => endedAt !== null && endedAt < before && parts.length > 0)
    for (const run of old) this.#put({ ...run, parts: [] })
    return old.length
  }

  /** Tells the followers of a chat's runs that the chat has changed. */
  ring(runs: Iterable<RunId>): void {
    for (const runId of runs) for (const wake of this.#listeners.get(runId) ?? []) wake()
  }

  protected override async requestStop(chatId: ChatId, runId: RunId): Promise<void> {
    const run = this.#run(chatId, runId)
    if (run && isLive(run)) this.#put({ ...run, stopping: true })
  }

  protected override listen(runId: RunId): RunNews {
    const listeners = this.#listeners.get(runId) ?? new Set()
    this.#listeners.set(runId, listeners)
    let heard = Promise.withResolvers<void>()
    const wake = () => heard.resolve()
    listeners.add(wake)
    return {
      next: async (signal) => {
        if (signal.aborted) return
        signal.addEventListener('abort', wake)
        await heard.promise
        signal.removeEventListener('abort', wake)
        heard = Promise.withResolvers()
      },
      close: () => {
        listeners.delete(wake)
        if (listeners.size === 0) this.#listeners.delete(runId)
      },
    }
  }

  #run(chatId: ChatId, runId: RunId): MemoryRun | undefined {
    return this.#chats.get(chatId)?.runs.get(runId)
  }

  #take(run: MemoryRun): ClaimedRun {
    const attempt = run.attempt + (run.status === 'running' ? 1 : 0)
    const taken: MemoryRun = { ...run, status: 'running', fence: run.fence + 1, attempt }
    this.#put(taken)
    return { ...recordOf(taken), stopping: taken.stopping }
  }

  #put(run: MemoryRun): void {
    this.#chats.get(run.chatId)?.runs.set(run.runId, run)
    this.ring([run.runId])
  }
}

const isLive = ({ status }: MemoryRun): boolean => status === 'queued' || status === 'running'

const recordOf = ({ parts: _, stopping: __, endedAt: ___, ...record }: MemoryRun): RunRecord => ({
  ...record,
})
