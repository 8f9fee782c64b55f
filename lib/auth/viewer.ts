import 'server-only'
import { headers } from 'next/headers'
import { getAuth } from './auth'

/** Whoever is asking. */
export interface Viewer {
  id: string
  name: string
  guest: boolean
}

/** Nobody is signed in, not even as a guest. */
export class UnauthenticatedError extends Error {
  override readonly name = 'UnauthenticatedError'
}

/** The viewer of the current request by its session cookie; null before the first write. */
export async function readViewer(): Promise<Viewer | null> {
  const auth = await getAuth()
  const session = await auth.api.getSession({ headers: await headers() })
  if (!session) return null
  const { id, name, isAnonymous } = session.user
  return { id, name, guest: isAnonymous ?? false }
}

/** As `readViewer`, but rejects with `UnauthenticatedError`. */
export async function requireViewer(): Promise<Viewer> {
  const viewer = await readViewer()
  if (!viewer) throw new UnauthenticatedError('No session')
  return viewer
}
