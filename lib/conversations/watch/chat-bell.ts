import type { ChatId } from '@/lib/events'
import type { ChangeHub } from './change-hub'

/** Rings when a chat is written to: a reader waits for it instead of polling. */
export class ChatBell {
  #rang = false
  #wake: () => void = () => undefined
  /** ends the subscriptions */
  readonly close: () => void

  /** @param also further sources that ring it; each returns its unsubscribe */
  constructor(
    changes: Pick<ChangeHub, 'subscribeChat'>,
    chatId: ChatId,
    ...also: ((ring: () => void) => () => unknown)[]
  ) {
    const ring = () => {
      this.#rang = true
      this.#wake()
    }
    const ends = [changes.subscribeChat(chatId, ring), ...also.map((subscribe) => subscribe(ring))]
    this.close = () => {
      for (const end of ends) end()
    }
  }

  /** True when it has rung since it was silenced. */
  get rang(): boolean {
    return this.#rang
  }

  /** Called before a look at the chat: a write during the look rings again. */
  silence(): void {
    this.#rang = false
  }

  /** Resolves when it rings, when the signal is aborted, or after `timeoutMs`; at once when it has rung. */
  async wait(signal: AbortSignal, timeoutMs: number): Promise<void> {
    if (this.#rang) return
    const awake = (resolve: () => void) => {
      this.#wake = resolve
      return () => undefined
    }
    await waitFor(awake, { signal, timeoutMs })
  }
}

/** Waits until `subscribe`'s callback is called, `signal` fires or `timeoutMs` milliseconds have passed, and leaves nothing behind. */
export async function waitFor(
  subscribe: (wake: () => void) => () => unknown,
  { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs?: number },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = () => resolve()
  const unsubscribe = subscribe(wake)
  const timer = timeoutMs === undefined ? undefined : setTimeout(wake, timeoutMs)
  signal?.addEventListener('abort', wake)
  if (signal?.aborted) wake()
  await promise
  clearTimeout(timer)
  // a signal may outlive its thousands of waits
  signal?.removeEventListener('abort', wake)
  unsubscribe()
}
