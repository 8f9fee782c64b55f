import 'server-only'
import { createHash, timingSafeEqual } from 'node:crypto'
import { after } from 'next/server'
import { takeOverRuns } from '@/lib/conversations'
import { getServices } from '@/lib/runtime'
import { problemResponse } from '../http/define-route'
import { RequestRefusedError } from '../http/problem'
import { noteRefusal } from '../http/refused-access'

/** Replies one call takes on; the next call finds the rest. */
const MOST_REPLIES = 20
/** How long the parts of a reply are kept once it is stored, and the answers to commands, in ms. */
const KEEP_PARTS = 60_000
const KEEP_ANSWERS = 48 * 3_600_000

/**
 * What a worker does, once: for places without long-lived processes. Only who knows `CRON_SECRET` may call it, as a
 * bearer token; without one it does not exist. Called twice, or by two at once, every waiting reply is taken once.
 */
export async function workOnce(request: Request): Promise<Response> {
  try {
    const { env, ports, store, followLog, tidyAccess, forgetUnused } = await getServices()
    if (!env.CRON_SECRET) throw new RequestRefusedError(404, 'not_found', 'Not found')
    if (!isSame(request.headers.get('authorization') ?? '', `Bearer ${env.CRON_SECRET}`)) {
      throw new RequestRefusedError(401, 'unauthorized', 'This address needs its secret as a bearer token.')
    }
    const { taken, ended } = await takeOverRuns(ports, MOST_REPLIES)
    // the answer need not wait for the models
    after(() => ended)
    const [indexed, forgotten, followed] = await Promise.all([
      store.indexPending(),
      ports.log.prune(KEEP_PARTS),
      followLog(),
      ports.commands.forgetAnswers(KEEP_ANSWERS),
      tidyAccess(),
      forgetUnused(),
    ])
    return Response.json(
      { taken, indexed, forgotten, followed: followed.events },
      { headers: { 'cache-control': 'no-store' } },
    )
  } catch (error) {
    noteRefusal(error, request)
    return problemResponse(error)
  }
}

/** Compares in a time that says nothing of where two texts differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
