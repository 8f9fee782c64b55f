import { createHash } from 'node:crypto'
import { type ContextData, NotFoundError } from '@/lib/context'
import type { MessageId, UserId } from '@/lib/events'
import { MAX_CHAT_MESSAGES } from '@/lib/transfer/chat-limits'
import { InvalidRequestError, UnsupportedTypeError } from '../errors'
import { storeFile } from '../files/store-file'
import { asking } from '../imports/lower-permissions'
import { checkBody } from '../imports/read-chat-file'
import type { Ports } from '../ports'
import { contextOf } from '../turns/context-value'
import { OtherOriginError, PackRefusedError } from './errors'
import {
  lineHash,
  type PackedContext,
  type PackedMessage,
  type PackedSummary,
  type PackLine,
  readLine,
} from './pack-lines'

/** Letters of a pack without the bytes of its files, which are stored as they come; they are held until all is known to be whole. */
const MAX_TEXT = 96 * 1024 * 1024
/** Letters with the bytes of its files. */
const MAX_WHOLE = 352 * 1024 * 1024

/** A complete pack. A message follows the messages that it names, unless they are not in the pack. */
export interface Pack {
  origin: string
  title: string | null
  messages: PackedMessage[]
  /** by their ids in the pack: as they are stored here, with no tool that runs without asking */
  contexts: ReadonlyMap<string, ContextData>
  summaries: PackedSummary[]
  /** ids of stored files by their content */
  files: ReadonlyMap<string, string>
}

type Line<T extends PackLine['t']> = Extract<PackLine, { t: T }>

/**
 * Reads a pack to its end and checks it: each line, the references between lines, and their hash. Its files
 * are stored as they arrive; files that no chat holds are deleted after a day.
 *
 * @param lines without their ends
 * @param expected the chat of the pack; without an origin, the pack's own origin is taken
 * @throws PackRefusedError, OtherOriginError
 */
export async function readPack(
  ports: Pick<Ports, 'files' | 'importing'>,
  lines: AsyncIterable<string>,
  { ownerId, chatId, origin }: { ownerId: UserId; chatId: string; origin: string | undefined },
): Promise<Pack> {
  const reading = new Reading(ports, ownerId)
  const hash = lineHash()
  let letters = 0
  let whole = 0
  let at = 0
  let end: Line<'end'> | undefined
  for await (const text of lines) {
    at += 1
    if (end) throw new PackRefusedError('The pack goes on behind its end.')
    const line = readLine(text, at)
    if (line.t !== 'bytes') letters += text.length
    whole += text.length
    if (letters > MAX_TEXT || whole > MAX_WHOLE) throw new PackRefusedError('The pack is too large.')
    if (line.t === 'end') {
      end = line
      continue
    }
    hash.add(text)
    if (at === 1) {
      if (line.t !== 'pack') throw new PackRefusedError('The pack does not begin as one.')
      if (line.chat_id !== chatId) throw new PackRefusedError('The pack is of another chat.')
      if (origin !== undefined && line.origin !== origin) throw new OtherOriginError()
      reading.begin(line)
    } else await reading.take(line)
  }
  const { lines: count, sha256 } = hash.end()
  if (!end) throw new PackRefusedError('The pack was cut off.')
  if (end.lines !== count || end.sha256 !== sha256)
    throw new PackRefusedError('The pack is damaged: its checksum is another one.')
  return reading.end()
}

class Reading {
  #head: Line<'pack'> | undefined
  readonly #messages: PackedMessage[] = []
  readonly #ids = new Set<MessageId>()
  /** ids that were named before their messages: none of these messages may come later */
  readonly #awaited = new Set<MessageId>()
  readonly #contexts = new Map<string, ContextData>()
  readonly #summaries: PackedSummary[] = []
  readonly #files = new Map<string, string>()
  #file: { of: Line<'file'>; pieces: Buffer[]; size: number } | undefined

