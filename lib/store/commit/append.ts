import { sql } from 'drizzle-orm'
import type { Database } from '@/lib/db'
import type { ChatId } from '@/lib/events'
import type { Asked } from './asked'
import type { Decided } from './decide-all'
import type { Rows } from './rows'

/** Stands between bodies: JSON never holds it unescaped. */
const BETWEEN = '\u001e'

/** Rows as `append_changes` takes them: without what is empty. */
export function appendArguments({ written: { rows, bodies }, quotas }: Pick<Decided, 'written' | 'quotas'>) {
  const filled = Object.entries(rows).filter(([, value]) => !Array.isArray(value) || value.length > 0)
  return {
    rows: JSON.stringify(Object.fromEntries(filled)),
    bodies: bodies.join(BETWEEN),
    quotas: quotas.length > 0 ? `[${quotas.join(',')}]` : null,
  }
}

/**
 * Writes what was decided.
 *
 * @returns the answer of a command that was carried out before: then nothing is written
 */
export async function append(
  query: Database['query'],
  decided: Decided,
  { once, answer }: { once: Asked['once']; answer: object | undefined },
): Promise<object | null> {
  const { rows, bodies, quotas } = appendArguments(decided)
  const [row] = await query<{ kept: object | null }>(
    'select append_changes($1::json, $2, $3::json, $4::json) as kept',
    [rows, bodies, quotas, once ? JSON.stringify({ ...once, answer }) : null],
  )
  if (!row) throw new Error('append_changes returned nothing')
  return row.kept
}

/** Runs some work while no one else writes to a chat; its statements are one transaction. */
export function underLock<Result>(
  { orm }: Pick<Database, 'orm'>,
  chatId: ChatId,
  work: (query: Database['query']) => Promise<Result>,
): Promise<Result> {
  return orm.transaction(async (tx) => {
    const query: Database['query'] = async <Row>(text: string, params: readonly unknown[] = []) => {
      const parts = text
        .split(/\$\d/)
        .map((part, at) => sql`${sql.raw(part)}${at < params.length ? params[at] : sql.raw('')}`)
      const result: unknown = await tx.execute(sql.join(parts))
      return rowsOf(result) as Row[]
    }
    await query('select 1 from chats where id = $1 for no key update', [chatId])
    return work(query)
  })
}

/** The rows of a statement, as each of the two drivers has them. */
const rowsOf = (result: unknown): unknown =>
  typeof result === 'object' && result !== null && 'rows' in result ? result.rows : result

export type { Rows }
