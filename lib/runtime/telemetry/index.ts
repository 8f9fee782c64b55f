import type { Ports } from '@/lib/conversations'
import type { Database } from '@/lib/db'
import { EnvError } from '../env'
import { observePorts } from './observe-ports'
import { openStreams, setTelemetry, type Telemetry, telemetry } from './telemetry'

export { streamBegins, type Telemetry, telemetry } from './telemetry'

/**
 * The telemetry that the environment asks for, one for a process; undefined without `OTEL_EXPORTER_OTLP_ENDPOINT`, and
 * then OpenTelemetry is not loaded.
 */
export async function openTelemetry(
  source: Readonly<Record<string, string | undefined>>,
): Promise<Telemetry | undefined> {
  const endpoint = source.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return undefined
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new EnvError('OTEL_EXPORTER_OTLP_ENDPOINT must be an address like http://localhost:4318')
  }
  const running = telemetry()
  if (running) return running
  const { startTelemetry } = await import('./start-telemetry')
  const started = startTelemetry({
    endpoint,
    serviceName: source.OTEL_SERVICE_NAME,
    followCallers: Boolean(source.RAMIFY_TRUSTED_PROXIES),
    metricsMs: positive(source.OTEL_METRIC_EXPORT_INTERVAL),
    tracesMs: positive(source.OTEL_BSP_SCHEDULE_DELAY),
    log: (line) => console.error(line),
    onStop: () => telemetry() === started && setTelemetry(undefined),
  })
  setTelemetry(started)
  return started
}

const positive = (text: string | undefined) => (Number(text) > 0 ? Number(text) : undefined)

/**
 * Returns a function that wraps ports so that they report to telemetry, and reports the figures of the process. Without
 * telemetry it returns ports unchanged.
 */
export function observing(to: Telemetry | undefined, database: Database): (ports: Ports) => Ports {
  if (!to) return (ports) => ports
  to.gauge('queue.runs', async () => {
    const rows = await database.query<{ status: string; value: number }>(LIVE_RUNS)
    return rows.map(({ status, value }) => ({ value, attributes: { status } }))
  })
  to.gauge('streams', () => [...openStreams()].map(([kind, value]) => ({ value, attributes: { kind } })))
  to.gauge('pool.connections', () => {
    const { used, waiting } = database.load()
    return [
      { value: used, attributes: { state: 'used' } },
      { value: waiting, attributes: { state: 'waiting' } },
    ]
  })
  return observePorts(to)
}

const LIVE_RUNS = `select s.status, count(r.id)::int as value
from (values ('queued'), ('running')) as s(status)
left join runs r on r.status = s.status and r.status in ('queued', 'running')
group by s.status`
