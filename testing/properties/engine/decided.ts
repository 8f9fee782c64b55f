import { expect } from 'vitest'
import { type Change, type ContextStore, checkChange, NamedError } from '@/lib/context'
import {
  type ChatState,
  decide,
  fold,
  type LoggedEvent,
  logFacts,
  noChat,
  type RunId,
  type RunState,
} from '@/lib/events'

type Decision = { refusal: unknown } | { chat: ChatState; events: LoggedEvent[]; runs: Map<RunId, RunState> }

/** The other side of every commit: by `decide` and `fold` come the same events, refs and refusals. */
export class Decided {
  #runs = new Map<RunId, RunState>()

  /** The chat is deleted: its runs are gone with it. */
  forget(): void {
    this.#runs.clear()
  }

  /** Commits a change and compares; a refusal of the store is thrown on. */
  async commit<T>(store: ContextStore, change: Change, commit: () => Promise<T>): Promise<T> {
    const before = fold(noChat(change.chatId), await store.getEvents(change.chatId))
    const decided = this.#decide(before, change)
    const outcome = await commit().then(
      (value) => ({ value }),
      (error: Error) => ({ error }),
    )
    if ('error' in outcome) {
      const { error } = outcome
      const refused = `${change.steps.map(({ kind }) => kind)}: ${error.message}`
      if (!('refusal' in decided)) throw new Error(`the store refuses what decide takes: ${refused}`)
      const { refusal } = decided
      // keys of tables refuse under no name: a branch that is opened twice, a context that is not stored
      if (error instanceof NamedError && refusal instanceof NamedError)
        expect(refusal.name, refused).toBe(error.name)
      throw error
    }
    if ('refusal' in decided)
      throw new Error('the store takes what decide refuses', { cause: decided.refusal })
    const logged = await store.getEvents(change.chatId, { after: before.seq })
    expect(logged.map(said)).toEqual(decided.events.map(said))
    const branches = await store.listBranches(change.chatId)
    expect(
      Object.fromEntries(branches.map(({ id, name, headMessageId }) => [id, { name, headMessageId }])),
    ).toEqual(
      Object.fromEntries(
        [...decided.chat.threads].map(([id, { name, headMessageId }]) => [id, { name, headMessageId }]),
      ),
    )
    this.#runs = decided.runs
    return outcome.value
  }

  #decide(before: ChatState, change: Change): Decision {
    const runs = new Map(this.#runs)
    let [chat, landedOn] = [before, undefined as string | undefined]
    const events: LoggedEvent[] = []
    try {
      checkChange(change)
      for (const step of change.steps) {
        const facts = decide(chat, step, { runs, landedOn, since: before.seq })
        const logged = logFacts(chat, facts, change.at)
        events.push(...logged)
        chat = fold(chat, logged)
        if (step.kind === 'append') landedOn = facts.at(-1)?.streamId
        if (step.kind === 'queue-run') {
          if (runs.has(step.runId)) throw new Error('a run of this id exists')
          const { branchId, replyTo, leaseMs } = step
          const claim = leaseMs === undefined ? (['queued', 0] as const) : (['running', 1] as const)
          runs.set(step.runId, { branchId, replyTo, status: claim[0], fence: claim[1] })
        }
        const run = step.kind === 'finish-run' && runs.get(step.runId)
        if (run) runs.set(step.runId, { ...run, status: step.status })
      }
    } catch (refusal) {
      return { refusal }
    }
    return { chat, events, runs }
  }
}

const said = ({ seq, streamId, eventNumber, type, version, payload }: LoggedEvent) => ({
  seq,
  streamId,
  eventNumber,
  type,
  version,
  payload,
})
