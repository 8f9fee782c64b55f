import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { allOperations } from '@/lib/server/api'
import { handleAuth } from '@/lib/server/api/access'
import { routesBelow } from '@/lib/server/http/routes'
import { answerMcp } from '@/lib/server/mcp/endpoint'
import { oauthMetadata } from '@/lib/server/oauth/metadata'
import { cameFrom, inRequestOf } from './framework'
import { Browser } from './identity-world'
import { openMcpWorld } from './mcp-world'
import type { DatabaseKind } from './open-stores'

const route = routesBelow('', [
  ...allOperations,
  ...oauthMetadata,
  { method: 'post', path: '/mcp', handle: answerMcp },
])

async function dispatch(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const path = pathname.slice(1).split('/').map(decodeURIComponent)
  return inRequestOf(request, async () =>
    pathname.startsWith('/api/auth/')
      ? handleAuth(request)
      : route[request.method as keyof typeof route](request, { params: Promise.resolve({ path }) }),
  )
}

/** Over HTTP all come from this machine: a request says in `x-test-address` where it would come from, or that is unknown. */
async function dispatchServed(request: Request): Promise<Response> {
  for (const [name, value] of Object.entries(cameFrom(request.headers.get('x-test-address') ?? 'unknown')))
    request.headers.set(name, value)
  return dispatch(request)
}

/** An app with the unmodified client of the protocol, which keeps what it is told in memory. */
export class App implements OAuthClientProvider {
  client: OAuthClientInformationMixed | undefined
  held: OAuthTokens | undefined
  /** where it sends the person */
  asked: URL | undefined
  #verifier = ''

  constructor(
    readonly world: { url: URL },
    readonly clientMetadata: OAuthClientMetadata,
  ) {}

  get redirectUrl() {
    return this.clientMetadata.redirect_uris[0] as string
  }
  state = () => 'state-of-the-app'
  clientInformation = () => this.client
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client
  }
  tokens = () => this.held
  saveTokens(tokens: OAuthTokens) {
    this.held = tokens
  }
  redirectToAuthorization(url: URL) {
    this.asked = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  invalidateCredentials(which: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (which === 'all' || which === 'tokens') this.held = undefined
    if (which === 'all' || which === 'client') this.client = undefined
  }

  transport = (asked: typeof fetch = fetch) =>
    new StreamableHTTPClientTransport(this.world.url, { authProvider: this, fetch: asked })

  /** A client that has connected, and has been told that there is no stream to listen to: it asks for one by itself. */
  async connect(): Promise<Client> {
    const client = new Client({ name: 'tested', version: '1.0.0' })
    const listened = Promise.withResolvers<void>()
    const asked: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init)
      if (init?.method === 'GET' && answer.status === 405) listened.resolve()
      return answer
    }
    await client.connect(this.transport(asked))
    await listened.promise
    return client
  }
}

async function told(answer: Response) {
  const text = await answer.text()
  return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}
type Told = Awaited<ReturnType<typeof told>>
type OAuthWorld = Awaited<ReturnType<typeof openOAuthWorld>>
export type Person = Awaited<ReturnType<OAuthWorld['someone']>>

/** Opens the world: the addresses of OAuth, those of accounts, and `/mcp`, served over HTTP. */
export async function openOAuthWorld(kind: DatabaseKind, env: Record<string, string> = {}) {
  const secret = { BETTER_AUTH_SECRET: 'a-secret-for-these-tests-and-nothing-else' }
  const served = await openMcpWorld(kind, dispatchServed, { ...secret, ...env })
  const { origin } = served.url
  return {
    ...served,
    origin,
    app: (metadata: Partial<OAuthClientMetadata> = {}) =>
      new App(served, {
        client_name: 'My agent',
        redirect_uris: ['http://localhost:33418/callback'],
        token_endpoint_auth_method: 'none',
        ...metadata,
      }),
    /** a person with an account, in a browser */
    async someone(of: 'account' | 'guest' = 'account') {
      const browser = new Browser(dispatch, origin)
      const { id }: { id: string } = (await browser.post('sign-in/anonymous')).body.user
      // as good as one that has signed in with a password, which takes long
      if (of === 'account')
        await served.services.database.query('update "user" set is_anonymous = false where id = $1', [id])
      const ask = async (path: string, init: RequestInit = {}) =>
        told(
          await fetch(`${origin}/api/oauth/${path}`, {
            ...init,
            headers: { cookie: browser.cookie, origin, 'content-type': 'application/json', ...init.headers },
          }),
        )
      return {
        id,
        browser,
        /** does what the page of consent does */
        letIn(
          asked: URL | string,
          { scopes, person = id, origin: from }: { scopes?: string[]; person?: string; origin?: string } = {},
        ) {
          const query = new URL(asked, origin).search.slice(1)
          const wanted = new URLSearchParams(query).get('scope')?.split(' ') ?? ['read', 'write']
          return ask('grants', {
            method: 'POST',
            body: JSON.stringify({ query, person, scopes: scopes ?? wanted }),
            ...(from && { headers: { origin: from } }),
          })
        },
        apps: () => ask('grants'),
        disconnect: (grant: string) => ask(`grants/${grant}`, { method: 'DELETE' }),
      }
    },
    /** sends a form, as an app does */
    form: async (
      path: string,
      fields: Record<string, string> | [string, string][],
      headers: Record<string, string> = {},
    ) =>
      told(
        await fetch(`${origin}/api/oauth/${path}`, {
          method: 'POST',
          body: new URLSearchParams(fields),
          headers,
        }),
      ),
    register: async (metadata: unknown, headers: Record<string, string> = {}) =>
      told(
        await fetch(`${origin}/api/oauth/register`, {
          method: 'POST',
          body: JSON.stringify(metadata),
          headers: { 'content-type': 'application/json', ...headers },
        }),
      ),
  }
}

/** The code that an answer of the page leads back to the app with. */
export const codeIn = (answer: Told): string =>
  new URL(answer.body.redirect_to).searchParams.get('code') ?? ''
