import { and, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { ClaimedRun, RunRecord } from '@/lib/context'
import { type Database, schema } from '@/lib/db'
import { queryIn } from '../commit/append'

const { branches, chats, runs } = schema

const columns = {
  chatId: runs.chatId,
  runId: runs.id,
  branchId: runs.branchId,
  replyTo: runs.replyTo,
  replyId: runs.replyId,
  model: runs.model,
  contextId: runs.contextId,
  answers: runs.answers,
  continues: runs.continues,
  fence: runs.fence,
  attempt: runs.attempt,
  status: runs.status,
}

const isLive = inArray(runs.status, ['queued', 'running'])

const leaseEnd = (leaseMs: number): SQL =>
  sql`clock_timestamp() + ${leaseMs}::double precision * interval '1 millisecond'`

/** Reads runs and keeps their leases; beginning and ending one is part of a change (`ContextStore.commit`). */
export class RunStore {
  constructor(private readonly database: Database) {}

  /** A run of a chat that the caller may see. */
  async get(chatId: string, runId: string): Promise<RunRecord | undefined> {
    const [row] = await this.database.orm
      .select(columns)
      .from(runs)
      .where(and(eq(runs.chatId, chatId), eq(runs.id, runId)))
    return row
  }

  /** A run of an owner's chat. */
  async find(ownerId: string, chatId: string, runId: string): Promise<RunRecord | undefined> {
    const [row] = await this.database.orm
      .select(columns)
      .from(runs)
      .innerJoin(chats, eq(chats.id, runs.chatId))
      .where(and(eq(chats.userId, ownerId), eq(runs.chatId, chatId), eq(runs.id, runId)))
    return row
  }

  /** The latest run that answers a message; for a turn that is sent twice. */
  findByMessage(chatId: string, replyTo: string): Promise<RunRecord | undefined> {
    return this.#latest(chatId, eq(runs.replyTo, replyTo))
  }

  /** The latest run with this reply; for answers that are sent twice. */
  findByReply(chatId: string, replyId: string): Promise<RunRecord | undefined> {
    return this.#latest(chatId, eq(runs.replyId, replyId))
  }

  async #latest(chatId: string, which: SQL): Promise<RunRecord | undefined> {
    const [row] = await this.database.orm
      .select(columns)
      .from(runs)
      .where(and(eq(runs.chatId, chatId), which))
      .orderBy(desc(runs.createdAt), desc(runs.id))
      .limit(1)
    return row
  }

  /** The live run of a branch of an owner's chat: by name or id, else of the active branch. */
  async live(ownerId: string, chatId: string, branch?: string): Promise<RunRecord | undefined> {
    const named =
      branch === undefined
        ? eq(branches.id, chats.activeBranchId)
        : sql`${branch} in (${branches.id}, ${branches.name})`
    const [row] = await this.database.orm
      .select(columns)
      .from(runs)
      .innerJoin(chats, eq(chats.id, runs.chatId))
      .innerJoin(branches, and(eq(branches.chatId, runs.chatId), eq(branches.id, runs.branchId)))
      .where(and(eq(chats.userId, ownerId), eq(runs.chatId, chatId), named, isLive))
      .orderBy(desc(sql`${branches.id} = ${branch ?? ''}`))
      .limit(1)
    return row
  }

  /** The live runs that answer a message of an owner's chat. */
  async liveAnswers(ownerId: string, chatId: string, replyTo: string): Promise<RunRecord[]> {
    return this.database.orm
      .select(columns)
      .from(runs)
      .innerJoin(chats, eq(chats.id, runs.chatId))
      .where(and(eq(chats.userId, ownerId), eq(runs.chatId, chatId), eq(runs.replyTo, replyTo), isLive))
  }

  /** Holds a run for another `leaseMs` milliseconds; false when it is over or was taken over. */
  async renew(run: RunRecord, leaseMs: number): Promise<boolean> {
    const rows = await this.database.orm
      .update(runs)
      .set({ leaseUntil: leaseEnd(leaseMs) })
      .where(
        and(
          eq(runs.chatId, run.chatId),
          eq(runs.id, run.runId),
          eq(runs.fence, run.fence),
          eq(runs.status, 'running'),
        ),
      )
      .returning({ id: runs.id })
    return rows.length > 0
  }

  /**
   * Takes runs that wait for a process, in turns by person: queued runs, and runs whose holder has died.
   * Holds them for `leaseMs` milliseconds. Their fence rises, so a holder that was only asleep is refused
   * when it wakes. Every attempt that died makes the next one wait a little longer, up to 4 s. Over all
   * processes at most `perPerson` runs of a person are running afterwards, besides runs that were taken over.
   */
  async claim(leaseMs: number, wish: ClaimWish): Promise<Claimed> {
    const { total, general = total, perPerson, few = 0, storing = {}, except = [] } = wish
    // JSON has no infinity: no limit is no number
    const most = Number.isFinite(perPerson) ? perPerson : undefined
    const asked = { leaseMs, total, general, few, perPerson: most, storing, except }
    return this.database.orm.transaction(async (tx) => {
      // claims wait for each other: each counts the runs that the one before has claimed, in a statement after the lock
      await tx.execute(sql`select pg_advisory_xact_lock(727275)`)
      const [claimed] = await queryIn(tx)<Claimed>(claimSql, [JSON.stringify(asked)])
      return claimed ?? { runs: [], waiting: 0 }
    })
  }

  /** Takes one run that is queued; undefined when it is not, or another process is taking it. */
  async claimOne(chatId: string, runId: string, leaseMs: number): Promise<ClaimedRun | undefined> {
    const queued = `r.chat_id = $2 and r.id = $3 and r.status = 'queued'`
    const [run] = await this.database.query<ClaimedRun>(takeSql(queued, 'skip locked'), [
      leaseMs,
      chatId,
      runId,
    ])
    return run
  }

  /** Counts the replies of a person that are being written, over all processes. */
  async countWriting(ownerId: string): Promise<number> {
    const [row] = await this.database.orm
      .select({ count: count() })
      .from(runs)
      .innerJoin(chats, eq(chats.id, runs.chatId))
      .where(and(eq(chats.userId, ownerId), eq(runs.status, 'running')))
    return row?.count ?? 0
  }

  /** Takes one run even from a live holder: a stop request does not wait for a holder that does not answer. */
  async seize(chatId: string, runId: string, leaseMs: number): Promise<ClaimedRun | undefined> {
    const live = `r.chat_id = $2 and r.id = $3 and r.status in ('queued', 'running')`
    const [run] = await this.database.query<ClaimedRun>(takeSql(live, ''), [leaseMs, chatId, runId])
    return run
  }

  /** Asks a live run to stop; its holder sees that with the next words it logs. */
  async requestStop(chatId: string, runId: string): Promise<void> {
    await this.database.orm
      .update(runs)
      .set({ stopAt: sql`coalesce(${runs.stopAt}, clock_timestamp())` })
      .where(and(eq(runs.chatId, chatId), eq(runs.id, runId), isLive))
  }
}

