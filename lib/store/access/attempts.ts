import type { Database } from '@/lib/db'
import { asking } from '../reads/asking'

/** Something that is counted for a while. */
export interface Counted {
  key: string
  /** duration from the first attempt on, in seconds */
  seconds: number
}

/** Number of attempts, this one included, and the seconds until counting begins anew. */
export interface Count {
  count: number
  freesIn: number
}

/** Counts what may not be done too often, for all servers on one database together. */
export class Attempts {
  readonly #ask: Database['query']

  constructor(database: Database) {
    this.#ask = asking(database)
  }

  /** Counts one attempt under each of some keys, in one statement. Exact, however many come at once. */
  async count(...counted: [Counted, ...Counted[]]): Promise<Count[]> {
    const rows = await this.#ask<Count & { key: string }>(countSql, [JSON.stringify(counted)])
    return counted.map(({ key }) => {
      const row = rows.find((found) => found.key === key)
      if (!row) throw new Error(`Nothing was counted for ${key}`)
      return { count: row.count, freesIn: row.freesIn }
    })
  }

  /** True when something was noted, or counted, and has not run out. */
  async has(key: string): Promise<boolean> {
    const rows = await this.#ask('select 1 from attempts where key = $1 and until > clock_timestamp()', [key])
    return rows.length > 0
  }

  /** Notes something for so many seconds from now on. */
  async note({ key, seconds }: Counted): Promise<void> {
    await this.#ask(
      `insert into attempts (key, count, until) values ($1, 1, clock_timestamp() + $2::int * interval '1 second')
      on conflict (key) do update set until = excluded.until`,
      [key, seconds],
    )
  }

  /** Forgets what has run out. Returns how much that was. */
  async forgetOld(): Promise<number> {
    const rows = await this.#ask(
      // rows that are being counted are passed over
      `delete from attempts where key in (
        select key from attempts where until < clock_timestamp() order by key for update skip locked) returning 1`,
    )
    return rows.length
  }
}

// in the order of their keys: two attempts that count the same never wait for each other
const countSql = `insert into attempts as a (key, count, until)
select r.key, 1, now() + r.seconds * interval '1 second'
from json_to_recordset($1::json) as r(key text, seconds int) order by r.key
on conflict (key) do update set
  count = case when a.until <= now() then 1 else a.count + 1 end,
  until = case when a.until <= now() then excluded.until else a.until end
returning key, count, greatest(1, ceil(extract(epoch from until - now())))::int as "freesIn"`
