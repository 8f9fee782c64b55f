import { and, eq, type SQL } from 'drizzle-orm'
import { schema, type Transaction } from '@/lib/db'

const { user } = schema

/**
 * Locks a person's row until the transaction ends: what a person makes meanwhile waits, so what there is of it is counted exactly.
 *
 * @returns false without such a person
 */
export async function lockPerson(tx: Transaction, personId: string, who?: SQL): Promise<boolean> {
  const rows = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.id, personId), who))
    .for('no key update')
  return rows.length > 0
}
