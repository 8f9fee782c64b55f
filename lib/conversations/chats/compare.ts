import { deserializeFragment, MarkdownRenderer, NotFoundError, type SerializedFragment } from '@/lib/context'
import type { BranchId, ChatId, UserId } from '@/lib/events'
import { titlesOf } from '@/lib/graph/branch-title'
import { pairFragments, type ReadableFragment } from '@/lib/graph/diff/pair-fragments'
import type { ComparedSide, Comparison } from '@/lib/protocol'
import type { Ports, StoredSide } from '../ports'
import { contextFor } from '../turns/context-value'
import { toChatMessage } from './to-chat-message'

/** Messages of each side that a comparison opens with; the rest is loaded downwards. */
const MESSAGES = 50

/**
 * Two branches of a chat side by side, from where they part. `left` and `right` are names or ids; without `left` it is
 * the active branch, without `right` the one nearest to it.
 *
 * @throws NotFoundError for a chat or branch that is missing or someone else's, without saying which
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
  const fragmentsOf = (side: StoredSide) => readable(ports, side)
  return {
    ...rest,
    chatId,
    branches: branches.map(({ first: _first, ...line }) => ({ ...line, title: titleOf(line) })),
    left: toSide(one, titleOf),
    right: other && toSide(other, titleOf),
    context: other ? pairFragments(fragmentsOf(one), fragmentsOf(other)) : { same: 0, differing: [] },
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

const renderer = new MarkdownRenderer()

/** The fragments in force at the end of a branch; a branch without a context has the default ones. */
function readable(ports: Ports, { context }: StoredSide): ReadableFragment[] {
  const { fragments } = contextFor(ports.models.defaultId, context)
  return (fragments as SerializedFragment[]).map((serialized) => {
    const fragment = deserializeFragment(serialized)
    return { name: fragment.name, text: textOf(renderer.render([fragment])) }
  })
}

/** The text of a section, without its heading. */
const textOf = (section: string): string =>
  section
    .replace(/^##.*\n+/, '')
    .replaceAll('**', '')
    .trim()
