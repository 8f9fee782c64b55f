import { setTimeout as pause } from 'node:timers/promises'
import { NotFoundError } from '@/lib/context'
import * as useCases from '@/lib/conversations'
import type { ExchangeVerb, Graph, ImportChoice } from '@/lib/protocol'
import type { Services } from '@/lib/runtime'
import { CommandError } from '../errors'
import type { ChatsPort, ExchangeAsked, GivenRemote, ImportFile, MergeAsked, SentTurn } from './chats-port'

/** Services that chats in this process need. */
export type LocalServices = Pick<Services, 'ports' | 'remotes'>

/** Interval between looks for an import that another process works on, in ms. */
const LOOK = 500

/**
 * A person's chats by the use cases, in this process. There is no worker: replies are written, and imports read, by the
 * command that asks for them.
 */
export class LocalChats implements ChatsPort {
  readonly #working = new Set<Promise<void>>()
  readonly #closing = new AbortController()

  /** @param options.release releases the resources of the services */
  constructor(
    private readonly services: LocalServices,
    private readonly ownerId: string,
    private readonly options: { place: string; release(): Promise<void> },
  ) {}

  get place(): string {
    return this.options.place
  }

  get #ports(): useCases.Ports {
    return this.services.ports
  }

  listChats(page: { archived?: boolean; cursor?: string; limit?: number }) {
    return useCases.listChats(this.#ports, { ownerId: this.ownerId, ...page })
  }

  async readGraph(chatId: string): Promise<Graph | undefined> {
    try {
      // without `since`, the answer is the whole graph
      return (await this.#inChat(chatId, (chat) => useCases.readGraph(this.#ports, chat))) as Graph
    } catch (error) {
      if (error instanceof NotFoundError) return undefined
      throw error
    }
  }

  readWindow(chatId: string, page: { branch: string; before?: number; limit: number }) {
    return this.#inChat(chatId, (chat) => useCases.readWindow(this.#ports, { ...chat, ...page }))
  }

  move(threadId: string, move: useCases.ThreadMove) {
    return useCases.moveThreadOnce(this.#ports, { ownerId: this.ownerId, threadId, ...move })
  }

  moveBack(which: 'undo' | 'redo', called: string) {
    return this.#inChat(called, (chat) =>
      useCases.moveBackOnce(this.#ports, which, { ...chat, called, to: undefined }),
    )
  }

  previewMerge(asked: MergeAsked & { signal: AbortSignal }) {
    return useCases.previewThreads(this.#ports, { ownerId: this.ownerId, ...asked })
  }

  merge(order: Parameters<ChatsPort['merge']>[0]) {
    return useCases.mergeThreads(this.#ports, { ownerId: this.ownerId, ...order })
  }

  async exportChat(chatId: string, asked: Parameters<ChatsPort['exportChat']>[1]) {
    const { name, content } = await this.#inChat(chatId, (chat) =>
      useCases.exportChat(this.#ports, { ...chat, ...asked }),
    )
    return { name, content }
  }

  previewImport(file: ImportFile) {
    return useCases.previewImport(this.#ports, { ownerId: this.ownerId, ...file })
  }

  async startImport({ choice, ...file }: ImportFile & { choice?: ImportChoice }): Promise<string> {
    const asked = { ownerId: this.ownerId, ...file, ...(choice && { choice }) }
    const started = await useCases.startImport(this.#ports, asked)
    if (!started) throw new CommandError('The person whose chats these are is gone.')
    this.#work(this.#importAll(started.importId))
    return started.importId
  }

  readImport(importId: string) {
    return useCases.readImport(this.#ports, { ownerId: this.ownerId, importId })
  }

  cancelImport(importId: string) {
    return useCases.cancelImport(this.#ports, { ownerId: this.ownerId, importId })
  }

  listRemotes() {
    return this.services.remotes.of(this.ownerId)
  }

  async addRemote(given: GivenRemote) {
    const added = await this.services.remotes.add(this.ownerId, given)
    if (!added) throw new CommandError('The person whose chats these are is gone.')
    return added
  }

  removeRemote(name: string) {
    return this.services.remotes.remove(this.ownerId, name)
  }

  exchange(verb: ExchangeVerb, { remote: name, ...asked }: ExchangeAsked) {
    return this.services.remotes.exchange(this.#ports, verb, { ownerId: this.ownerId, name, ...asked })
  }

  readRemoteState(name: string, chatId: string) {
    return this.services.remotes.state(this.#ports, { ownerId: this.ownerId, name, chatId })
  }

  async takeTurn({ chatId, branch, message, model }: SentTurn) {
    const { stream, ended } = await useCases.runTurn(this.#ports, {
      ownerId: this.ownerId,
      chatId,
      branch,
      model,
      trigger: 'submit-message',
      message: useCases.parseUserMessage({
        id: message.id,
        role: 'user',
        parts: [{ type: 'text', text: message.text }],
      }),
    })
    this.#work(ended)
    return { parts: stream, ended }
  }

  async stopReply(chatId: string, runId: string): Promise<void> {
    await this.#inChat(chatId, (chat) => useCases.stopReply(this.#ports, { ...chat, runId }))
  }

  /** Waits for replies that are being written. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#working)
    await this.options.release()
  }

  #inChat<T>(chatId: string, use: (chat: { ownerId: string; chatId: string }) => Promise<T>): Promise<T> {
    return useCases.inCalledChat(this.#ports, { ownerId: this.ownerId, chatId }, use)
  }

  #work(work: Promise<void>): void {
    // its waiter reports the error: the stream of a reply, the report of an import
    const done = work.then(
      () => undefined,
      () => undefined,
    )
    this.#working.add(done)
    void done.then(() => this.#working.delete(done))
  }

  /** Works on imports that wait, other people's too, until this one has ended. */
  async #importAll(importId: string): Promise<void> {
    for (;;) {
      const { status } = await this.readImport(importId)
      if (this.#closing.signal.aborted || (status !== 'queued' && status !== 'running')) return
      const driven = await useCases.driveImport(this.#ports, this.#closing.signal)
      // another process has it, or had it at its end
      if (driven) await driven.ended
      else await pause(LOOK, undefined, { signal: this.#closing.signal }).catch(() => undefined)
    }
  }
}
