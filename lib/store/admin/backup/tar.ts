// The part of the tar format (POSIX ustar) that a backup needs: plain files with short names, one after the other. `tar tzf` lists
// them. A general reader would take in links, paths and headers of any length, all of which a backup must refuse.

const BLOCK = 512
const SIZE_AT = 124
const SUM_AT = 148

/** Bytes that one entry can have: a piece of rows is mostly 2 MB, and one row may be larger. */
const LARGEST = 512 * 1024 ** 2

export interface Entry {
  name: string
  bytes: Uint8Array
}

/** The blocks of one file. */
export function entryBlocks({ name, bytes }: Entry, at: Date): Uint8Array[] {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, from: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, from, 'latin1')
  header.write(name, 0, 'latin1')
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(bytes.length, SIZE_AT, 11)
  octal(Math.floor(at.getTime() / 1000), 136, 11)
  header.write('0ustar\x0000', 156, 'latin1')
  header.copyWithin(257, 157, 165)
  header.fill(0, 157, 165)
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, SUM_AT, 'latin1')
  return [header, bytes, Buffer.alloc(padding(bytes.length))]
}

/** The end of an archive. */
export const endBlocks = (): Uint8Array => Buffer.alloc(2 * BLOCK)

/**
 * The files of an archive, one in memory at a time. Reads to the end of the stream.
 *
 * @throws Error that names the fault, for any other bytes than those of `entryBlocks` and `endBlocks`
 */
export async function* readEntries(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const reader = new BlockReader(stream)
  for (;;) {
    const header = await reader.take(BLOCK)
    if (!header) throw new Error('it ends too early')
    if (isEmpty(header)) break
    const sum = Number.parseInt(header.toString('latin1', SUM_AT, SUM_AT + 6), 8)
    if (sum !== sumOf(header) || header[156] !== 0x30) throw new Error('a part of it is damaged')
    const size = Number.parseInt(header.toString('latin1', SIZE_AT, SIZE_AT + 11), 8)
    if (!(size >= 0 && size <= LARGEST)) throw new Error('a part of it is too large')
    const name = header.toString('latin1', 0, header.indexOf(0))
    const bytes = await reader.take(size)
    const rest = await reader.take(padding(size))
    if (!bytes || !rest) throw new Error('it ends too early')
    yield { name, bytes }
  }
  const last = await reader.take(BLOCK)
  if (!last || !isEmpty(last) || !(await reader.isAtEnd())) throw new Error('it does not end where it should')
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

const isEmpty = (block: Buffer): boolean => block.every((byte) => byte === 0)

/** The sum of all bytes of a header, with blanks in place of the sum. */
function sumOf(header: Buffer): number {
  let sum = 8 * 0x20
  for (let at = 0; at < BLOCK; at += 1) {
    if (at < SUM_AT || at >= SUM_AT + 8) sum += header[at] ?? 0
  }
  return sum
}

/** Takes so many bytes at a time from a stream. */
class BlockReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** Undefined where fewer are left. */
  async take(size: number): Promise<Buffer | undefined> {
    const parts = [this.#rest]
    let have = this.#rest.length
    while (have < size) {
      const next = await this.#chunks.next()
      if (next.done) return undefined
      parts.push(Buffer.from(next.value))
      have += next.value.length
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts, have)
    this.#rest = all.subarray(size)
    return all.subarray(0, size)
  }

  async isAtEnd(): Promise<boolean> {
    if (this.#rest.length > 0) return false
    for (;;) {
      const next = await this.#chunks.next()
      if (next.done) return true
      if (next.value.length > 0) return false
    }
  }
}
