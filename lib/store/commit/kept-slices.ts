import { type Slice, sizeOfSlice } from '@/lib/context'
import type { ChatId } from '@/lib/events'

/** Maximum number of chats whose slices are kept, and of parts in one. */
const CHATS = 300
const PARTS = 200

/**
 * Slices of the chats that this process wrote to last, each as its last write left it: their next changes
 * need no read. When another process has written since, the database says so, and the slice is read anew.
 */
export class KeptSlices {
  readonly #slices = new Map<ChatId, Slice>()

  get(chatId: ChatId): Slice | undefined {
    return this.#slices.get(chatId)
  }

  /** Keeps a slice, in place of the one unused for longest. */
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
