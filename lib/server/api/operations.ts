import 'server-only'
import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Health } from '@/lib/protocol'
import { health } from '@/lib/protocol/health'
import { getServices, HealthProbe, hasWorker, telemetry, within } from '@/lib/runtime'
import { keepAwake, workOnce } from '../http/background'
import { RequestRefusedError } from '../http/problem'
import { defineOpenOperation } from './operation'

/** Longest wait for a process that still opens its database, in ms. */
const PATIENCE = 150

export const checkHealth = defineOpenOperation({
  id: 'readHealth',
  method: 'get',
  path: '/api/health',
  tag: 'Operations',
  asks: 'anyone',
  summary: 'Check health',
  description:
    'Whether the database answers within 0.8 s, whether this process writes replies, and what is degraded.',
  output: {
    description: 'The database answers; `degraded` lists what else does not work as it should.',
    schema: health,
    example: { status: 'ok', database: 'ok', worker: 'on', degraded: [] },
  },
  others: [
    {
      status: 503,
      description: 'The database does not answer.',
      schema: health,
      example: {
        status: 'degraded',
        database: 'unreachable',
        worker: 'on',
        degraded: [{ what: 'database', detail: 'The database cannot be reached.' }],
      },
    },
  ],
  async use() {
    const found = await readHealth()
    const status = found.database === 'ok' ? 200 : 503
    return Response.json(found, { status, headers: { 'cache-control': 'no-store' } })
  },
})

let probe: Promise<HealthProbe> | undefined

/** The state of this process, within a second. */
async function readHealth(): Promise<Health> {
  const worker = hasWorker(process.env) ? 'on' : 'off'
  try {
    const opened = await within(PATIENCE, openProbe(worker))
    if (opened) return await opened.read()
  } catch {
    // the answer itself names the fault; the log has the error of the work that needed the database
  }
  const detail = 'The database is not open.'
  return { status: 'degraded', database: 'unreachable', worker, degraded: [{ what: 'database', detail }] }
}

function openProbe(worker: 'on' | 'off'): Promise<HealthProbe> {
  probe ??= getServices().then(({ database, pulse, env }) => {
    // an embedded database has a folder, unless it is in memory
    const isInFolder = database.kind === 'pglite' && !env.RAMIFY_DATA_DIR.startsWith('memory://')
    const dataDir = isInFolder ? env.RAMIFY_DATA_DIR : undefined
    return new HealthProbe({ database, pulse, worker, telemetry: telemetry(), dataDir })
  })
  // the next request tries again when it could not be opened
  probe.catch(() => {
    probe = undefined
  })
  return probe
}

export const describeApi = defineOpenOperation({
  id: 'describe',
  method: 'get',
  path: '/api/openapi.json',
  tag: 'Operations',
  asks: 'anyone',
  summary: 'Read API description',
  output: {
    description: 'An OpenAPI 3.1 document.',
    schema: z.looseObject({ openapi: z.string() }),
  },
  async use() {
    // made from every record: a first request of another kind does not wait for it
    const { apiDocument } = await import('./openapi')
    return Response.json(apiDocument, {
      headers: { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' },
    })
  },
})

/** A scheduler may send either method: hosts send `GET`, which is safe here because no browser sends the secret. */
const workBy = (method: 'get' | 'post') =>
  defineOpenOperation({
    method,
    path: '/api/cron/replies',
    tag: 'Operations',
    asks: 'scheduler',
    id: method === 'get' ? 'workOnce' : 'workOnceByPost',
    summary: method === 'get' ? 'Do background work' : 'Do background work by POST',
    description:
      'For hosts where no process lives long: a scheduler calls this address each minute. It needs `CRON_SECRET` as a bearer token; without that setting the address does not exist.',
    output: {
      description: 'What was done.',
      schema: z.object({ taken: z.int(), indexed: z.int(), forgotten: z.int(), followed: z.int() }),
      example: { taken: 1, indexed: 2, forgotten: 0, followed: 9 },
    },
    use: work,
  })

export const doWork = workBy('get')
export const doWorkByPost = workBy('post')

/** The work of a worker, and its regular deletions. */
async function work(request: Request): Promise<Response> {
  const services = await getServices()
  const { env, chores } = services
  if (!env.CRON_SECRET) throw new RequestRefusedError(404, 'not_found', 'Not found')
  if (!isSame(request.headers.get('authorization') ?? '', `Bearer ${env.CRON_SECRET}`)) {
    throw new RequestRefusedError(401, 'unauthorized', 'This address needs its secret as a bearer token.')
  }
  const { taken, indexed, followed, ended } = await workOnce(services)
  // the answer need not wait for the models
  keepAwake(services.ports, ended)
  const { 'indexing for search': _, 'deleting the logs of stored replies': forget, ...others } = chores
  const [forgotten] = await Promise.all([forget(), ...Object.values(others).map((chore) => chore())])
  return Response.json({ taken, indexed, forgotten, followed }, { headers: { 'cache-control': 'no-store' } })
}

/** Compares in a time that does not depend on where two texts differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
