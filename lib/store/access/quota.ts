import { type Change, QuotaExceededError, type QuotaName } from '@/lib/context'
import type { Database } from '@/lib/db'

/** The day in UTC. */
export const today = `(clock_timestamp() at time zone 'UTC')::date`

/** Seconds until the daily limits begin anew, at midnight UTC. */
export const secondsLeftOfDay = (now: number): number => 86_400 - (Math.floor(now / 1000) % 86_400)

/** The limits; one without a number does not apply. */
export type QuotaLimits = Partial<Record<QuotaName, number>>

/** The limits that writes are counted against. */
export interface Counting {
  limits: QuotaLimits
  /** the network address that asks; without it (a worker) only the person and the site are counted */
  address?: string
  /** called with every refusal */
  onRefused?: (refusal: QuotaExceededError, address: string | undefined) => void
}

/** The use of one write. */
export interface Use {
  messages: number
  calls: number
  tokens: number
  /** size of the messages' bodies, as they are stored */
  bytes: number
  /** the end of a reply: counted, and never refused */
  ending: boolean
  /** events and opened branches of a change that was written */
  events?: number
  opened?: number
}

/** The use of a write that counts only by what it stores. */
const noUse: Use = { messages: 0, calls: 0, tokens: 0, bytes: 0, ending: false }

/**
 * The use of a change; `bodies` are those of its messages. Only a person's messages count as such; a reply counts by its call
 * and its tokens.
 */
export function takenBy({ steps, spent }: Change, bodies: readonly string[] = []): Use {
  const use = {
    ...noUse,
    tokens: spent?.tokens ?? 0,
    calls: spent?.calls ?? 0,
    ending: spent?.ending ?? false,
  }
  for (const body of bodies) use.bytes += Buffer.byteLength(body)
  for (const step of steps) {
    if (step.kind === 'append') {
      // imported messages have dates of their own and do not count against today
      if (step.dated === undefined)
        use.messages += step.messages.filter(({ name }) => name !== 'assistant').length
    } else if (step.kind === 'queue-run') use.calls += 1
    else if (step.kind === 'finish-run') use.ending = true
  }
  return use
}

/** The use of a model whose answer is not stored: its call before it is asked, and its tokens after, which are never refused. */
export const takenByModel = ({ calls, tokens }: Pick<Use, 'calls' | 'tokens'>): Use => ({
  ...noUse,
  calls,
  tokens,
  ending: calls === 0,
})

/** A use and what it is counted against, as `take_quota` takes them. */
export const quotaJson = (use: Use, { limits, address }: Counting): string =>
  JSON.stringify({ ...use, limits, address })

/**
 * The same error, with a refused quota reported. The refused write rolled back the person's stored sum that it worked out;
 * it is worked out again here and kept, so the next refusal costs no more than a write.
 */
export async function refusedBy(
  counting: Counting | undefined,
  database: Database,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof QuotaExceededError)) return error
  counting?.onRefused?.(error, counting.address)
  if (error.limit === 'bytes' || error.limit === 'chats')
    await database.query('select count_stored($1)', [error.person])
  return error
}

/** Locks what is noted of a person's stored sums, until the transaction ends. */
export const lockStored = (query: Database['query'], person: string) =>
  query(
    'insert into quota_person as q (user_id) values ($1) on conflict (user_id) do update set bytes = q.bytes',
    [person],
  )

/**
 * Counts a file that a person has stored, whose sums are locked.
 *
 * @throws {QuotaExceededError} then nothing of the transaction may stay
 */
export async function takeBytes(
  query: Database['query'],
  person: string,
  size: number,
  { limits, address }: Counting,
): Promise<void> {
  const refuseBeyond = (limit: 'bytes' | 'address_bytes', bytes: number, left: number | null) => {
    const allowed = limits[limit] ?? Number.POSITIVE_INFINITY
    if (bytes > allowed) throw new QuotaExceededError(limit, allowed, bytes - size, left, person)
  }
  const [stored] = await query<{ bytes: number }>('select bytes::float8 as bytes from count_stored($1)', [
    person,
  ])
  refuseBeyond('bytes', stored?.bytes ?? 0, null)
  if (address === undefined) return
  // the row, then the lock, as in `take_quota`
  await query(
    `insert into quota_use as q (scope, key, day, stripe, bytes) values ('address', $1, ${today}, hashtext($2) & 7, $3)
    on conflict (scope, key, day, stripe) do update set bytes = q.bytes + excluded.bytes`,
    [address, person, size],
  )
  await query('select pg_advisory_xact_lock(727276, hashtext($1))', [address])
  const [used] = await query<{ bytes: number }>(
    `select sum(bytes)::float8 as bytes from quota_use where scope = 'address' and key = $1 and day = ${today}`,
    [address],
  )
  refuseBeyond('address_bytes', used?.bytes ?? 0, secondsLeftOfDay(Date.now()))
}
