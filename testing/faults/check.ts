import { checkDatabase, findingLine } from '@/lib/store'
import type { Arena } from './arena'
import type { Tally } from './fault'

/** Ends the processes, and counts findings of `db:check` as losses, and replies beyond those asked for. */
export async function check(arena: Arena, tally: Tally, repliesEach = 1): Promise<void> {
  await arena.end()
  await arena.look(async (database) => {
    tally.losses.push(...(await checkDatabase(database)).map(findingLine))
    const tooMany = await database.query<{ id: string; count: number }>(
      `select parent_id as id, count(*)::int as count from messages where name = 'assistant'
      group by chat_id, parent_id having count(*) > $1`,
      [repliesEach],
    )
    tally.doubles.push(...tooMany.map(({ id, count }) => `message ${id} has ${count} replies`))
  })
}
