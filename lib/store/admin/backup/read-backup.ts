import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import {
  BackupFileError,
  type BackupHeader,
  backupHeader,
  backupSums,
  FORMAT,
  HEADER,
  rowsName,
  SUMS,
  type TableSum,
} from './format'
import { type Entry, readEntries } from './tar'
import { countRows } from './write-backup'

const COPY_AGAIN = 'copy it again, or take another one'

/** A backup, read from its beginning to its end. Until `finish` has resolved, nothing that was read may be kept. */
export class BackupReader {
  readonly #sums: TableSum[] = []
  #next: Entry | undefined

  private constructor(
    private readonly file: string,
    private readonly source: Readable,
    private readonly entries: AsyncGenerator<Entry>,
    readonly header: BackupHeader,
    private readonly headerSum: string,
  ) {}

  /**
   * Opens a file that is whole: it is read once to verify that. A database would find fault with damaged rows in words that say nothing
   * of the file, after hours.
   *
   * @throws BackupFileError for a file that is no backup, is damaged, or has a format that this version cannot read
   */
  static async open(file: string): Promise<BackupReader> {
    const trial = await BackupReader.#begin(file)
    try {
      for (const { name } of trial.header.tables) {
        for await (const _ of trial.rows(name));
      }
      await trial.finish()
    } finally {
      trial.close()
    }
    return BackupReader.#begin(file)
  }

  static async #begin(file: string): Promise<BackupReader> {
    // an error of either is one of the stream that is read
    const source = pipeline(
      createReadStream(file, { highWaterMark: 256 * 1024 }),
      createGunzip({ chunkSize: 256 * 1024 }),
      () => undefined,
    )
    const entries = readEntries(source)
    try {
      const first = (await entries.next()).value as Entry | undefined
      const header = first?.name === HEADER ? parseHeader(first.bytes) : undefined
      if (!first || !header) throw new BackupFileError(`${file} is no backup of Ramify's.`)
      if (header.version !== FORMAT) {
        throw new BackupFileError(
          `${file} has the format ${header.version}, and this version of Ramify reads ${FORMAT}: restore it with Ramify ${header.app}.`,
        )
      }
      return new BackupReader(file, source, entries, header, hash(first.bytes))
    } catch (error) {
      source.destroy()
      throw problemOf(file, error, "is no backup of Ramify's")
    }
  }

  /** The rows of the next table, in the order of the header. */
  async *rows(table: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const sum = createHash('sha256')
    const told: TableSum = { name: table, rows: 0, bytes: 0, sha256: '' }
    for (let number = 1; ; number += 1) {
      signal?.throwIfAborted()
      const entry = await this.#look()
      if (entry?.name !== rowsName(table, number)) break
      this.#next = undefined
      const { bytes } = entry
      sum.update(bytes)
      told.rows += countRows(bytes)
      told.bytes += bytes.length
      yield bytes
    }
    this.#sums.push({ ...told, sha256: sum.digest('hex') })
  }

  /**
   * Reads the rest, and compares everything with the sums at the file's end.
   *
   * @throws BackupFileError when it differs: nothing of it can be relied on
   */
  async finish(): Promise<TableSum[]> {
    const last = await this.#look()
    this.#next = undefined
    const sums = last?.name === SUMS ? parse(backupSums, last.bytes) : undefined
    const whole = sums && (await this.#look()) === undefined
    if (!whole)
      throw new BackupFileError(`${this.file} is damaged: its parts are not in order; ${COPY_AGAIN}.`)
    const wrong = this.#sums.find((sum, at) => JSON.stringify(sum) !== JSON.stringify(sums.tables[at]))
    if (wrong || sums.tables.length !== this.#sums.length || sums.header !== this.headerSum) {
      const what = wrong ? `the table ${wrong.name} is` : 'its beginning is'
      throw new BackupFileError(`${this.file} is damaged: ${what} not what was written; ${COPY_AGAIN}.`)
    }
    return sums.tables
  }

  close(): void {
    this.source.destroy()
  }

  async #look(): Promise<Entry | undefined> {
    try {
      this.#next ??= (await this.entries.next()).value as Entry | undefined
      return this.#next
    } catch (error) {
      throw problemOf(this.file, error, 'is damaged')
    }
  }
}

function parse<Value>(
  shape: { safeParse(value: unknown): { success: boolean; data?: Value | undefined } },
  bytes: Uint8Array,
): Value | undefined {
  if (bytes.length > 1024 ** 2 * 4) return undefined
  try {
    return shape.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8'))).data
  } catch {
    // no JSON
    return undefined
  }
}

const parseHeader = (bytes: Uint8Array): BackupHeader | undefined => parse(backupHeader, bytes)

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The error for a file that cannot be read on. */
function problemOf(file: string, error: unknown, what: string): Error {
  if (error instanceof BackupFileError) return error
  if (!(error instanceof Error)) return new BackupFileError(`${file} ${what}.`)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new BackupFileError(`There is no file ${file}.`)
  if (code === 'EISDIR') return new BackupFileError(`${file} is a folder, not a backup.`)
  if (code === 'EACCES') return new BackupFileError(`${file} cannot be read: its owner does not allow it.`)
  const why = code?.startsWith('Z_') ? (wordsOf[code] ?? 'a part of it is damaged') : error.message
  return new BackupFileError(`${file} ${what}: ${why}; ${COPY_AGAIN}.`, { cause: error })
}

const wordsOf: Readonly<Record<string, string>> = { Z_BUF_ERROR: 'it ends too early' }
