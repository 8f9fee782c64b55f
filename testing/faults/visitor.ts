import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { UIMessage, UIMessageChunk } from 'ai'
import type { Graph, MessageMetadata } from '@/lib/protocol'
import { Follower } from '@/testing/worlds/follower'

/** The model the scripted provider serves. */
const MODEL = 'openai-compatible:scripted'

type Message = UIMessage<MessageMetadata>

/** A request that the server refused. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  /** the answer is a problem document, with a sentence for the person */
  readonly isProblem: boolean

  constructor(url: string, { status, headers }: Response, body: string) {
    super(`${url}: ${status} ${body.slice(0, 300)}`)
    this.status = status
    this.isProblem = headers.get('content-type') === 'application/problem+json' && /"detail":"\w/.test(body)
  }
}

/** A guest with a cookie, who talks to any server of the application. */
export class Visitor {
  #cookie = ''

  /** Signs in at a server, the others know the session too; tries once more when the limit of its address was reached. */
  async signIn(base: string): Promise<this> {
    const ask = () =>
      fetch(`${base}/api/auth/sign-in/anonymous`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    let response = await ask()
    if (response.status === 429) {
      await pause((Number(response.headers.get('retry-after')) + 1) * 1000)
      response = await ask()
    }
    if (!response.ok) throw new Error(`Signing in: ${response.status} ${await response.text()}`)
    this.#cookie = response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; ')
    return this
  }

  /** Sends a message, and follows the reply. Rejects when the server refuses it or is not there. */
  async send(base: string, chatId: string, text: string, model = MODEL): Promise<Follower> {
    const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] }
    const response = await this.#ask(`${base}/api/chat`, { id: chatId, model, message })
    return new Follower(partsOf(response))
  }

  /** Follows the reply being written in a chat; undefined when there is none. */
  async follow(base: string, chatId: string): Promise<Follower | undefined> {
    const response = await this.#ask(`${base}/api/chat/${chatId}/stream`)
    return response.status === 204 ? undefined : new Follower(partsOf(response))
  }

  /** A new chat, and its thread. */
  createThread(base: string): Promise<{ chat_id: string; thread_id: string }> {
    return this.json(`${base}/api/commands/create-thread`, {})
  }

  /** A JSON document; with `body` as a `POST`. */
  async json<T>(url: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
    return (await (await this.#ask(url, body, headers)).json()) as T
  }

  /** A document of any type. */
  async text(url: string): Promise<string> {
    return (await this.#ask(url)).text()
  }

  /** The session, as the header `Cookie` says it. */
  get cookie(): string {
    return this.#cookie
  }

  graph(base: string, chatId: string): Promise<Graph> {
    return this.json(`${base}/api/chats/${chatId}/graph`)
  }

  /** @param branch the one the chat opens on unless given */
  async messages(base: string, chatId: string, branch?: string): Promise<Message[]> {
    const on = branch === undefined ? '' : `&branch=${encodeURIComponent(branch)}`
    const { messages } = await this.json<{ messages: Message[] }>(
      `${base}/api/chats/${chatId}/messages?limit=200${on}`,
    )
    return messages
  }

  async #ask(url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(url, {
      headers: { cookie: this.#cookie, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new RefusedError(url, response, await response.text())
    return response
  }
}

export const textOf = ({ parts }: Message): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** The parts of a UI message stream, as a client reads them. */
function partsOf({ body }: Response): ReadableStream<UIMessageChunk> {
  if (!body) throw new Error('The answer has no body')
  let rest = ''
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(
    new TransformStream<string, UIMessageChunk>({
      transform(text, controller) {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (line.startsWith('data: {')) controller.enqueue(JSON.parse(line.slice(6)))
        }
      },
    }),
  )
}
