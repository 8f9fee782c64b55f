import 'server-only'
import { getServices } from '@/lib/runtime'

interface Health {
  status: 'ok' | 'degraded'
  database: 'ok' | 'unreachable'
  worker: 'on' | 'off'
}

/** How this process is, answered in half a second at the latest. */
export async function readHealth(): Promise<Health> {
  const worker = process.env.RAMIFY_WORKER === 'off' ? 'off' : 'on'
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('late')), 500)
  try {
    await Promise.race([getServices().then(({ database }) => database.ping()), late])
    return { status: 'ok', database: 'ok', worker }
  } catch {
    // the answer itself says what is wrong; the log has the error of whoever needed the database
    return { status: 'degraded', database: 'unreachable', worker }
  } finally {
    clearTimeout(timer)
  }
}
