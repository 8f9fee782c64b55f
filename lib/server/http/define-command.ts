import 'server-only'
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { type CommandKey, canonicalJson } from '@/lib/context'
import type { Ports } from '@/lib/conversations'
import { defineMethods, defineRoute } from './define-route'
import { RequestRefusedError } from './problem'
import { readBody } from './read-body'

/** What a command's use case is given. */
interface CommandCall<Input> {
  ports: Ports
  ownerId: string
  input: Input
  /** from the header `Idempotency-Key` */
  once: CommandKey | undefined
}

/** The methods of `/api/commands/{name}`: a `POST` that takes `schema` and answers `status`. */
export const defineCommand = <Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  status: 201 | 202,
  use: (call: CommandCall<z.output<Schema>>) => Promise<object>,
) =>
  defineMethods({
    POST: defineRoute(
      async ({ request, viewer, services }) => {
        const body = await readBody(request)
        const once = keyOf(request, name, body)
        const call = { ports: services.ports, ownerId: viewer.id, input: schema.parse(body), once }
        return Response.json(await use(call), { status, headers: { 'cache-control': 'no-store' } })
      },
      { names: 'Thread' },
    ),
  })

/** Equal bodies are the same command, in whatever order their fields come. */
function keyOf(request: Request, route: string, body: object): CommandKey | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new RequestRefusedError(
      400,
      'invalid',
      'An Idempotency-Key has 1 to 255 printable ASCII characters.',
    )
  }
  return { key, route, bodyHash: createHash('sha256').update(canonicalJson(body)).digest('hex') }
}
