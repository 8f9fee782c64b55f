import { type ContextFragment, isMessageFragment, type MessageFragment } from '../fragments'
import type { BranchInfo, ChatData, ChatUpdates, OpenedChat } from '../store'
import { compile } from './compile'
import { EngineSession, previewPending, storedChain } from './engine-session'
import { inspectContext } from './inspect'
import { findLastReply, resolveLazyFragments, toPending } from './pending'
import type {
  CheckpointInfo,
  ContextEngineOptions,
  FragmentRenderer,
  InspectOptions,
  InspectResult,
  ResolveOptions,
  ResolveResult,
  SaveResult,
} from './types'

/**
 * The context of a conversation over a graph of immutable messages (seeds/002 “Context Engine”, seeds/003 “Rewind”).
 *
 * It touches the store with its first asynchronous call and does one thing at a time, in the order asked for. It
 * keeps to the source's API; each method says where it departs, and DESIGN.md §5 says why.
 *
 * @example
 * const context = new ContextEngine({ store, chatId: 'chat-001', userId: 'user-001' })
 * context.set(role('You are helpful.'), user('Hello!'))
 * const { systemPrompt, messages } = await context.resolve({ renderer: new XmlRenderer() })
 */
export class ContextEngine {
  readonly #options: ContextEngineOptions
  readonly #session: EngineSession
  readonly #exclusively = exclusive()
  readonly #fragments: ContextFragment[] = []
  readonly #pending: MessageFragment[] = []

  /**
   * @param options.metadata merged into the chat's when the engine first reads or writes
   * @param options.branch name or id of the branch to continue. Departure: the source always begins on `main`; ours
   * begins on the branch asked for, else on the active one. Which branch is active stays as it is until a move
   * @throws Error `chatId is required`, `userId is required`
   */
  constructor(options: ContextEngineOptions) {
    if (!options.chatId) throw new Error('chatId is required')
    if (!options.userId) throw new Error('userId is required')
    this.#options = { ...options }
    this.#session = new EngineSession(this.#options)
  }

  get chatId(): string {
    return this.#options.chatId
  }

  /** Name of the current branch; before the first read or write, the one asked for, else `main`. */
  get branch(): string {
    return this.#session.branch?.name ?? this.#options.branch ?? 'main'
  }

  /** Head of the current branch; undefined while nothing was saved (or read). */
  get headMessageId(): string | undefined {
    return this.#session.branch?.headMessageId ?? undefined
  }

  /** The chat as last seen, times in milliseconds; null before the first read or write. */
  get chat(): ChatData | null {
    return structuredClone(this.#session.chat) ?? null
  }

  /**
   * Adds fragments: messages wait for `save()`, all others go into the system prompt and stay in memory.
   *
   * @throws TypeError for a message without codec, which could never be saved; then nothing is added
   */
  set(...fragments: ContextFragment[]): this {
    const messages = fragments.filter(isMessageFragment).map(toPending)
    this.#fragments.push(...fragments.filter((fragment) => !isMessageFragment(fragment)))
    this.#pending.push(...messages)
    return this
  }

  /**
   * What to call the model with: the system prompt, the branch's chain and the pending messages.
   *
   * Reads the branch anew, so this is also how to go on after a `HeadConflictError`. Departure: where the source
   * lists an edited message beside the one it replaces, these are the messages that `save()` would leave on the
   * branch; the model never sees a message that was edited away.
   *
   * @throws Error `Unknown lazy fragment type: …`; NotFoundError for an unknown branch or someone else's chat
   */
  resolve(options: ResolveOptions): Promise<ResolveResult> {
    return this.#exclusively(async () => {
      const read = await this.#session.read()
      const count = this.#pending.length
      const pending = await this.#withoutLazy(read)
      this.#pending.splice(0, count, ...pending)
      const { chain, added } = await previewPending(this.#options, pending, read.chain)
      const compiled = compile({ ...options, chain, fragments: this.#fragments })
      compiled.messages.push(...added)
      return compiled
    })
  }

  /**
   * Stores the pending messages below the branch's head, in order and in one transaction; with none, changes nothing.
   *
   * Editing: a pending message whose id is stored with other data leaves the stored one alone and opens a new active
   * branch before it, with everything that was set after it; it gets a new id. Departures from seeds/000 “Save Flow”:
   * an edited first message becomes a new root (the source overwrites it); every edited message is kept apart, not
   * only the first; stored and encoded id are the same; a stored id with equal data is a no-op; of two pending with
   * one id the later wins; the head moves by compare-and-swap; the chat's `updatedAt` moves too.
   *
   * @throws HeadConflictError when the branch has moved on since the engine read it. After any error nothing is
   * written and everything is pending as before; `resolve()` reads the branch anew
   */
  save(): Promise<SaveResult> {
    return this.#exclusively(async () => {
      const opened = await this.#session.open()
      const count = this.#pending.length
      if (count > 0) await this.#session.save(await this.#withoutLazy(opened))
      this.#pending.splice(0, count)
      return { headMessageId: this.headMessageId }
    })
  }

