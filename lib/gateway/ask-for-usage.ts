import { fieldsOf, parsed } from './protocols/shared/values'

/** True when a call of chat completions asks how many tokens its stream took. */
export const asksForUsage = (body: Readonly<Record<string, unknown>>): boolean =>
  fieldsOf(body.stream_options).include_usage === true

/**
 * A call of chat completions that asks how many tokens its stream took. A text without `stream_options` is not
 * changed otherwise.
 */
export function withUsageAsked(text: string, body: Readonly<Record<string, unknown>>): string {
  if ('stream_options' in body)
    return JSON.stringify({
      ...body,
      stream_options: { ...fieldsOf(body.stream_options), include_usage: true },
    })
  const end = text.lastIndexOf('}')
  return `${text.slice(0, end)},"stream_options":{"include_usage":true}}`
}

/**
 * Takes the event that says only how many tokens a stream took out of its bytes: its reader has not asked for it. Bytes are
 * held back to the end of the event that they belong to.
 */
export class UsageHidden {
  #rest = Buffer.alloc(0)

  /** The bytes for the reader, out of the next bytes; undefined after the last of them. */
  next(bytes: Uint8Array | undefined): Uint8Array {
    const all = bytes ? Buffer.concat([this.#rest, bytes]) : this.#rest
    const shown: Buffer[] = []
    let from = 0
    for (let end = endOfEvent(all, from); end !== undefined; end = endOfEvent(all, from)) {
      const event = all.subarray(from, end)
      if (!saysUsageOnly(event)) shown.push(event)
      from = end
    }
    this.#rest = bytes ? all.subarray(from) : Buffer.alloc(0)
    if (!bytes && !saysUsageOnly(all.subarray(from))) shown.push(all.subarray(from))
    return Buffer.concat(shown)
  }
}

const [LF, CR] = [0x0a, 0x0d]

/** The place behind the empty line that ends an event. */
function endOfEvent(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3
  }
  return undefined
}

function saysUsageOnly(event: Buffer): boolean {
  if (!event.includes('"usage"')) return false
  const data = /^data:(.*)$/m.exec(event.toString('utf8'))?.[1]
  const chunk = fieldsOf(data === undefined ? undefined : parsed(data))
  return Array.isArray(chunk.choices) && chunk.choices.length === 0 && fieldsOf(chunk.usage) === chunk.usage
}
