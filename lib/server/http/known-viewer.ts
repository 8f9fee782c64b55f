import 'server-only'
import { bearerOf, requireViewer, UnauthenticatedError, type Viewer } from '@/lib/auth'
import { clientAddress } from './client-address'
import { checkStranger } from './rate-limit'

/**
 * The viewer of a route's request. Requests without one are counted by their address: what brings no session and no key
 * before anything is looked up, what brings a wrong one after.
 */
export async function knownViewer(request: Request, perMinute: number): Promise<Viewer> {
  const address = clientAddress(request)
  if (bearerOf(request) === undefined && !request.headers.has('cookie')) {
    checkStranger(address, perMinute)
    throw new UnauthenticatedError('session')
  }
  try {
    return await requireViewer(request, address)
  } catch (error) {
    if (error instanceof UnauthenticatedError) checkStranger(address, perMinute)
    throw error
  }
}