/** The limits of a claim. */
export interface ClaimWish {
  /** runs at most */
  total: number
  /** runs among them whose persons have `few` or more running; without it all */
  general?: number
  few?: number
  /** a person's running runs at most; without it any number */
  perPerson?: number
  /** by person, the turns that are being stored as running and count as that already */
  storing?: Readonly<Record<string, number>>
  /** ids of runs that are held, also with an expired lease */
  except?: readonly string[]
}

/** The claimed runs, and how many still wait. */
export interface Claimed {
  runs: (ClaimedRun & { ownerId: string })[]
  waiting: number
}

/** A run as it is claimed. */
const claimedColumns = `r.chat_id as "chatId", r.id as "runId", r.branch_id as "branchId", r.reply_to as "replyTo",
  r.reply_id as "replyId", r.model, r.context_id as "contextId", r.answers, r.continues, r.fence, r.attempt,
  r.status, r.stop_at is not null as stopping`

/** The holder of a run has died. Every attempt that died makes the next one wait a little longer. */
const isAbandoned = `r.status = 'running'
  and r.lease_until + (least(2 ^ r.attempt - 2, 4) * interval '1 second') < clock_timestamp()`

/**
 * One person's live runs count in this order: held ones, those whose holder has died, queued ones, oldest first.
 * The number of a run in that order is its round: lower rounds go first, a queued run above `perPerson` waits, and above
 * `few` a run takes only a general place. A run whose holder has died is among the running ones already, so `perPerson` does
 * not hold it back. $1 the wish; `storing`: by person, the turns that have a place and are not stored yet
 */
const claimSql = `
with q as materialized (
  select * from json_to_record($1::json) as x("leaseMs" double precision, total int, general int, few int,
    "perPerson" int, storing jsonb, "except" text[])
), live as (
  select r.chat_id, r.id, r.created_at, k.user_id, r.status = 'queued' as queued,
    ${isAbandoned} and r.id <> all (q."except") as abandoned
  from q, runs r join chats k on k.id = r.chat_id where r.status in ('queued', 'running')
), ranked as (
  select l.*, coalesce((q.storing ->> l.user_id)::int, 0) + row_number() over (partition by l.user_id
    order by l.queued, l.abandoned, l.created_at, l.id) as round
  from q, live l
), fit as (
  select k.*, row_number() over (order by k.round, k.created_at, k.id) as place
  from q, ranked k where k.abandoned or (k.queued and (q."perPerson" is null or k.round <= q."perPerson"))
), wanted as (
  select r.chat_id, r.id from q, runs r join fit f on f.chat_id = r.chat_id and f.id = r.id
  where f.place <= q.total and (f.place <= q.general or f.round <= q.few)
    -- checked again on the row as it is once it is locked
    and (r.status = 'queued' or ${isAbandoned})
  for no key update of r skip locked
), taken as (
  update runs r set status = 'running', fence = r.fence + 1, attempt = r.attempt + (r.status = 'running')::int,
    lease_until = clock_timestamp() + q."leaseMs" * interval '1 millisecond'
  from q, wanted w where r.chat_id = w.chat_id and r.id = w.id
  returning ${claimedColumns}
)
select (select count(*) from live l where l.queued or l.abandoned)::int - (select count(*) from taken)::int as waiting,
  (select coalesce(json_agg(to_jsonb(t) || jsonb_build_object('ownerId', f.user_id) order by f.place), '[]')
    from taken t join fit f on f.chat_id = t."chatId" and f.id = t."runId") as runs`

// $1 lease in ms; a queued run has had no attempt yet
const takeSql = (wanted: string, whenLocked: '' | 'skip locked'): string => `
with wanted as (
  select r.chat_id, r.id from runs r where ${wanted} for no key update ${whenLocked}
)
update runs r set status = 'running', fence = r.fence + 1, attempt = r.attempt + (r.status = 'running')::int,
  lease_until = clock_timestamp() + $1::double precision * interval '1 millisecond'
from wanted w where r.chat_id = w.chat_id and r.id = w.id
returning ${claimedColumns}`
