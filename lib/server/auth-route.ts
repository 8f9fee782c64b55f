import 'server-only'
import { getAuth } from '@/lib/auth'
import { problemResponse } from './define-route'

/** Everything under `/api/auth`, answered by the identity service. */
export async function handleAuth(request: Request): Promise<Response> {
  try {
    return await (await getAuth()).handler(request)
  } catch (error) {
    return problemResponse(error)
  }
}
