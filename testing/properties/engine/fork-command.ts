import fc from 'fast-check'
import { NotFoundError } from '@/lib/context'
import { newId } from '@/lib/events'
import { chatCommand, index, pick, type WeightedCommands } from './command'
import { chainOf, openBranch } from './model'
import { idOf } from './predict-save'
import { outcome, type World } from './world'

/**
 * A thread is forked after the event that recorded one of its messages, inherited or its own, or after an event it does
 * not have; as the HTTP command does it. Another event follows that of a reply, its checkpoint or the beginning of the
 * fork that inherited the reply alone: there the thread stood at the reply still.
 */
const forkAfter = chatCommand(
  'forkAfter',
  fc.record({ index, depth: fc.option(index), late: fc.boolean() }),
  async ({ index, depth, late }, chat, world) => {
    const source = pick(chat.branches, index)
    const chain = chainOf(source.head)
    const target = depth === null || chain.length === 0 ? undefined : pick(chain, depth)
    const more = late && target?.role === 'assistant' ? 1 : 0
    const eventNumber = target ? (await numberOf(world, idOf(target))) + more : 1_000_000
    const fork = { threadId: idOf(source), eventNumber }
    const at = target ? idOf(target) : null
    const open = { branchId: newId(), after: source.name, at, fork, activate: false }
    await outcome(target ? undefined : NotFoundError, world.commit({ kind: 'open-branch', ...open }))
    if (!target) return
    openBranch(chat, source.name, target, target.context ?? source.context)
  },
)

async function numberOf({ store, chatId }: World, messageId: string): Promise<number> {
  for (const event of await store.getEvents(chatId)) {
    const { type, payload, eventNumber } = event
    const isSaid = type === 'UserMessageAdded' || type === 'MessageCopied'
    const recorded = isSaid && payload.message_id === messageId
    if (recorded || (type === 'LLMResponseGenerated' && payload.ai_message_id === messageId))
      return eventNumber
  }
  throw new Error(`message ${messageId} was never recorded`)
}

export const forkCommands: WeightedCommands = [{ weight: 4, arbitrary: forkAfter }]
