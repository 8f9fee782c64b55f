import { sql } from 'drizzle-orm'
import type { Database } from '@/lib/db'
import type { ChatId } from '@/lib/events'
import type { Asked } from './asked'
import type { Decided } from './decide-all'

/** Stands between bodies: JSON never holds it unescaped. */
const BETWEEN = '\u001e'

/** Rows as `append_changes` takes them: without empty ones. */
export function appendArguments({ rows, bodies, quotas }: Pick<Decided, 'rows' | 'bodies' | 'quotas'>) {
  const filled = Object.entries(rows).filter(([, value]) => !Array.isArray(value) || value.length > 0)
  return {
    rows: JSON.stringify(Object.fromEntries(filled)),
    bodies: bodies.join(BETWEEN),
    quotas: quotas.length > 0 ? `[${quotas.join(',')}]` : null,
    /** the log of the chat has got twice as long */
    hasDoubled: rows.chat.seq >= 8 && Math.clz32(rows.chat.seq) < Math.clz32(Math.max(rows.seq, 1)),
  }
}

/**
 * Writes the decided rows.
 *
 * @returns `kept` is the answer of a command that was carried out before: then nothing is written. `hasDoubled`: the caller
 * is to look at tables that have doubled, once its transaction has ended
 */
export async function append(
  query: Database['query'],
  decided: Decided,
  { once, answer }: { once: Asked['once']; answer: object | undefined },
): Promise<{ kept: object | null; hasDoubled: boolean }> {
  const { rows, bodies, quotas, hasDoubled } = appendArguments(decided)
  const [row] = await query<{ kept: object | null }>(
    'select append_changes($1::json, $2, $3::json, $4::json) as kept',
    [rows, bodies, quotas, once ? JSON.stringify({ ...once, answer }) : null],
  )
  if (!row) throw new Error('append_changes returned nothing')
  return { kept: row.kept, hasDoubled: hasDoubled && row.kept === null }
}

/**
 * Has the planner look at tables that have doubled since it looked at them last, or that it knows nothing of: until then every
 * key looks as good as any other to it, and plans that read whole chats for a look-up are kept. Autovacuum would come in a
 * minute; an embedded database has none. One transaction does it: the others do not wait for its lock. It stands outside of the
 * transaction of a write, which is stored already: an error here takes nothing back, and the database's own log has it.
 */
export const analyzeNewTables = (query: Database['query']): Promise<unknown> =>
  query(analyzeSql).catch(() => undefined)

/**
 * A quarter of the usual sample says as much of keys, and an embedded database answers no other statement while it is read. A
 * partitioned table has no pages: its parts do.
 */
const analyzeSql = `do $$ declare
  v_tables oid[] := array['messages'::regclass, 'events'::regclass, 'runs'::regclass, 'branches'::regclass, 'checkpoints'::regclass];
begin
  if exists (select 1 from pg_class
      where pg_relation_size(oid) > 2 * greatest(relpages, 0) * current_setting('block_size')::bigint
      and (oid = any (v_tables) or oid in (select inhrelid from pg_inherits where inhparent = any (v_tables))))
    and pg_try_advisory_xact_lock(hashtext('analyze_new_tables')) then
    perform set_config('default_statistics_target', '25', true);
    analyze chats, branches, checkpoints, lanes, messages, events, contexts, runs;
  end if;
end $$`

/** Runs some work while no other process writes to a chat; its statements are one transaction. */
export function underLock<Result>(
  { orm }: Pick<Database, 'orm'>,
  chatId: ChatId,
  work: (query: Database['query']) => Promise<Result>,
): Promise<Result> {
  return orm.transaction(async (tx) => {
    const query = queryIn(tx)
    await query('select 1 from chats where id = $1 for no key update', [chatId])
    return work(query)
  })
}

/** `Database.query`, within a transaction. */
export function queryIn(tx: Pick<Database['orm'], 'execute'>): Database['query'] {
  return async <Row>(text: string, params: readonly unknown[] = []) => {
    const parts = text.split(/\$\d+/).flatMap((part, at) => {
      const said = sql.raw(part)
      return at < params.length ? [said, sql`${params[at]}`] : [said]
    })
    const result: unknown = await tx.execute(sql.join(parts))
    // one of the two drivers has the rows in its answer
    const rows = typeof result === 'object' && result !== null && 'rows' in result ? result.rows : result
    return rows as Row[]
  }
}
