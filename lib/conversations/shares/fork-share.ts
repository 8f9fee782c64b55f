import {
  messagePreview,
  NotFoundError,
  type PlacedMessage,
  planChatUpdate,
  planCopy,
  type Step,
} from '@/lib/context'
import type { ChatId, MessageId, NewMessage, UserId } from '@/lib/events'
import { indexGraph } from '@/lib/graph'
import type { Graph, OpenedShare, SharedMessage } from '@/lib/protocol'
import { Turns } from '@/lib/transfer'
import { namedModel } from '../turns/choices'
import { contextFor } from '../turns/context-value'
import { fileIdsOf } from '../turns/user-message'
import { copyFiles } from './copy-files'
import { openShare, shownMessages } from './read-share'
import type { SharingPorts } from './shares-port'
import { readShownGraph } from './shown-graph'

/**
 * Copies a link's content into a new chat of the reader, a long one part by part: the messages as the reader
 * sees them, with their dates, files and branches. Every copy names its original. Rejects with
 * `NotFoundError` for a token that opens nothing, and with `QuotaExceededError`; then there is no chat. A
 * copy that was broken off by the end of its process is deleted ten minutes later.
 */
export async function forkShare(
  ports: SharingPorts,
  { ownerId, token }: { ownerId: UserId; token: string },
): Promise<{ chatId: ChatId }> {
  return copyShown(ports, ownerId, await openShare(ports, token))
}

/** As {@link forkShare}, of what is shown in whatever way. */
export async function copyShown(
  ports: SharingPorts,
  ownerId: UserId,
  share: OpenedShare,
): Promise<{ chatId: ChatId }> {
  const { graph, stored } = await readWhole(ports, share)
  const files = await copyFiles(ports, { chatId: share.chatId, messages: stored, ownerId })
  const turns = new Turns()
  const at = ports.clock()
  const known = new Set(files.values())
  // a file that is gone is named, and leads nowhere
  const fileUrl = (id: string) => `/api/files/${files.get(id) ?? id}`
  const copied = await turns.map(stored, (message) =>
    shownMessages(share, [message], fileUrl).map(
      (one) => [one.id, copyOf(one, ports.newId(), at, known)] as const,
    ),
  )
  const shown = new Map(copied.flat())
  const nodes = new Map(graph?.nodes.map((node) => [node.id, node]))
  const lines = linesOf(share, graph, stored).map(({ chain, ...line }) => ({
    ...line,
    chain: chain.filter((id) => shown.has(id)),
  }))
  if (lines.every(({ chain }) => chain.length === 0)) throw new NotFoundError('share', '')

  const [chatId, branchId] = [ports.newId(), ports.newId()]
  const opened = lines.find(({ id }) => id === share.branchId)?.chain ?? []
  const names = opened.map((id) => (shown.get(id)?.data as Partial<SharedMessage>)?.metadata?.model)
  const models = await ports.models.of(ownerId)
  const context = contextFor(namedModel(models, names) ?? models.defaultId, null)
  const steps = planCopy({
    lines,
    branchId,
    opensOn: share.branchId,
    newId: ports.newId,
    checkpoints: graph?.checkpoints ?? [],
    message(id, copies) {
      const message = shown.get(id)
      if (!message) throw new Error(`The copy of message "${id}" was not read`)
      const mergeParentId = copies.get(nodes.get(id)?.mergeParentId ?? '')
      return mergeParentId ? { ...message, mergeParentId } : message
    },
  })
  const sharedFrom = { shareId: share.id, at }
  const [first = [], ...others] = inParts(steps)
  const create = {
    userId: ownerId,
    branchId,
    branchName: lines[0]?.name ?? 'main',
    origin: share.origin,
    contextId: context.id,
    ...(share.title !== null && { title: share.title }),
    metadata: { sharedFrom: others.length === 0 ? sharedFrom : { ...sharedFrom, isCopying: true } },
  }
  await ports.store.commit({ chatId, ownerId, at, create, contexts: [context], steps: first })
  if (others.length === 0) return { chatId }
  try {
    for (const part of [...others, planChatUpdate({ metadata: { sharedFrom } })]) {
      await turns.next()
      await ports.store.commit({ chatId, ownerId, at, steps: part })
    }
  } catch (error) {
    await ports.store.deleteChat(chatId, { userId: ownerId })
    throw error
  }
  return { chatId }
}

/** Messages of a copy that are written together: an embedded database serves no other statement meanwhile. */
const PART = 250

/** Splits steps into parts of so many messages. An append may continue in the next part. */
function inParts(steps: readonly Step[]): Step[][] {
  const parts: Step[][] = [[]]
  let room = PART
  const put = (step: Step, weight: number) => {
    if (weight > room) {
      parts.push([])
      room = PART
    }
    parts.at(-1)?.push(step)
    room -= weight
  }
  for (const step of steps) {
    if (step.kind !== 'append') {
      put(step, 1)
      continue
    }
    let { expectedHead } = step
    for (let at = 0; at < step.messages.length; ) {
      const messages = step.messages.slice(at, at + (room > 0 ? room : PART))
      put({ ...step, expectedHead, messages }, messages.length)
      expectedHead = messages.at(-1)?.id ?? null
      at += messages.length
    }
  }
  return parts
}

/** Everything that a link opens. */
async function readWhole(
  ports: SharingPorts,
  share: OpenedShare,
): Promise<{ graph?: Graph; stored: PlacedMessage[] }> {
  if (!share.withGraph) {
    const { chatId, end } = share
    return { stored: await ports.shares.chain(chatId, end, { from: 0, to: end.depth }) }
  }
  const graph = await readShownGraph(ports, share)
  if (!graph) throw new NotFoundError('share', '')
  const index = indexGraph(graph)
  const stored = (await ports.shares.messages(share.chatId)).filter(({ id }) => index.byId(id) !== undefined)
  return { graph, stored }
}

/** The branches to copy, the oldest first; without the graph only the branch being read. */
function linesOf(share: OpenedShare, graph: Graph | undefined, stored: PlacedMessage[]) {
  if (!graph) return [{ id: share.branchId, name: 'main', chain: stored.map(({ id }) => id) }]
  const index = indexGraph(graph)
  return graph.branches.flatMap(({ id, name, headId }) =>
    headId === null ? [] : { id, name, chain: index.chainTo(headId).map((node) => node.id) },
  )
}

function copyOf(
  { id: sharedFrom, role, parts, metadata }: SharedMessage,
  id: MessageId,
  at: number,
  known: ReadonlySet<string>,
): NewMessage {
  const { createdAt = at, model, status, finishReason, seams } = metadata ?? {}
  const data = { id, role, parts, metadata: { createdAt, model, status, finishReason, seams, sharedFrom } }
  const files = fileIdsOf({ parts }).filter((file) => known.has(file))
  return {
    id,
    name: role,
    type: 'message',
    data,
    preview: messagePreview(data),
    createdAt,
    ...(status && { status }),
    ...(files.length > 0 && { files }),
  }
}
