import type { UIMessageChunk } from 'ai'

/** The fields of a `data-run` part that tests look at. */
export interface RunNews {
  runId: string
  userMessageId: string
  replyId: string
  status: string
}

/**
 * Reads a turn's parts one by one and keeps the text that a page would show. A `data-run` after the first means that the
 * reply begins anew: the text is cleared.
 *
 * @example
 * const follower = new Follower(stream)
 * await follower.untilWords(3)
 * await follower.leave()
 */
export class Follower {
  readonly parts: UIMessageChunk[] = []
  readonly runs: RunNews[] = []
  /** the reply as it is shown now */
  text = ''
  /** ids of the messages that have begun since the reply last began */
  messageIds: string[] = []
  readonly #reader: ReadableStreamDefaultReader<UIMessageChunk>

  constructor(stream: ReadableStream<UIMessageChunk>) {
    this.#reader = stream.getReader()
  }

  /** The last `data-run` part. */
  get run(): RunNews {
    const run = this.runs.at(-1)
    if (!run) throw new Error('No data-run part has come yet')
    return run
  }

  /** The next part; undefined at the end of the stream. */
  async next(): Promise<UIMessageChunk | undefined> {
    const { value } = await this.#reader.read()
    if (value) this.#see(value)
    return value
  }

  /** Reads on until `holds`; rejects when the stream ends before. */
  async until(holds: () => boolean, what = 'what was waited for'): Promise<void> {
    while (!holds()) {
      if ((await this.next()) === undefined)
        throw new Error(`The stream ended before ${what}: "${this.text}"`)
    }
  }

  untilWords(count: number): Promise<void> {
    return this.until(() => wordsIn(this.text) >= count, `word ${count}`)
  }

  /** Reads to the end of the stream. */
  async rest(): Promise<this> {
    while ((await this.next()) !== undefined);
    return this
  }

  /** Closes the connection. */
  leave(): Promise<void> {
    return this.#reader.cancel()
  }

  #see(part: UIMessageChunk): void {
    this.parts.push(part)
    if (part.type === 'data-run') {
      this.runs.push(part.data as RunNews)
      this.text = ''
      this.messageIds = []
    } else if (part.type === 'start') this.messageIds.push(part.messageId ?? '')
    else if (part.type === 'text-delta') this.text += part.delta
  }
}

const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0

/** `w0 w1 w2 …`; the provider sends it word by word. */
export const words = (count: number, word = 'w'): string =>
  Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ')
