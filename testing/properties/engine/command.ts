import type fc from 'fast-check'
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
 * A command: what it does, to the model and to the real thing. Whatever it did, and however it was refused, the two
 * are the same afterwards, and so is what the log tells.
 *
 * @param act changes the model as it predicts, and checks the answer
 * @param when without it, the command can always be given
 */
export function command<Input>(
  name: string,
  input: Input,
  act: (input: Input, model: Model, world: World) => Promise<void>,
  when: (model: Readonly<Model>) => boolean = () => true,
): EngineCommand {
  return {
    check: when,
    run: async (model, world) => {
      await act(input, model, world)
      world.steps += 1
      await compare(model, world, world.bench.thorough || world.steps % EVERYTHING_EACH === 0)
      world.folded = await checkFold(world.store, world.chatId, world.folded)
    },
    toString: () => `${name}(${JSON.stringify(input)})`,
  }
}

/** The chat, in a command that needs one. */
export function chatIn(model: Model): ModelChat {
  if (!model.chat) throw new Error('the command needs a chat: give it `when`')
  return model.chat
}

export const hasChat = (model: Readonly<Model>): boolean => model.chat !== undefined

/** One of a list by any number. */
export function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}
