import { readHealth } from '@/lib/server/api/health'

export const dynamic = 'force-dynamic'

/** `GET /api/health`: whether the database answers within half a second, whether replies are worked on here, and what is degraded. */
export async function GET(): Promise<Response> {
  const health = await readHealth()
  return Response.json(health, {
    status: health.database === 'ok' ? 200 : 503,
    headers: { 'cache-control': 'no-store' },
  })
}