  constructor(
    private readonly ports: Pick<Ports, 'files' | 'importing'>,
    private readonly ownerId: UserId,
  ) {}

  begin(line: Line<'pack'>): void {
    this.#head = line
  }

  async take(line: Exclude<PackLine, Line<'end'>>): Promise<void> {
    if (this.#file && line.t !== 'bytes') await this.#closeFile()
    switch (line.t) {
      case 'pack':
        throw new PackRefusedError('The pack begins twice.')
      case 'context':
        return this.#takeContext(line)
      case 'file': {
        if (line.size > this.ports.importing.fileBytes)
          throw new PackRefusedError(`The file “${line.name}” is larger than this server takes.`)
        this.#file = { of: line, pieces: [], size: 0 }
        return
      }
      case 'bytes': {
        const file = this.#file
        const piece = Buffer.from(line.content, 'base64')
        if (!file || file.size + piece.length > file.of.size)
          throw new PackRefusedError('The pack has bytes that are of no file.')
        file.pieces.push(piece)
        file.size += piece.length
        return
      }
      case 'message':
        return this.#takeMessage(line)
      case 'summary':
        if (!this.#ids.has(line.messageId))
          throw new PackRefusedError('The pack has a summary at a message that is not in it.')
        this.#summaries.push(line)
    }
  }

  async end(): Promise<Pack> {
    if (this.#file) await this.#closeFile()
    if (!this.#head) throw new PackRefusedError('The pack does not begin as one.')
    const { origin, title } = this.#head
    return {
      origin,
      title,
      messages: this.#messages,
      contexts: this.#contexts,
      summaries: this.#summaries,
      files: this.#files,
    }
  }

  #takeContext({ t: _, ...context }: PackedContext): void {
    const { id, fragments, model, setup } = context
    if (contextOf({ fragments, model, setup: setup ?? null }).id !== id)
      throw new PackRefusedError(`The context "${id.slice(0, 12)}…" does not have the content of its name.`)
    const lowered = asking(context)
    this.#contexts.set(id, { ...lowered, setup: lowered.setup ?? null })
  }

  #takeMessage(message: PackedMessage): void {
    const { id, parentId, mergeParentId, copiedFromId, contextId, data } = message
    if (this.#ids.size >= MAX_CHAT_MESSAGES) throw new PackRefusedError('The pack has too many messages.')
    if (this.#ids.has(id)) throw new PackRefusedError(`The message "${id}" stands twice in the pack.`)
    const isLate = [parentId, mergeParentId, copiedFromId].includes(id) || this.#awaited.has(id)
    if (isLate)
      throw new PackRefusedError(`The message "${id}" stands behind one that names it, or names itself.`)
    for (const named of [parentId, mergeParentId, copiedFromId])
      if (named != null && !this.#ids.has(named)) this.#awaited.add(named)
    if (contextId !== undefined && !this.#contexts.has(contextId))
      throw new PackRefusedError(`The message "${id}" names a context that is not in the pack.`)
    try {
      checkBody({ id, data })
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error
      throw new PackRefusedError(`The message "${id}" has a body that cannot be read.`)
    }
    this.#ids.add(id)
    this.#messages.push(message)
  }

  async #closeFile(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    if (!file) return
    const { name, size, sha256 } = file.of
    const bytes = Buffer.concat(file.pieces)
    if (bytes.length !== size || createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new PackRefusedError(`The file “${name}” is damaged.`)
    try {
      const stored = await storeFile(this.ports, { ownerId: this.ownerId, name, bytes })
      if (!stored) throw new NotFoundError('chat', this.#head?.chat_id ?? '')
      this.#files.set(sha256, stored.id)
    } catch (error) {
      if (!(error instanceof UnsupportedTypeError || error instanceof InvalidRequestError)) throw error
      throw new PackRefusedError(`The file “${name}” cannot be stored: ${error.message}`)
    }
  }
}
