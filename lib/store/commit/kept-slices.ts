import { type Slice, sizeOfSlice } from '@/lib/context'
import type { ChatId } from '@/lib/events'

/** Chats whose slices are kept at most, and parts of one. */
const CHATS = 300
const PARTS = 200

/**
 * What this process knows of the chats that it wrote to last, each as its last write left it: their next changes need not be read
 * for. Where another process has written meanwhile the database says so, and it is read anew.
 */
export class KeptSlices {
  readonly #slices = new Map<ChatId, Slice>()

  get(chatId: ChatId): Slice | undefined {
    return this.#slices.get(chatId)
  }

  /** Keeps a slice; the one that was used longest ago makes room. */
  keep(slice: Slice): void {
    this.#slices.delete(slice.chatId)
    if (sizeOfSlice(slice) > PARTS) return
    this.#slices.set(slice.chatId, slice)
    const [oldest] = this.#slices.keys()
    if (this.#slices.size > CHATS && oldest !== undefined) this.#slices.delete(oldest)
  }

  forget(chatId: ChatId): void {
    this.#slices.delete(chatId)
  }
}
