import { ProblemError, readProblem, sessionEnded } from './problem'
import { shared } from './shared'

export interface Api {
  /** `fetch` that rejects with a {@link ProblemError}, and signs in as a guest before the first write of a visitor */
  fetch: typeof fetch
  /** does something before every write that follows: they wait until it has ended, and `act` is given a `fetch` that does not */
  ahead<T>(act: (write: typeof fetch) => Promise<T>): Promise<T>
  /** signs a visitor without a session in as a guest */
  signIn(): Promise<void>
  /** signs in as a guest after the session has ended: only where the person asks for it */
  goOnAsGuest(): Promise<void>
}

/**
 * Requests of this page. A visitor becomes a guest with the first write, never before. A session that ends while
 * the page is open is not replaced: what the person writes, a key above all, would be a new guest's.
 *
 * @param onSignIn called with the guest's id when a guest identity was made
 */
export function createApi(options: { signedIn: boolean; onSignIn(id: string): void }): Api {
  const post = async () => {
    const response = await fetch('/api/auth/sign-in/anonymous', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    if (!response.ok) throw new ProblemError(await readProblem(response))
    const { user } = (await response.json()) as { user: { id: string } }
    hadSession = true
    options.onSignIn(user.id)
  }

  let hadSession = options.signedIn
  const signIn = options.signedIn ? () => Promise.resolve() : shared(post)
  let goOnAsGuest = shared(post)

  let ahead: Promise<unknown> = Promise.resolve()
  const isWrite = (init: RequestInit | undefined) => init?.method !== undefined && init.method !== 'GET'
  const request: typeof fetch = async (input, init) => {
    if (isWrite(init)) await signIn()
    const response = await fetch(input, init)
    if (response.status === 401 && hadSession) {
      goOnAsGuest = shared(post)
      throw new ProblemError(sessionEnded)
    }
    if (!response.ok) throw new ProblemError(await readProblem(response))
    return response
  }

  return {
    signIn,
    goOnAsGuest: () => goOnAsGuest(),
    async fetch(input, init) {
      if (isWrite(init)) await ahead
      return request(input, init)
    },
    ahead(act) {
      const acted = act(request)
      ahead = Promise.allSettled([ahead, acted])
      return acted
    },
  }
}

const gzip = 'application/gzip'

/** The JSON at an address. Long answers come compressed, see `compressedJson` of `lib/server`. */
export async function getJson<T>(api: Api, url: string, signal?: AbortSignal): Promise<T> {
  const response = await api.fetch(url, { signal, headers: { accept: `${gzip}, application/json` } })
  const isCompressed = response.headers.get('content-type') === gzip
  const body = isCompressed ? response.body?.pipeThrough(new DecompressionStream('gzip')) : response.body
  return (await new Response(body).json()) as T
}
