import { Agent } from 'undici'
import { streamFrom } from '../stream-from'
import { plainFetch } from './plain-fetch'

/** Silence that a model may keep, in ms, where no setting says another time. */
export const DEFAULT_SILENCE = 300_000

/** The longest time that may be set, in ms: a day. */
export const LONGEST_SILENCE = 86_400_000

/** A provider that sent nothing for as long as it is waited for. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError'

  constructor(
    /** time that it was waited for, in ms */
    readonly silenceMs: number,
  ) {
    super(`The provider said nothing for ${silenceMs} ms`)
  }
}

/** Timers of connections, off: `patientFetch` decides how long it waits for a silent server. */
export const unhurried = { headersTimeout: 0, bodyTimeout: 0 }

/** The platform's `fetch` gives up after 300 seconds of silence; this one waits until it is stopped. */
export const unhurriedFetch: typeof globalThis.fetch = plainFetch(new Agent(unhurried))

/**
 * `fetch` that gives a silent server up. Every byte is a sign of life: a comment or a heart beat too. Only waiting
 * counts: the time that a reader takes for itself does not.
 *
 * @param silenceMs time that a server may send nothing, before its answer and within it
 * @throws SilenceError from the request, or from its body
 */
export function patientFetch(fetch: typeof globalThis.fetch, silenceMs: number): typeof globalThis.fetch {
  return async (input, init) => {
    const silence = new AbortController()
    const given = init?.signal
    const signal = given ? AbortSignal.any([given, silence.signal]) : silence.signal
    const giveUp = () => silence.abort(new SilenceError(silenceMs))
    const timer = setTimeout(giveUp, silenceMs)
    const response = await fetch(input, { ...init, signal }).finally(() => clearTimeout(timer))
    if (response.body === null) return response
    const { status, statusText, headers } = response
    return new Response(streamFrom(watched(response.body, silenceMs, giveUp)), {
      status,
      statusText,
      headers,
    })
  }
}

async function* watched(body: ReadableStream<Uint8Array>, silenceMs: number, giveUp: () => void) {
  const reader = body.getReader()
  try {
    for (;;) {
      const timer = setTimeout(giveUp, silenceMs)
      const { value } = await reader.read().finally(() => clearTimeout(timer))
      if (value === undefined) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
