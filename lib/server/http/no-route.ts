import 'server-only'
import { problemResponse } from './define-route'
import { RequestRefusedError } from './problem'

const refuse = async (): Promise<Response> =>
  problemResponse(new RequestRefusedError(404, 'not_found', 'There is nothing at this address.'))

/** An address of the API that nothing is at, for every method. */
export const noRoute = {
  GET: refuse,
  HEAD: refuse,
  POST: refuse,
  PUT: refuse,
  PATCH: refuse,
  DELETE: refuse,
  OPTIONS: refuse,
}
