import type { UIMessageChunk } from 'ai'
import type { Database } from '@/lib/db'

/** The next parts of a running reply, from the process that holds it. */
export interface LogEntry {
  chatId: string
  runId: string
  /** the writer's fence; after a takeover it is too low, and the entry is refused */
  fence: number
  attempt: number
  /** from 0 in each attempt, without gaps */
  number: number
  /** none, to ask only how the run stands */
  parts: UIMessageChunk[]
}

export interface LogState {
  status: 'queued' | 'running' | 'completed' | 'stopped' | 'failed'
  attempt: number
  /** number of the last entry in `parts`, or of the position asked for */
  number: number
  parts: UIMessageChunk[]
}

/** The parts of running replies in the database, for another tab, process or successor. */
export class RunLog {
  constructor(private readonly database: Database) {}

  /**
   * Adds entries of any number of runs in one statement. Returns the runs the caller still holds, and whether they
   * were asked to stop; a missing run is over or was taken over, and nothing was written for it.
   */
  async append(entries: readonly LogEntry[]): Promise<Map<string, { stopping: boolean }>> {
    const rows = await this.database.query<{ runId: string; stopping: boolean }>(appendSql, [
      JSON.stringify(entries),
    ])
    return new Map(rows.map(({ runId, stopping }) => [runId, { stopping }]))
  }

  /** State of a run, and its parts after an entry; all parts when the attempt is not `after.attempt`. */
  async read(
    chatId: string,
    runId: string,
    after: { attempt: number; number: number },
  ): Promise<LogState | undefined> {
    const [row] = await this.database.query<LogState & { parts: UIMessageChunk[][] }>(readSql, [
      chatId,
      runId,
      after.attempt,
      after.number,
    ])
    return row && { ...row, parts: row.parts.flat() }
  }

  /** The parts of every attempt, first to last: the rest of a reply that no process could finish. */
  async attempts(chatId: string, runId: string): Promise<UIMessageChunk[][]> {
    const rows = await this.database.query<{ parts: UIMessageChunk[][] }>(
      `select json_agg(parts order by number) as parts from run_parts
      where chat_id = $1 and run_id = $2 group by attempt order by attempt`,
      [chatId, runId],
    )
    return rows.map(({ parts }) => parts.flat())
  }

  /** Forgets the parts of runs that ended more than `olderMs` milliseconds ago. Returns how many runs that were. */
  async prune(olderMs: number): Promise<number> {
    const rows = await this.database.query(
      `with old as (
        select r.chat_id, r.id from runs r join (select distinct chat_id, run_id from run_parts) p
          on p.chat_id = r.chat_id and p.run_id = r.id
        where r.ended_at < clock_timestamp() - $1::double precision * interval '1 millisecond'
      ), gone as (delete from run_parts p using old o where p.chat_id = o.chat_id and p.run_id = o.id)
      select 1 from old`,
      [olderMs],
    )
    return rows.length
  }
}

const appendSql = `
with held as (
  select e.*, r.stop_at is not null as stopping
  from json_to_recordset($1::json) as e("chatId" text, "runId" text, fence int, attempt int, number int, parts json)
  join runs r on r.chat_id = e."chatId" and r.id = e."runId" and r.fence = e.fence and r.status = 'running'
), logged as (
  insert into run_parts (chat_id, run_id, attempt, number, parts)
  select "chatId", "runId", attempt, number, parts from held where json_array_length(parts) > 0
  -- each locks its chat's row, in the order in which many chats are changed or deleted
  order by "chatId"
  -- an entry whose acknowledgement was lost comes again, as it was
  on conflict (chat_id, run_id, attempt, number) do nothing
)
select "runId", stopping from held`

const readSql = `
select r.status, r.attempt,
  coalesce(max(p.number), case when r.attempt = $3 then $4 else -1 end)::int as number,
  coalesce(json_agg(p.parts order by p.number) filter (where p.number is not null), '[]') as parts
from runs r left join run_parts p on p.chat_id = r.chat_id and p.run_id = r.id and p.attempt = r.attempt
  and p.number > case when r.attempt = $3 then $4 else -1 end
where r.chat_id = $1 and r.id = $2
group by r.chat_id, r.id, r.status, r.attempt`
