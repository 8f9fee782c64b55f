import type { FileUIPart, TextUIPart, UIMessage, UIMessageChunk } from 'ai'

/** Stores a file that a model has made; answers its part, or a sentence about why there is none. */
export type KeepFile = (file: { mediaType: string; bytes: Buffer }) => Promise<FileUIPart | TextUIPart>

/** The files of one reply, which are stored before anyone reads of them: a message holds their addresses, and no bytes. */
export class KeptFiles {
  readonly #kept = new Map<string, FileUIPart | TextUIPart>()

  constructor(private readonly keep: KeepFile | undefined) {}

  /** A chunk as it is sent on. */
  async *chunks(chunk: UIMessageChunk): AsyncGenerator<UIMessageChunk> {
    const file = chunk.type === 'file' ? inlineFile(chunk) : undefined
    if (chunk.type !== 'file' || !file || !this.keep) {
      yield chunk
      return
    }
    const known = this.#kept.get(chunk.url)
    const part = known ?? (await this.keep(file))
    this.#kept.set(chunk.url, part)
    if (part.type === 'file') yield { ...chunk, url: part.url, mediaType: part.mediaType }
    else {
      const id = `file-${this.#kept.size}`
      yield { type: 'text-start', id }
      yield { type: 'text-delta', id, delta: part.text }
      yield { type: 'text-end', id }
    }
  }

  /** The message with its files where they are stored. */
  message(message: UIMessage): UIMessage {
    if (this.#kept.size === 0) return message
    const parts = message.parts.map((part) =>
      part.type === 'file' ? (this.#kept.get(part.url) ?? part) : part,
    )
    return { ...message, parts }
  }
}

function inlineFile({ url, mediaType }: { url: string; mediaType: string }) {
  const [, base64] = /^data:[^,]*;base64,(.*)$/is.exec(url) ?? []
  return base64 === undefined ? undefined : { mediaType, bytes: Buffer.from(base64, 'base64') }
}
