import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { RunRecord } from '@/lib/context'
import { type Database, schema } from '@/lib/db'

const { branches, chats, runs } = schema

const columns = {
  chatId: runs.chatId,
  runId: runs.id,
  branchId: runs.branchId,
  replyTo: runs.replyTo,
  replyId: runs.replyId,
  model: runs.model,
  contextId: runs.contextId,
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
  async findByMessage(chatId: string, replyTo: string): Promise<RunRecord | undefined> {
    const [row] = await this.database.orm
      .select(columns)
      .from(runs)
      .where(and(eq(runs.chatId, chatId), eq(runs.replyTo, replyTo)))
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

  /** Holds a run for another `leaseMs` milliseconds; false when it is over or somebody else has taken it. */
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
   * Takes the runs whose holder has died, for `leaseMs` milliseconds, and counts the attempt. Their fence rises, so
   * a holder that was only asleep is refused when it wakes.
   */
  async takeExpired(leaseMs: number): Promise<RunRecord[]> {
    return this.database.orm
      .update(runs)
      .set({
        status: 'running',
        fence: sql`${runs.fence} + 1`,
        attempt: sql`${runs.attempt} + 1`,
        leaseUntil: leaseEnd(leaseMs),
      })
      .where(and(isLive, lt(runs.leaseUntil, sql`clock_timestamp()`)))
      .returning(columns)
  }
}
