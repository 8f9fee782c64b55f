import { messageTitle, planChatUpdate, planTitle, type Step, toldTokens } from '@/lib/context'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import { isMadeName } from '@/lib/events/branch-name'
import type { Ports } from '../ports'
import { branchTitleRequest, chatTitleRequest, type TitleRequest, titleOf, widths } from './title-request'

/** Longest wait for a title from a model, in ms. */
const PATIENCE = 20_000
/** Maximum number of titles that a process asks for at a time; further ones stay made of their words. */
const MOST = 8

/** A reply that was just stored. */
export interface StoredReply {
  chatId: ChatId
  /** the branch it landed on */
  branch: { id: BranchId; name: string; title: string | null; parentBranchId: BranchId | null }
  /** messages from the root to the question */
  depth: number
  replyTo: MessageId
  replyId: MessageId
  model: string
  text: string
}

/** Sources of a chat's title and of one of its branches'. */
export interface TitleFacts {
  chatTitle: string | null
  /** the first message recorded on the branch */
  firstId: MessageId
  text: string
  /** the message of the same author that it replaced */
  original: string | null
  /** the model of that one, if it is a reply; without it, another model that is asked beside this one */
  otherModel: string | null
}

type Asks = (
  model: string,
  request: TitleRequest & { chatId: ChatId; abortSignal: AbortSignal },
) => Promise<{ text: string; tokens: number }>

type TitlePorts = Pick<Ports, 'store' | 'reads' | 'clock' | 'logError'>

/**
 * Titles for chats and branches, given after a reply is stored: no reply waits for a title. Each is asked for
 * once, after the first reply; without an answer the title made of the words stays. A name that a person
 * chose stays too.
 */
export class Titles {
  readonly #given = new Set<Promise<void>>()
  readonly #closing = new AbortController()

  /** @param asks undefined asks no model */
  constructor(private readonly asks?: Asks) {}

  /** Gives the titles that a reply makes possible, later. */
  replyStored(ports: TitlePorts, reply: StoredReply): void {
    const { branch, depth, model } = reply
    const isFirst = branch.parentBranchId === null && depth === 1 && this.#asksOf(model) !== undefined
    const isUntitled = isMadeName(branch.name) && branch.title === null
    if (!(isFirst || isUntitled) || this.#given.size >= MOST || this.#closing.signal.aborted) return
    const given = this.#give(ports, reply)
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) ports.logError(`a title in chat ${reply.chatId}`, error)
      })
      .finally(() => this.#given.delete(given))
    this.#given.add(given)
  }

  /** Resolves when nothing is asked for any more. */
  async settled(): Promise<void> {
    while (this.#given.size > 0) await Promise.all(this.#given)
  }

  /** Gives up the titles that are being asked for. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.settled()
  }

  async #give(ports: TitlePorts, reply: StoredReply): Promise<void> {
    const { chatId, branch } = reply
    const facts = await ports.reads.titleFacts(chatId, branch.id)
    if (!facts) return
    const { steps, spent } =
      branch.parentBranchId === null ? await this.#chat(reply, facts) : await this.#branch(reply, facts)
    if (steps.length > 0) await ports.store.commit({ chatId, at: ports.clock(), steps, spent })
  }

  async #chat({ chatId, replyTo, model, text }: StoredReply, facts: TitleFacts): Promise<Given> {
    const { firstId, chatTitle } = facts
    const made = messageTitle(facts.text)
    if (firstId !== replyTo || chatTitle !== made) return nothing
    const { title, tokens } = await this.#ask(
      model,
      { chatId, ...chatTitleRequest(facts.text, text) },
      widths.chat,
    )
    // a person may have named the chat meanwhile
    return title === '' ? nothing : given(planChatUpdate({ title, instead: made }), tokens)
  }

  async #branch(
    { chatId, branch, replyTo, replyId, model, text }: StoredReply,
    facts: TitleFacts,
  ): Promise<Given> {
    const { firstId, original, otherModel } = facts
    const isRetry = firstId === replyId
    if (!isRetry && firstId !== replyTo) return nothing
    if (isRetry && otherModel !== null && otherModel !== model) {
      return given(planTitle(branch.id, `${nameOf(model)}’s answer`))
    }
    const request = branchTitleRequest(isRetry ? '' : facts.text, text, original)
    const { title, tokens } = await this.#ask(model, { chatId, ...request }, widths.branch)
    return title === '' ? nothing : given(planTitle(branch.id, title), tokens)
  }

  async #ask(
    model: string,
    request: TitleRequest & { chatId: ChatId },
    width: number,
  ): Promise<{ title: string; tokens: number }> {
    const asks = this.#asksOf(model)
    if (!asks) return { title: '', tokens: 0 }
    const abortSignal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(PATIENCE)])
    const { text, tokens } = await asks(model, { ...request, abortSignal })
    return { title: titleOf(text, width), tokens: toldTokens(tokens) ?? 0 }
  }

  /** The demo model knows no titles. */
  #asksOf(model: string): Asks | undefined {
    return model.startsWith('demo:') ? undefined : this.asks
  }
}

interface Given {
  steps: Step[]
  spent?: { tokens: number; calls: number }
}

const nothing: Given = { steps: [] }

/** @param tokens usage of the model for it; undefined when no model was asked */
const given = (steps: Step[], tokens?: number): Given =>
  tokens === undefined ? { steps } : { steps, spent: { tokens, calls: 1 } }

/** `openai:gpt-5` as it is spoken of. */
const nameOf = (model: string): string => model.slice(model.indexOf(':') + 1).slice(0, 60)
