import { answerTooLong, ReplyProblem } from './explain-error'

/** Limits of an answer, and of an answer that refuses the request, in bytes. */
const MOST = 64_000_000
const MOST_OF_REFUSAL = 1_000_000

/**
 * `fetch` for servers that are not trusted with this one's memory: reading an answer fails with a `ReplyProblem` once
 * it is longer than 64 MB, or 1 MB when it refuses the request. Bytes count as they are read, unpacked.
 *
 * @param fetch reaches the server
 * @param most another limit of an answer, in bytes
 */
export function boundedFetch(fetch: typeof globalThis.fetch, most = MOST): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const body = response.body.pipeThrough(upTo(response.ok ? most : MOST_OF_REFUSAL))
    return new Response(body, { status, statusText, headers })
  }
}

function upTo(most: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let length = 0
  return new TransformStream({
    transform(part, controller) {
      length += part.length
      if (length > most) throw new ReplyProblem(answerTooLong)
      controller.enqueue(part)
    },
  })
}
