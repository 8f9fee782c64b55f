import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import { problem } from '@/lib/protocol/problem'
import { CommandError, MissingError } from '../errors'

interface SentFile {
  path: string
  name: string
  /** beside it in the form */
  fields: Readonly<Record<string, string>>
}

interface Asked {
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** sent as JSON */
  body?: object
  /** sent as a form, in the field `file` */
  file?: SentFile
  /** sent as it is, from memory */
  form?: FormData
  signal?: AbortSignal | undefined
  /** a new one for each command: the server carries it out once */
  once?: string
}

/** The HTTP API of a server, asked with a key; the server of this machine may do without. */
export class ApiClient {
  constructor(
    /** without a slash at its end */
    readonly origin: string,
    private readonly key?: string,
  ) {}

  /** @throws CommandError with the server's own words; MissingError for a missing object */
  async json<Schema extends z.ZodType>(
    method: string,
    path: string,
    schema: Schema,
    asked: Asked = {},
  ): Promise<z.output<Schema>> {
    const response = await this.send(method, path, asked)
    const value: unknown = await response.json().catch(() => undefined)
    const read = schema.safeParse(value)
    if (read.success) return read.data
    throw new CommandError(`${this.origin} did not answer ${path} as expected. Is it of another version?`)
  }

  /** The answer of a request that the server has not refused. */
  async send(
    method: string,
    path: string,
    { query = {}, body, file, form: whole, signal, once }: Asked = {},
  ): Promise<Response> {
    const url = new URL(`${this.origin}${path}`)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const form = file && formOf(file)
    const headers = {
      ...(this.key && { authorization: `Bearer ${this.key}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(form && { 'content-type': form.type }),
      ...(once && { 'idempotency-key': once }),
    }
    const response = await fetch(url, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      ...(form && { body: form.content, duplex: 'half' }),
      ...(whole && { body: whole }),
      ...(signal && { signal }),
      // the key is for this server alone
      redirect: 'manual',
    }).catch((error: unknown) => {
      throw this.#unreachable(error)
    })
    if (response.ok) return response
    throw await this.#refused(response)
  }

  #unreachable(error: unknown): unknown {
    if (!(error instanceof TypeError)) return error
    const { cause } = error
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const why =
      { ECONNREFUSED: 'nothing listens there', ENOTFOUND: 'there is no such host' }[code] ??
      (cause instanceof Error ? cause.message : error.message)
    return new CommandError(
      `${this.origin} cannot be reached: ${why}. Is the server running, and the address right?`,
    )
  }

  async #refused(response: Response): Promise<CommandError> {
    const { status } = response
    if (status >= 300 && status < 400) {
      const to = response.headers.get('location') ?? 'another address'
      return new CommandError(`${this.origin} sends elsewhere, to ${to}. Give that server's own address.`)
    }
    const read = problem.safeParse(await response.json().catch(() => undefined))
    if (!read.success) {
      return new CommandError(
        `${this.origin} answered ${status}, and not as Ramify does. Is the address right?`,
      )
    }
    const { detail, retry_after: wait } = read.data
    if (status === 404) return new MissingError(detail)
    if (status === 401 && !this.key) return new CommandError(keyMissing(this.origin))
    if (status === 401) {
      return new CommandError(
        `${detail} Make a key at ${this.origin}/settings/keys, and put it into RAMIFY_API_KEY.`,
      )
    }
    return new CommandError(wait === undefined ? detail : `${detail} Try again in ${wait} s.`)
  }
}

/** Hint for a person who asks a server without a key. */
export const keyMissing = (origin: string): string =>
  `RAMIFY_API_KEY is missing: make a key at ${origin}/settings/keys, and set it.`

/**
 * A form of one file that is read while it is sent. A `FormData` body fails silently in Node when its sending
 * is stopped.
 */
function formOf({ path, name, fields }: SentFile): { type: string; content: ReadableStream } {
  const boundary = `ramify-${randomUUID()}`
  // as browsers write a name
  const called = name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))
  const beside = Object.entries(fields)
    .map(
      ([field, value]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
    )
    .join('')
  const head = `${beside}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${called}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const pieces = async function* () {
    yield Buffer.from(head)
    yield* createReadStream(path)
    yield Buffer.from(tail)
  }
  const content = Readable.toWeb(Readable.from(pieces())) as ReadableStream
  return { type: `multipart/form-data; boundary=${boundary}`, content }
}
