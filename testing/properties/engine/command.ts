import fc from 'fast-check'
import { checkFold } from './check-fold'
import { compare } from './compare'
import type { Model, ModelChat } from './model'
import type { World } from './world'

/** One thing a person or a program may do; `toString` is what a failure prints. */
export type EngineCommand = fc.AsyncCommand<Model, World>

/** Commands, and how often each is given. */
export type WeightedCommands = fc.WeightedArbitrary<EngineCommand>[]

/** Between two readings of everything, where reading is slow. */
const EVERYTHING_EACH = 8

/**
 * A command of any input: what it does, to the model and to the real thing. Whatever it did, and however it was refused,
 * the two are the same afterwards, and so is what the log tells.
 *
 * @param act changes the model as it predicts, and checks the answer
 * @param when without it, the command can always be given
 */
export const command = <Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  act: (input: Input, model: Model, world: World) => Promise<void>,
  when: (model: Readonly<Model>) => boolean = () => true,
): fc.Arbitrary<EngineCommand> =>
  inputs.map((input) => ({
    check: when,
    run: async (model, world) => {
      await act(input, model, world)
      world.steps += 1
      await compare(model, world, world.bench.thorough || world.steps % EVERYTHING_EACH === 0)
      world.folded = await checkFold(world.store, world.chatId, world.folded)
    },
    toString: () => `${name}(${JSON.stringify(input)})`,
  }))

/** A command that can be given where there is a chat. */
export const chatCommand = <Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  act: (input: Input, chat: ModelChat, world: World, model: Model) => Promise<void>,
): fc.Arbitrary<EngineCommand> =>
  command(
    name,
    inputs,
    (input, model, world) => act(input, chatIn(model), world, model),
    (model) => model.chat !== undefined,
  )

/** The chat, in a command that needs one. */
export function chatIn(model: Model): ModelChat {
  if (!model.chat) throw new Error('the command needs a chat: give it `when`')
  return model.chat
}

/** Which of two tabs. */
export const tab: fc.Arbitrary<number> = fc.nat({ max: 1 })
/** Which of a list, by any number. */
export const index: fc.Arbitrary<number> = fc.nat({ max: 40 })

/** One of a list by any number. */
export function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}
