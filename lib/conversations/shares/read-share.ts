import { NotFoundError, type PlacedMessage } from '@/lib/context'
import { branchTitle, indexGraph, type PackedGraph, packGraph } from '@/lib/graph'
import type { Graph, OpenedShare, SharedMessage, SharedView } from '@/lib/protocol'
import type { FileFacts } from '../ports'
import type { SharingPorts } from './shares-port'
import { readShownGraph } from './shown-graph'
import { shownFiles, shownMessage } from './shown-message'

/** Messages of a part of a long chat. */
const PART = 50

/** The part that holds the message of a depth. */
export const partOf = (depth: number): number => Math.floor(depth / PART) + 1

/** Selects the part of a link's content to read. */
export interface SharedPlace {
  /** one of the branches, when the link opens the graph */
  branch?: string | undefined
  /** a message of the graph */
  at?: string | undefined
  /** from 1 */
  part?: number | undefined
}

/** The address of a file for the readers of a link. */
const fileUrlOf = (token: string) => (fileId: string) => `/s/${token}/files/${fileId}`

/**
 * Reads a link's content: its messages, in parts when there are many. A branch or message that it does not
 * open is ignored. Rejects with `NotFoundError`, the same for every token that opens nothing.
 */
export async function readShare(
  ports: SharingPorts,
  token: string,
  place: SharedPlace = {},
): Promise<{ share: OpenedShare; view: SharedView }> {
  const share = await openShare(ports, token)
  const graph = share.withGraph ? await readShownGraph(ports, share) : undefined
  if (share.withGraph && !graph) throw noShare()
  const { end, branchId, at } = graph
    ? placeIn(graph, share, place)
    : { end: share.end, branchId: '', at: null }
  const total = end.depth + 1
  const parts = Math.ceil(total / PART)
  const asked = at ? partOf(at.depth) : (place.part ?? 1)
  const part = Math.min(Math.max(1, asked), parts)
  const start = (part - 1) * PART
  const stored = await ports.shares.chain(share.chatId, end, { from: start - 1, to: start + PART })
  const shown = (from: number, to: number) =>
    shownMessages(
      share,
      stored.filter(({ depth }) => depth >= from && depth < to),
      fileUrlOf(token),
    )
  const { id, title, sharedBy, createdAt, expiresAt, follows, indexed } = share
  return {
    share,
    view: {
      id,
      title,
      sharedBy,
      createdAt,
      expiresAt,
      follows,
      indexed,
      part,
      parts,
      total,
      start,
      messages: shown(start, start + PART),
      beside: { above: shown(start - 1, start), below: shown(start + PART, start + PART + 1) },
      graph: graph
        ? { branchId, branches: branchesOf(graph, branchId), lanes: graph.lanes, atId: at?.id ?? null }
        : null,
    },
  }
}

/** The graph that a link opens. Rejects with `NotFoundError`, also for a link that opens one branch alone. */
export async function readSharedGraph(ports: SharingPorts, token: string): Promise<PackedGraph> {
  const share = await openShare(ports, token)
  const graph = share.withGraph ? await readShownGraph(ports, share) : undefined
  if (!graph) throw noShare()
  return packGraph(graph)
}

/** A file of a message that a link opens, under the name that it has there. Rejects with `NotFoundError` for any other file. */
export async function findSharedFile(ports: SharingPorts, token: string, fileId: string): Promise<FileFacts> {
  const share = await openShare(ports, token)
  const naming = await ports.shares.naming(share.chatId, fileId)
  const asked = (message: PlacedMessage) => shownFiles(message).find(({ id }) => id === fileId)
  const holding = naming.filter((message) => message.name !== 'system' && asked(message))
  const message = holding.length === 0 ? undefined : await openedOf(ports, share, holding)
  const [file] = message ? await ports.stored.ofChat(share.chatId, [fileId]) : []
  if (!message || !file) throw new NotFoundError('file', fileId)
  return { ...file, ...asked(message) }
}

/** The first of some messages that a link opens. */
async function openedOf(
  ports: SharingPorts,
  share: OpenedShare,
  messages: PlacedMessage[],
): Promise<PlacedMessage | undefined> {
  if (!share.withGraph) {
    for (const message of messages)
      if (await ports.shares.isOnChain(share.chatId, share.end, message.id)) return message
    return undefined
  }
  const graph = await readShownGraph(ports, share)
  const index = graph && indexGraph(graph)
  return messages.find(({ id }) => index?.byId(id) !== undefined)
}

/** A link that is in force. Rejects with `NotFoundError`. */
export async function openShare(
  { shares }: Pick<SharingPorts, 'shares'>,
  token: string,
): Promise<OpenedShare> {
  const share = await shares.open(token)
  if (!share) throw noShare()
  return share
}

export const noShare = () => new NotFoundError('share', '')

/** Stored messages as the readers of a link get them, in the same order. */
export const shownMessages = (
  { withGraph }: OpenedShare,
  stored: readonly PlacedMessage[],
  fileUrl: (fileId: string) => string,
): SharedMessage[] =>
  stored.flatMap((message) => shownMessage(message, { lane: withGraph ? message.lane : 0, fileUrl }) ?? [])

/** End of the reading in a graph: the head of the branch asked for, or of the message's branch. */
export function placeIn(graph: Graph, share: OpenedShare, { branch, at: atId }: SharedPlace) {
  const index = indexGraph(graph)
  const asked = branch === undefined ? undefined : index.branch(branch)
  const at = (atId !== undefined && index.byId(atId)) || null
  const own = index.at(share.end.lane, share.end.depth)
  const headId = asked ? asked.headId : (own?.id ?? null)
  if (at && !index.isOnChain(at.id, headId)) {
    const holder = index.branchHolding(at.id, branch)
    if (holder) return { ...endOf(index.byId(holder.headId ?? '')), branchId: holder.id, at }
  }
  const end = asked && index.byId(asked.headId ?? '')
  return {
    ...(end ? endOf(end) : { end: share.end }),
    branchId: asked && end ? asked.id : share.branchId,
    at,
  }

  function endOf(node: { lane: number; depth: number } | undefined) {
    return { end: node ? { lane: node.lane, depth: node.depth } : share.end }
  }
}

function branchesOf(graph: Graph, hereId: string) {
  const index = indexGraph(graph)
  return graph.branches.flatMap(({ id, headId }) => {
    const head = headId === null ? undefined : index.byId(headId)
    if (!head) return []
    return {
      id,
      title: branchTitle(index, id),
      isHere: id === hereId,
      lane: head.lane,
      length: head.depth + 1,
    }
  })
}
