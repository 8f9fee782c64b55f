import { plainLetters } from '@/lib/events/search-letters'
import { indexGraph } from '@/lib/graph'
import type { Graph, OpenedShare, SharedFinds, SharedMessage } from '@/lib/protocol'
import { InvalidRequestError } from '../errors'
import { noShare, openShare, partOf, placeIn, shownMessages } from './read-share'
import type { SharingPorts } from './shares-port'
import { readShownGraph } from './shown-graph'

/** Messages that are told at most, and letters that are looked for. */
const [MOST, LETTERS] = [500, 200]
/** Messages that are read at a time: a long chat is never in memory as a whole. */
const STEP = 200

/** Consecutive messages: those of the chain that ends in the lane, at these depths. */
interface Span {
  lane: number
  from: number
  to: number
}

/**
 * Finds words in the content that a link's readers see, ignoring case and marks on letters. With the graph,
 * the other branches follow the branch being read. Rejects with `NotFoundError`, the same for every token
 * that opens nothing, and with `InvalidRequestError`.
 *
 * @param asked.signal ends the search
 */
export async function findInShare(
  ports: SharingPorts,
  token: string,
  { words, branch, signal }: { words: string; branch?: string | undefined; signal?: AbortSignal },
): Promise<SharedFinds> {
  const share = await openShare(ports, token)
  const wanted = folded(words).trim()
  if (wanted === '') throw new InvalidRequestError('Say in “words” what to look for.')
  if (wanted.length > LETTERS)
    throw new InvalidRequestError(`Look for ${LETTERS} letters at most; these are ${wanted.length}.`)
  const graph = share.withGraph ? await readShownGraph(ports, share) : undefined
  if (share.withGraph && !graph) throw noShare()
  const place = graph ? placeIn(graph, share, { branch }) : { end: share.end, branchId: null }
  const index = graph && indexGraph(graph)
  const others = graph ? besides(graph, place.end) : []

  const hits: SharedFinds['hits'] = []
  for (const { lane, from, to } of [{ lane: place.end.lane, from: 0, to: place.end.depth }, ...others]) {
    for (let first = from; first <= to; first += STEP) {
      signal?.throwIfAborted()
      const last = Math.min(to, first + STEP - 1)
      const stored = await ports.shares.chain(share.chatId, { lane, depth: to }, { from: first, to: last })
      const depths = new Map(stored.map(({ id, depth }) => [id, depth]))
      for (const message of shownMessages(share, stored, String)) {
        if (!holds(message, wanted)) continue
        if (hits.length === MOST) return { hits, more: true }
        const { id } = message
        const branchId = place.branchId && (index?.branchHolding(id, place.branchId)?.id ?? place.branchId)
        hits.push({ id, part: partOf(depths.get(id) ?? 0), branchId })
      }
    }
  }
  return { hits, more: false }
}

/** Content of a graph besides the chain that ends at a place, lane by lane. */
function besides(graph: Graph, end: OpenedShare['end']): Span[] {
  const index = indexGraph(graph)
  const onChain = new Set(index.chainTo(index.at(end.lane, end.depth)?.id ?? '').map(({ id }) => id))
  const spans = new Map<number, Span>()
  for (const { id, lane, depth } of graph.nodes) {
    if (onChain.has(id)) continue
    const { from = depth, to = depth } = spans.get(lane) ?? {}
    spans.set(lane, { lane, from: Math.min(from, depth), to: Math.max(to, depth) })
  }
  return [...spans.values()].sort((one, other) => one.lane - other.lane)
}

/** True when a message says some words: as they are written, or as they are read without the marks of Markdown. */
const holds = ({ parts }: SharedMessage, wanted: string): boolean =>
  parts.some((part) => {
    const said = saidBy(part)
    return said !== '' && (folded(said).includes(wanted) || folded(said.replace(marks, '')).includes(wanted))
  })

const marks = /[*_`~]+|!?\[(?=[^\]]{1,500}\]\()|\]\([^()\s]{0,2000}\)/g

function saidBy(part: SharedMessage['parts'][number]): string {
  if (part.type === 'text') return part.text
  if (part.type === 'file') return part.filename ?? ''
  return part.type === 'source-url' || part.type === 'source-document' ? (part.title ?? '') : ''
}

const folded = (text: string): string => plainLetters(text).replace(/\s+/g, ' ')
