import type { LanguageModelUsage } from 'ai'
import type { MergeMode } from '@/lib/events'
import type { ModelInfo, PromptEstimate } from '../estimate'
import { type ContextFragment, isMessageFragment, type MessageFragment } from '../fragments'
import { awaitLater } from '../fragments/deferred'
import { XmlRenderer } from '../renderers'
import type { BranchInfo, ChatData, ChatUpdates, MessageData, OpenedChat } from '../store'
import { compilePrompt, type Prompt } from './compile'
import { EngineSession, previewPending, storedChain } from './engine-session'
import { estimateOf, inspectContext } from './inspect'
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
   * begins on the branch asked for, else on the active one. The active branch stays active until a move
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
   * Adds fragments: messages wait for `save()`, all others go into the system prompt and stay in memory. A function or
   * promise in one of these gets its value at every `resolve()`.
   *
   * @throws TypeError for a message without codec, which could never be saved; then nothing is added
   */
  set(...fragments: ContextFragment[]): this {
    const messages = fragments.filter(isMessageFragment).map(toPending)
    const others = fragments.filter((fragment) => !isMessageFragment(fragment))
    awaitLater(others)
    this.#fragments.push(...others)
    this.#pending.push(...messages)
    return this
  }

  /**
   * Input of the model: the system prompt, the branch's chain and the pending messages.
   *
   * Reads the branch anew, so this is also how to go on after a `HeadConflictError`. Departure: the source
   * lists an edited message beside its replacement; these are the messages that `save()` would leave on the
   * branch, so the model never sees a message that was edited away, nor an empty reply.
   *
   * Functions in fragments are called and promises awaited, all at once and each once. The messages are for the model:
   * some carry reminders, which belong to this prompt alone.
   *
   * @throws Error `Unknown lazy fragment type: …`; NotFoundError for an unknown branch or another person's
   * chat; FragmentValueError, with the fragment's name, for a function, promise or reminder that fails
   */
  resolve(options: ResolveOptions): Promise<ResolveResult> {
    return this.#exclusively(async () => {
      const read = await this.#session.read()
      const count = this.#pending.length
      const pending = await this.#withoutLazy(read)
      this.#pending.splice(0, count, ...pending)
      const next = await previewPending(this.#options, pending, read.chain)
      const { systemPrompt, messages } = await this.#prompt(next, options.renderer)
      return { systemPrompt, messages }
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

  /**
   * The fragments that are not messages, rendered.
   *
   * @throws FragmentValueError for a function or promise in one of them: `resolve()` awaits these
   */
  render(renderer: FragmentRenderer): string {
    return renderer.render(this.#fragments)
  }

  /**
   * Opens a branch at a message, makes it active and continues there; pending messages are dropped. The branch is named
   * `{current}-v{n}`, n ≥ 2, as `freeBranchName` finds it (departure: the source counts names, which can collide).
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

  /**
   * Takes back the last move of the chat (a rewind, switch, rename, archive, checkpoint, pick or merge), of any caller, and
   * continues on the branch that the chat opens on then. Nothing is deleted: a branch that the move opened is archived. Pending
   * messages are dropped.
   *
   * @throws NothingToUndoError; BuiltUponError when a ref is no longer where the move left it
   */
  undo(): Promise<BranchInfo> {
    return this.#moving(() => this.#session.moveBack('undo'))
  }

  /** Makes the move again that `undo()` took back last, as long as no other was made. @throws as `undo` */
  redo(): Promise<BranchInfo> {
    return this.#moving(() => this.#session.moveBack('redo'))
  }

  /**
   * Asks the user's messages of the branch again, from `from` on, on a new active branch that opens before the first of
   * them; the engine continues there. Each is stored as a copy before it is yielded, and the next one once the loop goes on:
   * in between the caller calls the model with `resolve()`, sets its reply and saves it. Leaving the loop ends the replay;
   * what is there stays. Pending messages are dropped at its start.
   *
   * @param options.model recorded with the replay
   * @throws NotFoundError for a message that is not on the branch
   *
   * @example
   * for await (const question of engine.replay({ from: 'q3' })) {
   *   const { text } = await generateText({ model, ...(await engine.resolve({ renderer })) })
   *   await engine.set(assistantText(text)).save()
   * }
   */
  async *replay({
    from,
    model = 'unknown',
  }: {
    from?: string
    model?: string
  } = {}): AsyncGenerator<MessageData> {
    const questions = await this.#exclusively(() => this.#session.questions(from))
    for (const [at, question] of questions.entries()) {
      await this.#exclusively(async () => {
        if (at > 0) return this.#session.askAgain(question)
        this.#pending.splice(0)
        await this.#session.beginReplay(question, model)
      })
      yield question
    }
  }

  /**
   * Merges another branch into this one: one message that says what it has and this one lacks (`brief`, a digest of its
   * messages unless given), or copies of its own messages (`turns`). Its fragments live in their engine and are not merged.
   * Pending messages are dropped.
   *
   * @param source name or id of the branch
   * @throws NotFoundError `Branch "n" not found`; NothingToMergeError; ReplyInProgressError while one is written here
   */
  merge(
    source: string,
    options: { mode?: Exclude<MergeMode, 'context'>; brief?: string } = {},
  ): Promise<BranchInfo> {
    return this.#moving(() => this.#session.merge(source, options))
  }

  /**
   * Copies messages of the chat to the end of this branch, in the order given. Pending messages are dropped.
   *
   * @throws NotFoundError `Message "x" not found`; ForeignMessageError; AlreadyThereError for a message of this branch;
   *   MessageExistsError for one that is named twice
   */
  cherryPick(messageIds: readonly string[]): Promise<BranchInfo> {
    return this.#moving(() => this.#session.pick(messageIds))
  }

  /**
   * Opens a branch that begins with a summary of this one (a digest of its messages unless given), makes it active and
   * continues there; this one stays. Pending messages are dropped.
   *
   * @throws NothingToMergeError for an empty branch
   */
  compact(summary?: string): Promise<BranchInfo> {
    return this.#moving(() => this.#session.compact(summary))
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
      const pending = [...this.#pending]
      const { branch, chain, prompt } = await this.#preview(options.renderer)
      const graph = await store.getGraph(chatId)
      const place = { chatId, branch: branch.name, timestamp: Date.now() }
      return inspectContext({ ...place, prompt, pending, chain, graph }, options)
    })
  }

  /**
   * Tokens and cost of the prompt as it is now, as a whole and for every fragment and message; changes nothing, except that
   * it makes the chat if there is none.
   *
   * @param options.renderer default: `XmlRenderer`
   * @throws UnknownModelError when no prices are known for the model
   */
  estimate(
    modelId: string,
    options: { renderer?: FragmentRenderer; models?: Readonly<Record<string, ModelInfo>> } = {},
  ): Promise<PromptEstimate> {
    const { renderer = new XmlRenderer(), models } = options
    return this.#exclusively(async () => {
      const { prompt } = await this.#preview(renderer)
      return estimateOf(prompt, { modelId, renderer, models })
    })
  }

  /**
   * Adds the usage of a call to the chat's, which is kept in its metadata under `usage`.
   *
   * Two engines that do so at the same moment may lose one of the two, as the metadata has no compare-and-swap.
   *
   * @throws TypeError for a count that is negative or no finite number; then nothing is written
   */
  trackUsage(usage: LanguageModelUsage): Promise<void> {
    return this.#exclusively(() => this.#session.trackUsage(usage))
  }

  /** The prompt as `resolve` would make it, without binding lazy fragments to an id. */
  async #preview(renderer: FragmentRenderer) {
    const { branch } = await this.#session.open()
    const chain = await storedChain(this.#options.store, this.chatId, branch.headMessageId)
    const next = await previewPending(this.#options, await this.#withoutLazy({ branch }), chain)
    return { branch, chain, prompt: await this.#prompt(next, renderer) }
  }

  #prompt(next: Awaited<ReturnType<typeof previewPending>>, renderer: FragmentRenderer): Promise<Prompt> {
    const place = { chatId: this.chatId, branch: this.branch }
    return compilePrompt({ ...next, fragments: [...this.#fragments], renderer, place })
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
