import { deserializeFragment, MarkdownRenderer, NotFoundError, type SerializedFragment } from '@/lib/context'
import type { BranchId, ChatId, UserId } from '@/lib/events'
import { titlesOf } from '@/lib/graph/branch-title'
import { pairContexts, type ReadableContext } from '@/lib/graph/diff/pair-contexts'
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
  return {
    ...rest,
    chatId,
    branches: branches.map(({ first: _first, ...line }) => ({ ...line, title: titleOf(line) })),
    left: toSide(one, titleOf),
    right: other && toSide(other, titleOf),
    context: pairContexts(readable(ports, one), readable(ports, other ?? one)),
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

const renderedBy = new MarkdownRenderer()

/** The context in force at the end of a branch; a branch without one has the default one. */
function readable(ports: Ports, { context }: StoredSide): ReadableContext {
  const { fragments, model, setup } = contextFor(context?.model ?? ports.models.defaultId, context)
  const { off = [], memories = [], tools = {}, renderer, settings = {} } = setup ?? {}
  return {
    fragments: (fragments as SerializedFragment[]).map((serialized) => {
      const fragment = deserializeFragment(serialized)
      const isOff = fragment.id !== undefined && off.includes(fragment.id)
      const text = textOf(renderedBy.render([fragment]))
      return { name: fragment.name, text: isOff ? `${text}\n\nSwitched off` : text }
    }),
    memories: Object.fromEntries(memories.map(({ key, text }) => [key, text])),
    model,
    // a tool that is never offered is as one that is not named
    tools: Object.fromEntries(Object.entries(tools).filter(([, approval]) => approval !== 'never')),
    settings: Object.fromEntries([
      ...Object.entries(settings).map(([name, value]) => [name.replaceAll('_', ' '), String(value)]),
      ...(renderer ? [['format', renderer]] : []),
    ]),
  }
}

/** The text of a section, without its heading. */
const textOf = (section: string): string =>
  section
    .replace(/^##.*\n+/, '')
    .replaceAll('**', '')
    .trim()
