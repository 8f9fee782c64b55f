import type { APIRequestContext } from '@playwright/test'
import { DescribedApi } from '@/testing/worlds/described-api'
import { expect } from './test'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the description checks it, and the test knows its type
  body: any
  text: string
  headers: Record<string, string>
}

interface Options {
  data?: unknown
  headers?: Record<string, string>
}

/** One caller of the API. Every answer must be as the server's own description says. */
export class ThreadApi {
  static #described: Promise<DescribedApi> | undefined

  constructor(
    readonly request: APIRequestContext,
    /** sent with every request */
    private readonly headers: Record<string, string> = {},
  ) {}

  get = (path: string, options?: Options) => this.#call('GET', path, options)
  post = (path: string, data: unknown, headers?: Record<string, string>) =>
    this.#call('POST', path, { data, ...(headers ? { headers } : {}) })
  delete = (path: string) => this.#call('DELETE', path)

  async signIn(): Promise<this> {
    expect((await this.post('/api/auth/sign-in/anonymous', {})).status).toBe(200)
    return this
  }

  async create(title?: string): Promise<{ chat_id: string; thread_id: string }> {
    const made = await this.post('/api/commands/create-thread', title === undefined ? {} : { title })
    expect(made.status).toBe(201)
    return made.body
  }

  async fork(source_thread_id: string, event_number: number): Promise<string> {
    const made = await this.post('/commands/fork-thread', { source_thread_id, event_number })
    expect(made.status).toBe(201)
    return made.body.thread_id
  }

  /** Sends a message, waits until its reply is stored, and returns its text. */
  async talk(thread_id: string, content: string): Promise<string> {
    const sent = await this.post('/commands/send-message', { thread_id, content })
    expect(sent.status, sent.text).toBe(202)
    await this.settled(thread_id)
    return (await this.messages(thread_id)).at(-1)?.content ?? ''
  }

  /** Waits until no reply is being written on the thread. */
  async settled(threadId: string): Promise<void> {
    await expect
      .poll(async () => (await this.get(`/threads/${threadId}/head`)).body.status, { intervals: [20] })
      .not.toBe('running')
  }

  async messages(threadId: string): Promise<{ event_number: number; role: string; content: string }[]> {
    return (await this.get(`/threads/${threadId}/messages`)).body.messages
  }

  async events(threadId: string): Promise<{ event_number: number; type: string }[]> {
    return (await this.get(`/threads/${threadId}/events`)).body.events
  }

  async #call(method: string, path: string, { data, headers }: Options = {}): Promise<Answer> {
    const response = await this.request.fetch(path, {
      method,
      headers: { ...this.headers, ...headers },
      ...(data === undefined ? {} : { data }),
    })
    const text = await response.text()
    const type = response.headers()['content-type'] ?? ''
    const body = text === '' ? undefined : type.includes('json') ? JSON.parse(text) : text
    const answer = { status: response.status(), body, text, headers: response.headers() }
    await this.#check(method, path, { ...answer, type })
    return answer
  }

  async #check(method: string, path: string, answer: Answer & { type: string }): Promise<void> {
    // these are about the address, which no operation describes
    if (answer.status === 405 || path.startsWith('/api/auth/')) return
    ThreadApi.#described ??= this.request
      .get('/api/openapi.json')
      .then(async (response) => new DescribedApi(await response.json()))
    const described = await ThreadApi.#described
    const address = path.startsWith('/api/') ? path : `/api${path}`
    expect(described.faultsOf(method, address, answer), `${method} ${path} ${answer.status}`).toEqual([])
  }
}
