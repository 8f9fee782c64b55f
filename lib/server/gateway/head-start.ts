import 'server-only'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reach } from '@/lib/ai'
import type { Protocol } from '@/lib/gateway/protocols/protocol'
import { modelIn, withModel } from '@/lib/gateway/with-model'
import type { ReadText } from '../http/read-body'
import { type Answer, forward, type Sent } from './answer'

/** A call that a provider has been asked. */
export interface AskedCall {
  /** rejects only when called */
  answer: () => Promise<Answer>
  /** resolves when the provider's connection has taken the whole request */
  sent: Promise<void>
  stop(): void
}

/** A call that is passed on while it comes. */
export interface HeadStart {
  /** The next bytes; all that came before are well-formed. */
  take(part: Uint8Array): Promise<void>
  /**
   * The whole call is valid: its last bytes go too. Undefined when it was not passed on, or asks for another
   * model after all.
   */
  release(body: ReadText): AskedCall | undefined
  /** The call is refused. */
  stop(): void
}

/** A shorter body comes in one piece, in bytes. */
const LONG = 65_536
/** Length of a body's beginning that is searched for a model, in bytes: most clients name it first. */
const HEAD = 2048

/**
 * Passes a long call on while it comes, so that it crosses two networks at once. The last bytes wait until
 * the call has been understood: no provider has the whole of a call that is refused. Only when a provider
 * speaks the agent's protocol and calls the model as the agent does.
 *
 * @param find the model of a name; rejects for an unknown name
 */
export function headStart(
  request: Request,
  protocol: Protocol,
  find: (name: string) => Promise<{ reach: Reach | undefined }>,
): HeadStart | undefined {
  const length = Number(request.headers.get('content-length') ?? 0)
  // a compressed body is passed on uncompressed, and is longer
  if (length < LONG || request.headers.has('content-encoding')) return undefined
  const body = new ComingBody(length)
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  let begun: { answer: Promise<Answer>; model: string } | undefined
  let isFirst = true
  // an agent may be slower than its provider is patient: an answer before the call is whole does not count
  const forget = () => {
    begun = undefined
  }

  const begin = async (name: string) => {
    const { reach } = await find(name)
    if (stopped.signal.aborted || reach?.model !== name || !reach.protocols.includes(protocol.name)) return
    const answer = forward(request, { body, protocol, reach, signal: stopped.signal })
    begun = { answer, model: name }
    answer.then(forget, forget)
  }
  return {
    stop,
    async take(part) {
      const name = isFirst ? modelIn(new TextDecoder().decode(part.subarray(0, HEAD))) : undefined
      isFirst = false
      // the call itself tells why there is no such model
      if (name !== undefined) await begin(name).catch(() => undefined)
      body.push(part)
      // parts that have arrived are read without a pause: nothing would be sent meanwhile
      if (begun) await nextTurn()
    },
    release({ text }) {
      if (!begun || withModel(text, begun.model) !== text) {
        stop()
        return undefined
      }
      const { answer } = begun
      body.release()
      return { answer: () => answer, sent: body.sent, stop }
    },
  }
}

/** A body that is sent while it comes, but for its last part, which waits for `release`. */
class ComingBody implements Sent {
  readonly #parts: Uint8Array[] = []
  readonly #sent = Promise.withResolvers<void>()
  readonly sent = this.#sent.promise
  #released = false
  #more = Promise.withResolvers<void>()

  constructor(readonly length: number) {}

  push(part: Uint8Array): void {
    this.#parts.push(part)
    this.#wake()
  }

  release(): void {
    this.#released = true
    this.#wake()
  }

  #wake(): void {
    this.#more.resolve()
    this.#more = Promise.withResolvers()
  }

  async *[Symbol.asyncIterator]() {
    for (let at = 0; !this.#released || at < this.#parts.length; ) {
      const part = this.#parts[at]
      if (part && (this.#released || at < this.#parts.length - 1)) {
        yield part
        at++
      } else await this.#more.promise
    }
    this.#sent.resolve()
  }
}
