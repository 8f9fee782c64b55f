import { type FileHandle, open, rm } from 'node:fs/promises'

/** The contents of files that stand in the text of a chat, on disk: none is held in memory. */
export class UnpackedContents {
  #file: FileHandle | undefined
  #end = 0
  #begin = 0
  /** letters of a group of four that the last piece has begun */
  #rest = ''
  readonly #added: string[] = []

  /** @param path of the file that they are written to, one after the other; it is made with the first and gone with `close` */
  constructor(private readonly path: string) {}

  /** Takes a piece of a content, in base64. */
  async add(piece: Buffer, isLast: boolean): Promise<void> {
    this.#file ??= await open(this.path, 'w+')
    // some programs write a slash with a backslash before it
    const letters = this.#rest + piece.toString('latin1').replaceAll('\\', '')
    const whole = isLast ? letters.length : letters.length - (letters.length % 4)
    this.#rest = letters.slice(whole)
    const bytes = Buffer.from(letters.slice(0, whole), 'base64')
    await this.#file.write(bytes, 0, bytes.length, this.#end)
    this.#end += bytes.length
    if (!isLast) return
    this.#added.push(`content ${this.#begin}-${this.#end}`)
    this.#begin = this.#end
  }

  /** The names of the contents that came since the last call. */
  takeAdded(): string[] {
    return this.#added.splice(0)
  }

  /** The bytes of a content; null where none has the name. */
  async read(name: string): Promise<Buffer | null> {
    const [, begin, end] = /^content (\d+)-(\d+)$/.exec(name)?.map(Number) ?? []
    if (!this.#file || begin === undefined || end === undefined || begin > end || end > this.#end) return null
    const bytes = Buffer.allocUnsafe(end - begin)
    await this.#file.read(bytes, 0, bytes.length, begin)
    return bytes
  }

  async close(): Promise<void> {
    await this.#file?.close()
    await rm(this.path, { force: true })
  }
}
