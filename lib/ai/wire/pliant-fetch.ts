import { type Fields, fieldsOf, parsed } from '@/lib/gateway/protocols/shared/values'

/** A field that is sent for our convenience, and what a request is without it. */
interface Convenience {
  /** the words by which a refusal names it */
  readonly named: RegExp
  /** true when a refusal by one model holds for the whole server */
  readonly isOfServer: boolean
  without(body: Fields): Fields | undefined
}

const conveniences = {
  // says how many tokens a streamed reply took
  streamOptions: {
    named: /stream[_ ]?options|include[_ ]?usage/i,
    isOfServer: true,
    without: ({ stream_options, ...body }) => (stream_options === undefined ? undefined : body),
  },
  // newer models of OpenAI know the limit of a reply by its second name only
  maxTokens: {
    named: /max_completion_tokens/,
    isOfServer: false,
    without: ({ max_tokens, ...body }) =>
      max_tokens === undefined ? undefined : { ...body, max_completion_tokens: max_tokens },
  },
} satisfies Record<string, Convenience>

/** Conveniences that servers have refused, as long as this process runs. */
const refused = new Set<string>()
const MOST = 1000

const keyOf = (name: string, { isOfServer }: Convenience, url: string, model: unknown): string =>
  JSON.stringify([name, url.split('?', 1)[0], isOfServer ? null : model])

/** Tells whether a server has refused to be asked how many tokens a stream takes. */
export const refusesUsage = (url: string): boolean =>
  refused.has(keyOf('streamOptions', conveniences.streamOptions, url, undefined))

/** Notes that a server refuses to be asked so, when its refusal says this; answers whether it does. */
export const notesUsageRefusal = (url: string, status: number, said: string): boolean =>
  notes('streamOptions', conveniences.streamOptions, { url, status, said, model: undefined })

function notes(
  name: string,
  field: Convenience,
  { url, status, said, model }: { url: string; status: number; said: string; model: unknown },
): boolean {
  if (status < 400 || status === 401 || status === 429 || !field.named.test(said)) return false
  if (refused.size >= MOST) refused.clear()
  refused.add(keyOf(name, field, url, model))
  return true
}

/**
 * `fetch` for OpenAI's chat completions: a field that is sent for our convenience is left out where the server refuses it, and
 * the request is sent again. The server is remembered.
 */
export function pliantFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const text = init?.body
    if (typeof text !== 'string') return fetch(input, init)
    const url = String(input)
    const send = (body: Fields) => fetch(input, { ...init, body: JSON.stringify(body) })
    // a long conversation is parsed only where a server has refused something
    let body = refused.size > 0 ? withoutRefused(url, fieldsOf(parsed(text))) : undefined
    let response = body ? await send(body) : await fetch(input, init)
    for (const [name, field] of fields) {
      if (response.ok) return response
      body ??= fieldsOf(parsed(text))
      const without = field.without(body)
      if (without === undefined) continue
      const { status, statusText, headers } = response
      const said = await response.text()
      response = new Response(said, { status, statusText, headers })
      if (!notes(name, field, { url, status, said, model: body.model })) continue
      body = without
      response = await send(body)
    }
    return response
  }
}

const fields = Object.entries<Convenience>(conveniences)

/** A request without what its server has refused; undefined where nothing changes. */
function withoutRefused(url: string, asked: Fields): Fields | undefined {
  let body: Fields | undefined
  for (const [name, field] of fields) {
    const without = field.without(body ?? asked)
    if (without && refused.has(keyOf(name, field, url, asked.model))) body = without
  }
  return body
}