  /** The fragments that are not messages, rendered. */
  render(renderer: FragmentRenderer): string {
    return renderer.render(this.#fragments)
  }

  /**
   * Opens a branch at a message, makes it active and continues there; pending messages are dropped. The branch is named
   * `{current}-v{n}`, the lowest free n ≥ 2 (departure: the source counts names, which can collide).
   *
   * @throws NotFoundError `Message "x" not found`; ForeignMessageError `Message "x" belongs to a different chat`. The
   * pending messages are then still there
   */
  rewind(messageId: string): Promise<BranchInfo> {
    return this.#moving(() => this.#session.rewind(messageId))
  }

  /**
   * Points a name at the branch's head; a name that exists moves. Pending messages are not part of it.
   *
   * @throws Error `Cannot create checkpoint: no messages in conversation`
   */
  checkpoint(name: string): Promise<CheckpointInfo> {
    return this.#exclusively(async () => {
      const { id, messageId, createdAt } = await this.#session.checkpoint(name)
      return { id, name, messageId, createdAt }
    })
  }

  /**
   * Rewinds to a checkpoint's message; the checkpoint stays where it is.
   *
   * @throws NotFoundError `Checkpoint "n" not found`
   */
  restore(name: string): Promise<BranchInfo> {
    return this.#moving(() => this.#session.restore(name))
  }

  /**
   * Continues on another branch and makes it active; pending messages are dropped.
   *
   * @param name name or id of the branch
   * @throws NotFoundError `Branch "n" not found`
   */
  switchBranch(name: string): Promise<BranchInfo> {
    return this.#moving(() => this.#session.switchTo(name))
  }

  /**
   * “By the way”: opens a branch at the current head, with the branch's context, and stays here with everything that
   * is pending.
   *
   * @throws Error `Cannot create btw branch: no messages in conversation`
   */
  btw(): Promise<BranchInfo> {
    return this.#exclusively(() => this.#session.btw())
  }

  /** Changes the chat's title and metadata; metadata is merged key by key. */
  updateChat(updates: ChatUpdates): Promise<void> {
    return this.#exclusively(() => this.#session.updateChat(updates))
  }

  /**
   * A snapshot for debugging; changes nothing, except that it makes the chat if there is none.
   *
   * @throws UnknownModelError when no prices are known for the model
   */
  inspect(options: InspectOptions): Promise<InspectResult> {
    return this.#exclusively(async () => {
      const { store, chatId } = this.#options
      const { branch } = await this.#session.open()
      const pending = [...this.#pending]
      const chain = await storedChain(store, chatId, branch.headMessageId)
      const next = await previewPending(this.#options, await this.#withoutLazy({ branch }), chain)
      const messages = [...next.chain.map(({ data }) => data), ...next.added]
      const graph = await store.getGraph(chatId)
      const place = { chatId, branch: branch.name, timestamp: Date.now() }
      return inspectContext({ ...place, context: this.#fragments, pending, chain, messages, graph }, options)
    })
  }

  #withoutLazy({ branch }: Pick<OpenedChat, 'branch'>): Promise<MessageFragment[]> {
    const { store } = this.#options
    return resolveLazyFragments(this.#pending, () => findLastReply(store, this.chatId, branch.headMessageId))
  }

  /** A move to another branch: the messages pending at its start are dropped once it has succeeded. */
  #moving(move: () => Promise<BranchInfo>): Promise<BranchInfo> {
    return this.#exclusively(async () => {
      const count = this.#pending.length
      const info = await move()
      this.#pending.splice(0, count)
      return info
    })
  }
}

/** Runs asynchronous work one piece at a time, in the order asked for; a piece that fails does not stop the next. */
function exclusive(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    // the outcome itself is not kept: it may be a whole conversation
    last = result.then(ignore, ignore)
    return result
  }
}

const ignore = (): void => undefined
