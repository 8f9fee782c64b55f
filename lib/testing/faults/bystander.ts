import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from './arena'
import type { Tally } from './fault'
import type { Visitor } from './visitor'

/** The longest another person may wait for anything, in ms. */
export const PATIENCE = 1000
/** Pause between two things of a kind that a bystander does, in ms. */
const PAUSE = 50

/** The longest wait of each kind, in ms. */
export type Waits = Record<'health' | 'page' | 'send' | 'first word', number>

/**
 * Another person who chats, opens a page and asks for the server's health, again and again while something goes on. What
 * they send has `hello` in it, for the script of the provider. Each wait that is too long is a loss.
 */
export class Bystander {
  readonly waits: Waits = { health: 0, page: 0, send: 0, 'first word': 0 }

  private constructor(
    private readonly server: Server,
    private readonly visitor: Visitor,
    private readonly chatId: string,
  ) {}

  /** One whose server has answered them a few times: the first of everything is slower. */
  static async beside(server: Server, visitor: Visitor): Promise<Bystander> {
    const bystander = new Bystander(server, visitor, randomUUID())
    await (await visitor.send(server.base, bystander.chatId, 'hello')).rest()
    for (let i = 0; i < 5; i++) await Promise.all([bystander.#chat(), bystander.#page(), bystander.#health()])
    for (const kind of Object.keys(bystander.waits) as (keyof Waits)[]) bystander.waits[kind] = 0
    return bystander
  }

  async watch(meanwhile: Promise<unknown>, tally: Tally): Promise<void> {
    let over = false
    const ended = meanwhile.finally(() => {
      over = true
    })
    const again = async (act: () => Promise<void>) => {
      while (!over) {
        await act()
        await pause(PAUSE)
      }
    }
    await Promise.all([
      ended,
      again(() => this.#chat()),
      again(() => this.#page()),
      again(() => this.#health()),
    ])
    for (const [kind, wait] of Object.entries(this.waits)) {
      tally.trials++
      if (wait > PATIENCE) tally.losses.push(`another person waited ${Math.round(wait)} ms for: ${kind}`)
    }
  }

  async #chat(): Promise<void> {
    const at = performance.now()
    const follower = await this.visitor.send(this.server.base, randomUUID(), 'hello')
    await follower.next()
    this.#note('send', at)
    await follower.untilWords(1)
    this.#note('first word', at)
    await follower.rest()
  }

  async #page(): Promise<void> {
    const at = performance.now()
    await this.visitor.page(this.server.base, this.chatId)
    this.#note('page', at)
  }

  async #health(): Promise<void> {
    const at = performance.now()
    const { status } = await this.visitor.json<{ status: string }>(`${this.server.base}/api/health`)
    if (status !== 'ok') throw new Error(`The server says that it is ${status}`)
    this.#note('health', at)
  }

  #note(kind: keyof Waits, since: number): void {
    this.waits[kind] = Math.max(this.waits[kind], performance.now() - since)
  }
}
