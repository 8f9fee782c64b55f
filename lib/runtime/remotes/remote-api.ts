import type { z } from 'zod'
import {
  causesOf,
  ForeignRedirectError,
  hideSecret,
  PrivateAddressError,
  patientFetch,
  SilenceError,
  withoutSecrets,
} from '@/lib/ai'
import { problem } from '@/lib/protocol/problem'
import { EXCHANGE_VERSION, exchangeAbout } from '@/lib/protocol/remotes/remotes'
import { RemoteError } from './remote-error'

/** The longest silence of a server, in ms; bytes of an answer that is no pack, and characters of a refusal that are told. */
const SILENCE = 30_000
const LONGEST = 8_000_000
const MOST_SAID = 300

/** Another server, and how it is asked. */
export interface RemotePlace {
  name: string
  /** without a slash at its end */
  url: string
  key: string | undefined
}

interface Asked {
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | ReadableStream<Uint8Array>
  signal?: AbortSignal | undefined
}

/** A refusal of another server, in its own code. */
export class RemoteRefusal extends RemoteError {
  constructor(
    /** the code of its problem document */
    readonly said: string,
    code: RemoteError['code'],
    message: string,
  ) {
    super(code, message)
  }
}

/** The HTTP API of another server, asked with a key of its. Its errors are `RemoteError`s, in words that a person can act on. */
export class RemoteApi {
  readonly #fetch: typeof globalThis.fetch

  /** @param fetch reaches the server; it decides which addresses are allowed, and follows no redirect to another host */
  constructor(
    readonly place: RemotePlace,
    fetch: typeof globalThis.fetch,
    silenceMs = SILENCE,
  ) {
    if (place.key !== undefined) hideSecret(place.key)
    this.#fetch = patientFetch(fetch, silenceMs)
  }

  /** Asks whether it is a server that exchanges chats, and takes the key. */
  async about(signal?: AbortSignal): Promise<z.output<typeof exchangeAbout>> {
    const { name } = this.place
    const about = await this.json('/api/exchange', exchangeAbout, { signal }).catch((error: unknown) => {
      if (error instanceof RemoteRefusal && error.code === 'remote_lacks')
        throw new RemoteError(
          'remote_older',
          `${name} is an older Ramify, which exchanges no chats yet. Update it, and try again.`,
        )
      throw error
    })
    if (about.exchange > EXCHANGE_VERSION)
      throw new RemoteError('remote_newer', `${name} is a newer Ramify. Update this server, and try again.`)
    if (about.exchange < EXCHANGE_VERSION)
      throw new RemoteError('remote_older', `${name} is an older Ramify. Update it, and try again.`)
    return about
  }

  /** An answer in JSON. */
  async json<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    asked: Asked = {},
  ): Promise<z.output<Schema>> {
    const response = await this.send(path, asked)
    const text = await this.#read(response)
    const read = schema.safeParse(parsed(text))
    if (read.success) return read.data
    throw this.notRamify()
  }

  /** The answer of a request that the server has not refused. */
  async send(path: string, { method = 'GET', headers, body, signal }: Asked = {}): Promise<Response> {
    const { url, key } = this.place
    const init = {
      method,
      headers: {
        accept: 'application/json, application/x-ndjson',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      ...(signal && { signal }),
    }
    const response = await this.#fetch(`${url}${path}`, init as RequestInit).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw this.unreachable(error)
    })
    if (response.ok) return response
    throw await this.#refused(response)
  }

  notRamify(how = 'does not answer as Ramify does'): RemoteError {
    const { name, url } = this.place
    return new RemoteError(
      'remote_answer',
      `${name} ${how}. Check the address: it is the one at which you open it in a browser (now ${url}).`,
    )
  }

  unreachable(error: unknown): RemoteError {
    if (error instanceof RemoteError) return error
    const { name, url } = this.place
    const causes = causesOf(error)
    if (causes.some((cause) => cause instanceof PrivateAddressError))
      return new RemoteError(
        'address_refused',
        'This server reaches other servers at public https addresses only.',
      )
    if (causes.some((cause) => cause instanceof ForeignRedirectError))
      return new RemoteError(
        'remote_unreachable',
        `${name} redirects to another address, which is not followed: the key is for ${url} alone. Add it with the address it redirects to.`,
      )
    if (causes.some((cause) => cause instanceof SilenceError))
      return new RemoteError('remote_unreachable', `${name} does not answer. Try again later.`)
    const codes = causes.map((cause) => (cause as { code?: unknown }).code)
    const why = codes.includes('ECONNREFUSED')
      ? ': nothing listens there'
      : codes.includes('ENOTFOUND')
        ? ': there is no such host'
        : ''
    return new RemoteError(
      'remote_unreachable',
      `${name} cannot be reached at ${url}${why}. Is it running, and the address right?`,
    )
  }

  async #refused(response: Response): Promise<RemoteError> {
    const { name } = this.place
    const { status } = response
    const read = problem.safeParse(parsed(await this.#read(response)))
    if (!read.success) return this.notRamify(`answered with an error (${status}), and not as Ramify does`)
    const { detail, code, retry_after: wait } = read.data
    const said = withoutSecrets(detail.slice(0, MOST_SAID)).toWellFormed()
    if (status === 401)
      return new RemoteRefusal(
        code,
        'key_refused',
        this.place.key === undefined
          ? `${name} asks for a key. Make one there, under Settings, API keys.`
          : `${name} refused the key: it is wrong, or it has expired or was revoked. Make a new one there, under Settings, API keys, and add ${name} again.`,
      )
    if (status === 403)
      return new RemoteRefusal(code, 'key_refused', `The key may not do this. ${name} says: ${said}`)
    if (status === 404) return new RemoteRefusal(code, 'remote_lacks', `${name} says: ${said}`)
    const again = wait === undefined ? '' : ` Try again in ${wait} s.`
    return new RemoteRefusal(code, 'remote_refused', `${name} says: ${said}${again}`)
  }

  /** The text of an answer, as far as it is not too long. */
  async #read(response: Response): Promise<string> {
    if (response.body === null) return ''
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(part, { stream: true })
        if (text.length > LONGEST) throw this.notRamify('sent a longer answer than Ramify does')
      }
    } catch (error) {
      throw this.unreachable(error)
    }
    return text + decoder.decode()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
