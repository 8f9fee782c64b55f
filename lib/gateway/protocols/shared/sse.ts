/** One event of an event stream: its name where it has one, and its data. */
export interface SseEvent {
  event: string | undefined
  data: string
}

/**
 * Reads an event stream (`text/event-stream`) from bytes that are cut anywhere. Comments, ids and pauses are left out. Two
 * habits of servers are read as they are meant: a field `error`, and JSON that has no name of a field before it.
 */
export class SseReader {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #event: string | undefined
  #data: string[] = []
  /** true when the last bytes ended with CR, whose LF may follow */
  #isAfterCr = false

  /** The events that end within the next bytes. */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#read(this.#decoder.decode(bytes, { stream: true }))
  }

  /** The last event, where the stream ends without the empty line after it. */
  end(): SseEvent[] {
    return this.#read(`${this.#decoder.decode()}\n\n`)
  }

  #read(text: string): SseEvent[] {
    const lines = (this.#rest + this.#withLf(text)).split('\n')
    this.#rest = lines.pop() ?? ''
    const events: SseEvent[] = []
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join('\n') })
        this.#event = undefined
        this.#data = []
      } else if (line.startsWith('data:')) this.#data.push(fieldValue(line, 5))
      else if (line.startsWith('event:')) this.#event = fieldValue(line, 6)
      else if (line.startsWith('error:')) {
        this.#event = 'error'
        this.#data.push(fieldValue(line, 6))
      } else if (line.startsWith('{')) this.#data.push(line)
    }
    return events
  }

  /** A line ends with LF, CR LF or CR. */
  #withLf(text: string): string {
    const rest = this.#isAfterCr && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') this.#isAfterCr = text.endsWith('\r')
    return rest.includes('\r') ? rest.replaceAll(/\r\n?/g, '\n') : rest
  }
}

const fieldValue = (line: string, from: number): string => line.slice(line[from] === ' ' ? from + 1 : from)

/** An event as it is sent. */
export const sseText = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
