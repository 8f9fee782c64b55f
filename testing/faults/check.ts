import { checkDatabase, findingLine } from '@/lib/store'
import type { Arena } from './arena'
import type { Tally } from './fault'

/** Counts findings of `npm run db:check` as losses, and messages with two replies. Ends the arena's processes. */
export async function check(arena: Arena, tally: Tally): Promise<void> {
  await arena.end()
  await arena.look(async (database) => {
    tally.losses.push(...(await checkDatabase(database)).map(findingLine))
    const twice = await database.query<{ id: string }>(
      `select parent_id as id from messages where name = 'assistant' group by chat_id, parent_id having count(*) > 1`,
    )
    tally.doubles.push(...twice.map(({ id }) => `message ${id} has two replies`))
  })
}
