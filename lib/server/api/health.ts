import 'server-only'
import { getServices, type Health, HealthProbe, telemetry } from '@/lib/runtime'

/** How long a process that still opens its database is waited for, in ms. */
const PATIENCE = 500

let probe: Promise<HealthProbe> | undefined

/** How this process is, answered in a second at the latest. */
export async function readHealth(): Promise<Health> {
  const worker = process.env.RAMIFY_WORKER === 'off' ? 'off' : 'on'
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('late')), PATIENCE)
  try {
    const opened = await Promise.race([openProbe(worker), late])
    return await opened.read()
  } catch {
    // the answer itself says what is wrong; the log has the error of the work that needed the database
    const detail = 'The database is not open.'
    return {
      status: 'degraded',
      database: 'unreachable',
      worker,
      degraded: [{ what: 'database', detail }],
    }
  } finally {
    clearTimeout(timer)
  }
}

function openProbe(worker: 'on' | 'off'): Promise<HealthProbe> {
  probe ??= getServices().then(
    ({ database, pulse, env }) =>
      new HealthProbe({
        database,
        pulse,
        worker,
        telemetry: telemetry(),
        dataDir: folderOf(database.kind, env.RAMIFY_DATA_DIR),
      }),
  )
  // asked again when it could not be opened
  probe.catch(() => {
    probe = undefined
  })
  return probe
}

/** The folder of an embedded database; one in memory has none. */
const folderOf = (kind: 'postgres' | 'pglite', dataDir: string): string | undefined =>
  kind === 'pglite' && !dataDir.startsWith('memory://') ? dataDir : undefined
