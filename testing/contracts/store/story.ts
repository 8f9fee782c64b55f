import { expect } from 'vitest'
import {
  type Change,
  type Committed,
  type ContextStore,
  type NewMessage,
  planRedo,
  planUndo,
  type Step,
} from '@/lib/context'
import { newId } from '@/lib/events'

export type GetStore = () => ContextStore

/** A message called `id`; ids that begin with `a` are replies. Its text is “text of {id}” unless told. */
export function line(id: string, over: Partial<NewMessage> = {}): NewMessage {
  const role = id.startsWith('a') ? 'assistant' : 'user'
  const text = `text of ${id}`
  return {
    id,
    name: role,
    type: 'message',
    data: { id, role, parts: [{ type: 'text', text }] },
    preview: text,
    createdAt: Date.now(),
    ...over,
  }
}

/** Everything a store holds of a chat. */
export async function everythingOf(store: ContextStore, chatId: string) {
  const chat = await store.getChat(chatId)
  return {
    chat,
    messages: chat && (await store.getMessages(chatId)),
    branches: await store.listBranches(chatId),
    checkpoints: await store.listCheckpoints(chatId),
    graph: await store.getGraph(chatId),
    events: await store.getEvents(chatId),
  }
}

/** One chat of one new user, with short verbs for what tests do to it. Every write is a second after the one before. */
export class Story {
  #clock = Date.now()

  private constructor(
    readonly store: ContextStore,
    readonly chatId: string,
    readonly userId: string,
    readonly main: string,
  ) {}

  /** Given a chat with an empty branch `main`. */
  static async begin(store: ContextStore, userId: string = newId()): Promise<Story> {
    const chatId = newId()
    await store.upsertChat({ id: chatId, userId })
    const main = await store.getActiveBranch(chatId)
    if (!main) throw new Error('a new chat has no active branch')
    return new Story(store, chatId, userId, main.id)
  }

  /** Given a chat whose branch `main` holds messages of these ids. */
  static async saying(store: ContextStore, ...ids: string[]): Promise<Story> {
    const story = await Story.begin(store)
    await story.say(story.main, null, ...ids)
    return story
  }

  commit(steps: Step[], over: Partial<Change> = {}): Promise<Committed> {
    this.#clock += 1000
    return this.store.commit({ chatId: this.chatId, at: this.#clock, steps, ...over })
  }

  /** Appends messages to a branch that stands at `below`. */
  append(branchId: string, below: string | null, ...messages: NewMessage[]): Promise<Committed> {
    return this.commit([{ kind: 'append', branchId, expectedHead: below, messages }])
  }

  /** Appends messages of these ids. */
  say(branchId: string, below: string | null, ...ids: string[]): Promise<Committed> {
    return this.append(branchId, below, ...ids.map((id) => line(id, { createdAt: this.#clock + 1000 })))
  }

  /** Opens a branch at a message and answers its id. */
  async fork(at: string | null, over: { name?: string; after?: string; activate?: boolean } = {}) {
    const branchId = newId()
    const { name, after = 'main', activate = false } = over
    const fork = at === null ? {} : { fork: { messageId: at } }
    const named = name === undefined ? {} : { name }
    await this.commit([{ kind: 'open-branch', branchId, after, at, activate, ...fork, ...named }])
    return branchId
  }

  async chain(headId: string, options?: { last?: number }): Promise<string[]> {
    return (await this.store.getMessageChain(this.chatId, headId, options)).map(({ id }) => id)
  }

  async branchNames(): Promise<string[]> {
    return (await this.store.listBranches(this.chatId)).map(({ name }) => name)
  }

  /** Takes the last move back, or makes it again. */
  async moveBack(which: 'undo' | 'redo'): Promise<void> {
    const move = await this.store.getMove(this.chatId, { which })
    if (!move) throw new Error(`nothing to ${which}`)
    const { steps } = which === 'undo' ? planUndo(move, newId) : planRedo(move, newId)
    await this.commit(steps, { expectedSeq: move.seq })
  }

  /** Where everything that a person sees stands: without archived branches, which Undo leaves behind. */
  async visible() {
    const branches = await this.store.listBranches(this.chatId)
    const checkpoints = await this.store.listCheckpoints(this.chatId)
    return {
      branches: branches
        .filter(({ archivedAt }) => archivedAt === null)
        .map(({ id, name, headMessageId, contextId, isActive }) => ({
          id,
          name,
          headMessageId,
          contextId,
          isActive,
        })),
      checkpoints: Object.fromEntries(checkpoints.map(({ name, messageId }) => [name, messageId])),
    }
  }

  everything() {
    return everythingOf(this.store, this.chatId)
  }

  /** Then the write is refused with this error and the chat is exactly as before. */
  async refuses(write: () => Promise<unknown>, error: new (...args: never[]) => Error): Promise<void> {
    const before = await this.everything()
    await expect(write()).rejects.toBeInstanceOf(error)
    expect(await this.everything()).toEqual(before)
  }
}
