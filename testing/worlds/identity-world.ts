import { hashPassword } from 'better-auth/crypto'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { createServices, type Services } from '@/lib/runtime'
import { cameFrom, inRequestOf } from './framework'

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
    /** what the server's front says of it */
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
      host: new URL(this.origin).host,
      ...cameFrom(this.address),
      ...extra,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(this.cookies.size > 0 ? { cookie: this.cookie } : {}),
    })
    const request = new Request(`${this.origin}/api/auth/${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answer = await inRequestOf(request, () => this.handle(request))
    const setCookies = answer.headers.getSetCookie()
    for (const cookie of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await answer.text()
    return {
      status: answer.status,
      text,
      headers: answer.headers,
      setCookies,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    }
  }
}

const shared = globalThis as typeof globalThis & {
  __ramifyServices?: Promise<Services> | undefined
  __ramifyAuth?: unknown
  __ramifyRates?: unknown
  __ramifyRefused?: unknown
}

/** Opens services for an environment and makes `getServices` return them. */
export async function asProcess(env: Record<string, string>): Promise<Services> {
  const services = await createServices(env)
  shared.__ramifyServices = Promise.resolve(services)
  delete shared.__ramifyAuth
  // requests from before, of a process that is no more
  delete shared.__ramifyRates
  return services
}

/** The audit log begins anew to count what it has of each address. */
export function forgetRefusals(): void {
  delete shared.__ramifyRefused
}

const hashes = new Map<string, Promise<string>>()

/** Stores an account as signing up does; hashing takes long, and each password is hashed once. Returns its person. */
async function addAccount({ database }: Services, email: string, password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  const id = newId()
  await database.orm.insert(schema.user).values({ id, name: 'Ada', email })
  await database.orm
    .insert(schema.account)
    .values({ id: newId(), accountId: id, providerId: 'credential', userId: id, password: await hash })
  return id
}

/** People with accounts of one password, each in browsers at addresses of their own. */
export function peopleOf(api: { services: Services }, handle: Handle, password: string) {
  let addresses = 0
  const browser = () => new Browser(handle, 'http://localhost:3000', `10.0.${++addresses}.1`)
  const signIn = (one: Browser, email: string, secret = password) =>
    one.post('sign-in/email', { email, password: secret })
  const newEmail = () => `ada-${newId()}@example.org`
  return {
    browser,
    signIn,
    newEmail,
    async account(email = newEmail()) {
      await addAccount(api.services, email, password)
      return email
    },
    async signedIn(email: string) {
      const ada = browser()
      const { status, text } = await signIn(ada, email)
      if (status !== 200) throw new Error(text)
      return ada
    },
    /** whose session it is */
    personOf: async (one: Browser): Promise<string | undefined> =>
      (await one.get('get-session')).body?.user?.id,
  }
}
