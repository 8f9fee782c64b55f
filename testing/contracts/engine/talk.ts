import type { UIMessage } from 'ai'
import {
  ContextEngine,
  type ContextEngineOptions,
  type ContextFragment,
  type ContextStore,
  messageText,
  XmlRenderer,
} from '@/lib/context'
import { newId } from '@/lib/events'
import { everythingOf } from '../store/story'

export const renderer = new XmlRenderer()

/** One chat of one user, and engines on it. */
export class Talk {
  readonly chatId = newId()

  constructor(
    readonly store: ContextStore,
    readonly userId: string = newId(),
  ) {}

  /** Given a new chat, and an engine on it. */
  static begin(store: ContextStore, over: Partial<ContextEngineOptions> = {}) {
    const talk = new Talk(store)
    return { talk, context: talk.engine(over) }
  }

  /** A new engine, as a reload, a second tab or another process would make it. */
  engine(over: Partial<ContextEngineOptions> = {}): ContextEngine {
    return new ContextEngine({ store: this.store, chatId: this.chatId, userId: this.userId, ...over })
  }

  /** Saves messages by an engine of their own. */
  say(...messages: ContextFragment[]) {
    return this.engine()
      .set(...messages)
      .save()
  }

  /** Ids on the chain of a branch, root first. */
  async ids(branch: string): Promise<string[]> {
    return (await this.#chain(branch)).map(({ id }) => id)
  }

  /** Texts on the chain of a branch, root first. */
  async texts(branch: string): Promise<string[]> {
    return (await this.#chain(branch)).map(({ data }) => messageText(data))
  }

  /** Which branch stands at which message; the active one is marked with a star. */
  async heads(): Promise<Record<string, string | null>> {
    const branches = await this.store.listBranches(this.chatId)
    return Object.fromEntries(branches.map((b) => [b.isActive ? `${b.name}*` : b.name, b.headMessageId]))
  }

  /** Everything stored of this chat. */
  everything() {
    return everythingOf(this.store, this.chatId)
  }

  async #chain(branch: string) {
    const found = await this.store.getBranch(this.chatId, branch)
    return found?.headMessageId ? this.store.getMessageChain(this.chatId, found.headMessageId) : []
  }
}

/** What the model would read now: the texts, and nothing else. */
export async function reads(engine: ContextEngine): Promise<string[]> {
  return (await engine.resolve({ renderer })).messages.map(messageText)
}

export const uiMessage = (id: string, role: 'user' | 'assistant', text: string): UIMessage => ({
  id,
  role,
  parts: [{ type: 'text', text }],
})
