import type { Database } from '@/lib/db'

/**
 * Gives everything one user has to another, at once or not at all: chats, keys, and the answers to commands, so that one
 * sent again is still the same. Of two answers under one key the new owner's stays.
 */
export async function moveBelongings(database: Database, from: string, to: string): Promise<void> {
  await database.query(
    `with chats_moved as (update chats set user_id = $2 where user_id = $1),
      keys_moved as (update api_keys set user_id = $2 where user_id = $1)
    update idempotency i set user_id = $2 where i.user_id = $1
      and not exists (select 1 from idempotency o where o.user_id = $2 and o.key = i.key)`,
    [from, to],
  )
  await database.query('select move_quota($1, $2)', [from, to])
}
