// Stop against finish, many times: RACES=1000 for more than the usual sixty, SEED to have the same ones again.

import { beforeAll, expect, it } from 'vitest'
import { runTurn, stopReply } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { checkDatabase } from '@/lib/store'
import { dice } from '@/testing/worlds/dice'
import { Follower, words } from '@/testing/worlds/follower'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { ask, givenProcesses } from '@/testing/worlds/turn-world'

const RACES = Number(process.env.RACES ?? 60)
const SEED = Number(process.env.SEED ?? Date.now() % 1e6)
/** how many run at a time */
const AT_ONCE = 10
/** in a reply */
const WORDS = 12

/** Every change of a run that was over, written down by the database itself. */
const watchTerminalStates = `
create table terminal_changes (run_id text, before text, after text);
create function note_terminal_change() returns trigger language plpgsql as $$ begin
  insert into terminal_changes values (old.id, old.status, new.status);
  return new;
end $$;
create trigger note_terminal_change after update on runs for each row
  when (old.status in ('completed', 'stopped', 'failed')) execute function note_terminal_change();`

onServedDatabase('stop against finish', ({ name }) => {
  const { world, here, there } = givenProcesses(name)

  beforeAll(async () => {
    for (const statement of watchTerminalStates.split(/;\n(?=create)/)) await here.database.query(statement)
  })

  it(
    `given ${RACES} replies that are stopped at any point, here or elsewhere, then each has one end that never changes (seed ${SEED})`,
    async () => {
      const { roll } = dice(SEED)
      world.answer = () => ({ text: words(WORDS), delayMs: 1 + roll(3) })
      const ends = { completed: 0, stopped: 0, failed: 0, queued: 0, running: 0 }

      async function race(): Promise<void> {
        const chatId = newId()
        // at a word, or that many parts after the last
        const [moment, by] = [roll(WORDS + 6), roll(2) === 0 ? here : there]
        const { stream, ended } = await runTurn(here.ports, ask({ chatId, text: 'Go' }))
        const follower = new Follower(stream)
        await follower.next()
        await follower.untilWords(Math.min(moment, WORDS))
        for (let more = WORDS; more < moment; more++) await follower.next()
        const { runId } = follower.run
        const shown = follower.text
        // when
        const answer = await stopReply(by.ports, { ownerId: 'ada', chatId, runId })
        await Promise.all([follower.rest(), ended])
        // then what was answered is how it ended, and what was shown is kept
        ends[answer.status]++
        expect((await there.ports.runs.find('ada', chatId, runId))?.status).toBe(answer.status)
        const message = answer.messageId ? await here.store.getMessage(chatId, answer.messageId) : undefined
        const stored = JSON.stringify((message?.data as { parts?: unknown } | undefined)?.parts ?? [])
        if (shown !== '') expect(stored).toContain(shown)
      }
      for (let begun = 0; begun < RACES; begun += AT_ONCE) {
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, RACES - begun) }, race))
      }

      const changed = await here.database.query('select * from terminal_changes')
      const doubled = await here.database.query(
        `select parent_id from messages where name = 'assistant' group by chat_id, parent_id having count(*) > 1`,
      )
      expect(changed).toEqual([])
      expect(doubled).toEqual([])
      expect(ends.completed + ends.stopped).toBe(RACES)
      expect(ends.completed).toBeGreaterThan(0)
      expect(ends.stopped).toBeGreaterThan(0)
      expect(await checkDatabase(here.database)).toEqual([])
    },
    RACES * 600,
  )
})
