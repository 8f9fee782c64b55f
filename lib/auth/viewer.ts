import 'server-only'
import { headers } from 'next/headers'
import { getServices, onBehalfOf } from '@/lib/runtime'
import { getAuth } from './auth'
import { bearerOf } from './bearer'

/** Whoever is asking. */
export interface Viewer {
  id: string
  name: string
  guest: boolean
  /** what says so: a session of a browser, or a key of a script */
  credential: { kind: 'session' | 'key'; id: string }
}

/** Nobody is signed in, not even as a guest; or the key that was sent is wrong or revoked. */
export class UnauthenticatedError extends Error {
  override readonly name = 'UnauthenticatedError'

  constructor(readonly lacks: 'session' | 'key') {
    super(lacks === 'key' ? 'No such key' : 'No session')
  }
}

/** The viewer of the current request by its session cookie; null before the first write. */
export async function readViewer(): Promise<Viewer | null> {
  const auth = await getAuth()
  const sent = await headers()
  // whose it is the answer tells; until then the cookie stands for the person
  const session = await onBehalfOf(sent.get('cookie') ?? '', () => auth.api.getSession({ headers: sent }))
  if (!session) return null
  const { id, name, isAnonymous } = session.user
  return { id, name, guest: isAnonymous ?? false, credential: { kind: 'session', id: session.session.id } }
}

/**
 * As `readViewer`, but rejects with `UnauthenticatedError`. With the request of a route, a bearer token decides: a key
 * that is wrong or revoked is nobody's, whatever cookie stands beside it.
 */
export async function requireViewer(request?: Request): Promise<Viewer> {
  const key = request && bearerOf(request)
  if (key !== undefined) {
    const { apiKeys } = await getServices()
    const holder = await onBehalfOf(key, () => apiKeys.holder(key))
    if (!holder) throw new UnauthenticatedError('key')
    const { keyId, ...person } = holder
    return { ...person, credential: { kind: 'key', id: keyId } }
  }
  const viewer = await readViewer()
  if (!viewer) throw new UnauthenticatedError('session')
  return viewer
}
