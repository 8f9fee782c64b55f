import 'server-only'
import type { z } from 'zod'
import { getAuth, NOT_FROM_HERE, ownerFor, sessionHeaders, signInHeaders } from '@/lib/auth'
import { getServices, type Services } from '@/lib/runtime'
import { ownOrigin } from '@/lib/runtime/front/request-origin'
import { type Description, defineOpenOperation, type Operation } from '../api/operation'
import { checkOrigin } from '../http/admit'
import { RequestRefusedError } from '../http/problem'
import { readBody } from '../http/read-body'
import { withProblem } from './identity-answers'

/** Names, addresses and passwords are short. */
const BODY = { bytes: 10_000, values: 50 }

/** A checked request to the identity service, with its body. */
export interface IdentityCall<Body = unknown> {
  services: Services
  request: Request
  body: Body
  /** the request's headers as the identity service reads them */
  headers: Headers
  /** sends a body to the identity service, to the address of the request unless given; `null` asks with `GET` */
  ask(body: object | null, path?: string): Promise<Response>
}

/** A `POST` below `/api/auth/`, answered by the identity service once the request has passed the same checks as any other. */
export function defineIdentityOperation<Body extends z.ZodType>(
  record: Omit<Description, 'method' | 'tag' | 'asks' | 'input'> & {
    body: Body
    /** limits of the body that differ from those of names, addresses and passwords */
    limits?: typeof BODY
    use(call: IdentityCall<z.output<Body>>): Promise<Response>
  },
): Operation {
  const { use, body: schema, ...description } = record
  const handle = async (request: Request): Promise<Response> => {
    const services = await getServices()
    const { BETTER_AUTH_URL } = services.env
    checkOrigin(request, BETTER_AUTH_URL)
    if ((await services.owner.isAlone()) && !(await ownerFor(request))) {
      throw new RequestRefusedError(403, 'not_from_here', NOT_FROM_HERE)
    }
    const body = schema.parse(await readBody(request, description.limits ?? BODY))
    // the origin that the client used: the identity service compares it with the address of the request
    const own = ownOrigin(request.headers, BETTER_AUTH_URL) ?? new URL(request.url).origin
    const headers = new Headers(await sessionHeaders(request.headers))
    // the origin was checked above; a script sends none, and the identity service wants one beside every cookie
    headers.set('origin', own)
    const ask = async (given: object | null, path = description.path.replace('/api/auth/', '')) => {
      const auth = await getAuth()
      const asked = {
        headers: await signInHeaders(headers),
        ...(given === null ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(given) }),
      }
      return auth.handler(new Request(`${own}/api/auth/${path}`, asked))
    }
    return withProblem(await use({ services, request, body, headers, ask }))
  }
  const common = { method: 'post', tag: 'Access', asks: 'anyone', input: { body: schema } } as const
  return defineOpenOperation({ ...description, ...common, use: handle })
}
