import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'
import { named } from '@/lib/events'

/** A large file of which only some bytes are on disk: `length` of them from `from` on, and behind these its last ones. */
export interface FilePart {
  /** size of the whole file */
  size: number
  from: number
  length: number
}

/** Nothing of a part can be read, though the whole file may hold chats. */
export class BeyondPartError extends named('BeyondPartError') {
  /** @param next the place from which on a part holds chats, where the directory of a zip says it */
  constructor(
    message: string,
    readonly next?: number,
  ) {
    super(message)
  }
}

/** The bytes of a part, by their places in the whole file. Reading beyond them fails. */
export class PartReader extends RandomAccessReader {
  readonly #tail: number

  /** @param held bytes on disk */
  constructor(
    private readonly path: string,
    private readonly part: FilePart,
    held: number,
  ) {
    super()
    this.#tail = part.size - Math.max(0, held - part.length)
  }

  /** Tells whether the byte at a place is there. */
  holds(place: number): boolean {
    return this.reach(place) > 0
  }

  /** Counts the bytes that are there from a place on. */
  reach(place: number): number {
    const { from, length, size } = this.part
    if (place >= this.#tail) return size - place
    return place >= from ? Math.max(0, from + length - place) : 0
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const { from, length } = this.part
    if (!this.holds(start))
      return new Readable({
        read() {
          this.destroy(new Error('The bytes are not in the part'))
        },
      })
    const shift = start >= this.#tail ? length - this.#tail : -from
    const last = Math.min(end, start + this.reach(start))
    return createReadStream(this.path, { start: start + shift, end: last + shift - 1 })
  }
}
