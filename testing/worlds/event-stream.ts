export interface StreamedEvent {
  id: number
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: the test knows its type
  data: any
}

/** An event stream, read event by event. */
export class EventStream {
  readonly comments: string[] = []
  #rest = ''
  readonly #decoder = new TextDecoder()

  private constructor(
    readonly response: Response,
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
  ) {}

  static async open(url: string, headers: Record<string, string>): Promise<EventStream> {
    return EventStream.of(await fetch(url, { headers: { accept: 'text/event-stream', ...headers } }))
  }

  static async of(response: Response): Promise<EventStream> {
    if (!response.ok || !response.body) throw new Error(`${response.status}: ${await response.text()}`)
    return new EventStream(response, response.body.getReader())
  }

  /** The next event; rejects when the stream ends first. */
  async next(): Promise<StreamedEvent> {
    for (;;) {
      const end = this.#rest.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#rest.slice(0, end)
        this.#rest = this.#rest.slice(end + 2)
        if (!block.startsWith(':')) return parse(block)
        this.comments.push(block)
        continue
      }
      const { done, value } = await this.reader.read()
      if (done) throw new Error('The stream has ended')
      this.#rest += this.#decoder.decode(value, { stream: true })
    }
  }

  async take(count: number): Promise<StreamedEvent[]> {
    const events = []
    for (let i = 0; i < count; i++) events.push(await this.next())
    return events
  }

  /** Resolves when the stream has ended, whatever came before. */
  async ended(): Promise<void> {
    while (!(await this.reader.read()).done);
  }

  leave(): Promise<void> {
    return this.reader.cancel()
  }
}

function parse(block: string): StreamedEvent {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  return { id: Number(fields.id), event: fields.event ?? '', data: JSON.parse(fields.data ?? 'null') }
}
