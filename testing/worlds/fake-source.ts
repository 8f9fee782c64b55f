/** The browser's event source, and what the server does with it. Stands in for `EventSource`. */
export class FakeSource extends EventTarget {
  /** every one since this list was emptied */
  static opened: FakeSource[] = []
  closed = false

  constructor(readonly url: string) {
    super()
    FakeSource.opened.push(this)
  }

  /** The connection made last. */
  static get last(): FakeSource {
    const last = FakeSource.opened.at(-1)
    if (!last) throw new Error('nothing was opened')
    return last
  }

  close(): void {
    this.closed = true
  }

  open(): this {
    this.dispatchEvent(new Event('open'))
    return this
  }

  tell(event: string, data: unknown = {}): this {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }))
    return this
  }

  /** The connection breaks, or was refused. */
  fail(): this {
    this.dispatchEvent(new Event('error'))
    return this
  }
}
