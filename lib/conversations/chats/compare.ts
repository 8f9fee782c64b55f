import { NotFoundError } from '@/lib/context'
import type { BranchId, ChatId, UserId } from '@/lib/events'
import { titlesOf } from '@/lib/graph/branch-title'
import { pairContexts } from '@/lib/graph/diff/pair-contexts'
import type { ComparedSide, Comparison } from '@/lib/protocol'
import type { Ports, StoredSide } from '../ports'
import { readable } from './readable-context'
import { toChatMessage } from './to-chat-message'

/** Messages of each side that a comparison opens with, more than a screen holds; the rest is loaded downwards. */
const MESSAGES = 20

/**
 * Two branches of a chat side by side, from where they part. `left` and `right` are names or ids; without
 * `left` it is the active branch, without `right` the branch nearest to it.
 *
 * @throws NotFoundError for a missing or another person's chat or branch, without saying which
 */
export async function compare(
  ports: Ports,
  input: { ownerId: UserId; chatId: ChatId; left?: string; right?: string },
): Promise<Comparison> {
  const { ownerId, chatId, left, right } = input
  const stored = await ports.reads.comparison(chatId, ownerId, { left, right, limit: MESSAGES })
  if (!stored) throw new NotFoundError('chat', chatId)
  const { left: one, right: other, branches, ...rest } = stored
  const titles = titlesOf(branches)
  const titleOf = ({ id, name }: { id: BranchId; name: string }) => titles.get(id) ?? name
  return {
    ...rest,
    chatId,
    branches: branches.map(({ first: _first, ...line }) => ({ ...line, title: titleOf(line) })),
    left: toSide(one, titleOf),
    right: other && toSide(other, titleOf),
    context: pairContexts(readable(ports, one.context), readable(ports, (other ?? one).context)),
  }
}

function toSide(
  { branchId, name, headId, lane, context, messages, ...rest }: StoredSide,
  titleOf: (branch: { id: BranchId; name: string }) => string,
): ComparedSide {
  return {
    ...rest,
    branch: { id: branchId, name, title: titleOf({ id: branchId, name }), headId },
    lane: lane ?? 0,
    model: context?.model ?? null,
    messages: messages.map(toChatMessage),
  }
}
