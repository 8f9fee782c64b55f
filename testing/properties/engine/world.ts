import { expect } from 'vitest'
import { type Change, type Committed, ContextEngine, type ContextStore, type Step } from '@/lib/context'
import { type ChatState, newId } from '@/lib/events'
import { Decided } from './decided'
import type { Refusal } from './predict-save'

/** A store under test, and what can be asked of it besides the port. */
export interface Bench {
  store: ContextStore
  /** another store on the same data, as another process would open it */
  reopen(): ContextStore
  /** what is broken in a chat, one line each; only where there is a database to look at */
  findings(chatId: string): Promise<string[]>
  /** read everything after every command, not only at the end */
  thorough: boolean
}

/** Another chat of the same user, for messages that are elsewhere. */
export interface Neighbour {
  userId: string
  messageId: string
}

/** The real thing that a model runs against: one chat, two engines, and what was written to it. */
export class World {
  readonly chatId = newId()
  readonly engines: [ContextEngine, ContextEngine]
  /** every change that was committed, as a network would deliver it again */
  readonly delivered: Change[] = []
  /** every body ever seen, by message id */
  readonly bodies = new Map<string, string>()
  readonly #decided = new Decided()
  /** commands run so far */
  steps = 0
  /** the chat as its log tells it, up to the last command */
  folded: ChatState | undefined
  store: ContextStore

  constructor(
    readonly bench: Bench,
    readonly neighbour: Neighbour,
  ) {
    this.store = this.#recording(bench.reopen())
    this.engines = [this.#engine(), this.#engine()]
  }

  engine(tab: number): ContextEngine {
    return tab === 0 ? this.engines[0] : this.engines[1]
  }

  /** The tab is closed and opened again, on a store of its own. */
  reopen(tab: number, branch?: string): void {
    this.store = this.#recording(this.bench.reopen())
    this.engines[tab === 0 ? 0 : 1] = this.#engine(branch)
  }

  /** The chat is deleted; its id may be used again. */
  async deleteChat(): Promise<boolean> {
    const gone = await this.store.deleteChat(this.chatId, { userId: this.neighbour.userId })
    this.delivered.length = 0
    this.bodies.clear()
    this.#decided.forget()
    this.folded = undefined
    return gone
  }

  commit(...steps: Step[]): Promise<Committed> {
    return this.store.commit({ chatId: this.chatId, ownerId: this.neighbour.userId, at: Date.now(), steps })
  }

  #engine(branch?: string): ContextEngine {
    const { store, chatId, neighbour } = this
    return new ContextEngine({
      store,
      chatId,
      userId: neighbour.userId,
      ...(branch !== undefined && { branch }),
    })
  }

  /** The same store, which remembers what was committed; private state keeps it from being extended or copied. */
  #recording(store: ContextStore): ContextStore {
    const commit = async (change: Change) => {
      if (change.chatId !== this.chatId) return store.commit(change)
      const committed = await this.#decided.commit(store, change, () => store.commit(change))
      this.delivered.push(structuredClone(change))
      return committed
    }
    return new Proxy(store, {
      get: (target, key) => {
        if (key === 'commit') return commit
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
}

/** Then the call is refused as predicted; or, when no refusal is predicted, it succeeds. */
export async function outcome<T>(refusal: Refusal | undefined, call: Promise<T>): Promise<T | undefined> {
  if (!refusal) return call
  await expect(call).rejects.toBeInstanceOf(refusal)
  return undefined
}
