import { createServices, type Services } from '@/lib/runtime'

/** An answer, and the cookies it sets. */
export interface IdentityAnswer {
  status: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows its type
  body: any
  headers: Headers
  setCookies: string[]
}

type Handle = (request: Request) => Promise<Response>

/** One browser, or one script, at one network address. */
export class Browser {
  readonly cookies = new Map<string, string>()

  constructor(
    private readonly handle: Handle,
    private readonly origin: string,
    /** read by the test's stand-in for `clientAddress` */
    public address = '10.0.0.1',
  ) {}

  get = (path: string) => this.#send('GET', path)
  post = (path: string, body: object = {}, headers: Record<string, string> = {}) =>
    this.#send('POST', path, body, headers)

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async #send(
    method: string,
    path: string,
    body?: object,
    extra: Record<string, string> = {},
  ): Promise<IdentityAnswer> {
    const headers = new Headers({
      ...{ host: new URL(this.origin).host, 'x-test-address': this.address, ...extra },
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(this.cookies.size > 0 ? { cookie: this.cookie } : {}),
    })
    const answer = await this.handle(
      new Request(`${this.origin}/api/auth/${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    )
    const setCookies = answer.headers.getSetCookie()
    for (const cookie of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await answer.text()
    return {
      ...{ status: answer.status, text, headers: answer.headers, setCookies },
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    }
  }
}

const shared = globalThis as typeof globalThis & {
  __ramifyServices?: Promise<Services> | undefined
  __ramifyAuth?: unknown
}

/** Opens services for an environment and makes `getServices` return them. */
export async function asProcess(env: Record<string, string>): Promise<Services> {
  const services = await createServices(env)
  shared.__ramifyServices = Promise.resolve(services)
  delete shared.__ramifyAuth
  return services
}
