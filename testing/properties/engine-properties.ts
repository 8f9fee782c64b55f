import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ContextEngine, user } from '@/lib/context'
import { newId } from '@/lib/events'
import { useOpened } from '../contracts/use-opened'
import { checkRestore } from './check-restore'
import type { EngineCommand } from './engine/command'
import { compare } from './engine/compare'
import { contextCommands } from './engine/context-command'
import { forkCommands } from './engine/fork-command'
import { Model } from './engine/model'
import { moveCommands } from './engine/move-commands'
import { refCommands } from './engine/ref-commands'
import { runCommands } from './engine/run-commands'
import { talkCommands } from './engine/talk-commands'
import { type Bench, type Neighbour, World } from './engine/world'

const firstCommands = [...talkCommands, ...moveCommands, ...refCommands, ...runCommands, ...contextCommands]
/** What the seeds below were found with: with one more, they would stand for other sequences. */
const seededCommand: fc.Arbitrary<EngineCommand> = fc.oneof(...firstCommands)
const anyCommand: fc.Arbitrary<EngineCommand> = fc.oneof(...firstCommands, ...forkCommands)

/**
 * Sequences that have found something, in the code or in a copy of it broken on purpose; they go first. A failure
 * prints its seed, and a path whose first number is the sequence; `RAMIFY_TEST_SEED` runs all of that seed again.
 */
const onceFailed: { seed: number; sequence: number; found: string }[] = [
  { seed: 129565146, sequence: 2, found: 'the name of an archived branch given out again' },
  { seed: 265572370, sequence: 1, found: 'a late reply on a branch named after another one' },
  { seed: 1360288543, sequence: 3, found: 'a rewind with the context of the branch, not the message' },
  { seed: 2121473298, sequence: 28, found: 'the active branch archived' },
  { seed: 1886007309, sequence: 16, found: 'a partial reply without its checkpoint' },
  { seed: 772014326, sequence: 7, found: 'a lazy reply bound to the stored one, not the pending one' },
]

/** A seed of the day's own, so that every run looks elsewhere; `RAMIFY_TEST_SEED` repeats one. */
const seedOfRun = Number(process.env.RAMIFY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Whatever is done to a chat, in whatever order, the store holds what a simple model says (RELIABILITY.md). */
export function describeEngineProperties(
  name: string,
  open: () => Promise<Bench & { close(): Promise<void> }>,
  options: { runs: number; length: number; onceFailed?: boolean },
): void {
  describe(`any sequence of commands on ${name}`, () => {
    const getBench = useOpened(async () => {
      const bench = await open()
      return { bench, neighbour: await moveIn(bench), close: () => bench.close() }
    })

    const hold = async (
      anyOne: fc.Arbitrary<EngineCommand>,
      settings: fc.Parameters<[Iterable<EngineCommand>]>,
    ) => {
      const { bench, neighbour } = getBench()
      let restored = 0
      const commands = fc.commands([anyOne], { maxCommands: options.length, size: 'max' })
      await fc.assert(
        fc.asyncProperty(commands, async (sequence) => {
          const model = new Model()
          const world = new World(bench, neighbour)
          await fc.asyncModelRun(() => ({ model, real: world }), sequence)
          await compare(model, world, true)
          expect(await bench.findings(world.chatId)).toEqual([])
          // a tenth of them: a file of a chat is read twice for it
          if (model.chat && restored++ % 10 === 0) await checkRestore(bench.store, world.chatId)
        }),
        settings,
      )
    }

    test.each(options.onceFailed ? onceFailed : [])(
      'holds where it was once found: $found (seed $seed)',
      ({ seed, sequence }) => hold(seededCommand, { seed, path: String(sequence), numRuns: 1 }),
    )

    test(`holds in ${options.runs} sequences of up to ${options.length} commands (seed ${seedOfRun})`, async () => {
      await hold(anyCommand, { seed: seedOfRun, numRuns: options.runs })
    }, 120_000)
  })
}

/** Given another chat of the same user, with one message. */
async function moveIn({ store }: Bench): Promise<Neighbour> {
  const neighbour = { userId: newId(), messageId: newId() }
  const engine = new ContextEngine({ store, chatId: newId(), userId: neighbour.userId })
  await engine.set(user('over here', { id: neighbour.messageId })).save()
  return neighbour
}
