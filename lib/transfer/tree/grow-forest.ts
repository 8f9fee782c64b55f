import { isDeepStrictEqual } from 'node:util'
import { splitThoughts } from '@/lib/events/split-thoughts'
import type { ForeignChat, ForeignMessage, ForeignPart } from '../foreign-chat'
import { cleanText } from '../json/values'
import { reasoningPart, textPart } from '../parts/read-blocks'
import { foldReplies } from './fold-replies'
import type { Problems } from './problems'
import type { SourceNode } from './source-node'

/** A message whose id is its own and whose parent exists. */
export interface TreeNode extends Omit<SourceNode, 'id'> {
  id: string
  held: number
}

/** The messages of a chat, its counts, and where ids of the file ended up. */
export interface Forest {
  messages: ForeignMessage[]
  counts: ForeignChat['counts']
  /** The message that holds what the file calls by this id; null: nothing of it is left, or the file has none. */
  find(id: string | null): string | null
}

/**
 * The forest that the nodes of a file make, whatever they say of each other: ids are made unique, circles are cut, a child of a
 * missing parent becomes a root, nodes without content pass their children on to their parents, and what a program shows as
 * one reply becomes one message. Every node is held by one of the messages, or counted.
 */
export function growForest(
  nodes: readonly SourceNode[],
  chatId: string,
  problems: Problems,
  skipped = 0,
): Forest {
  const byId = withUniqueIds(nodes, chatId, problems)
  adoptOrphans(byId, problems)
  cutCircles(byId, problems)
  const { kept, moved: elided, empty, unsaid } = elideEmpty(byId, problems)
  const { messages, moved: folded } = foldReplies(kept)
  const held = messages.reduce((sum, message) => sum + message.held, 0)
  return {
    messages: messages.map(toMessage),
    counts: { found: held + unsaid + skipped, skipped: unsaid + skipped, empty },
    find: (id) => {
      if (id === null || !byId.has(id)) return null
      const standing = elided.has(id) ? (elided.get(id) ?? null) : id
      return standing === null ? null : (folded.get(standing) ?? standing)
    },
  }
}

function withUniqueIds(
  nodes: readonly SourceNode[],
  chatId: string,
  problems: Problems,
): Map<string, TreeNode> {
  const byId = new Map<string, TreeNode>()
  /** The number that the last node of an id was given: thousands of one id are not counted from two on again. */
  const numbers = new Map<string, number>()
  nodes.forEach((node, index) => {
    let id = node.id ?? `${chatId}:${index}`
    const held = node.isExtra ? 0 : 1
    const twin = byId.get(id)
    if (twin && isSame(twin, node)) {
      twin.held += held
      problems.count('merged')
      return
    }
    if (twin) {
      problems.count('renamed')
      let number = numbers.get(id) ?? 1
      for (id = ''; id === '' || byId.has(id); ) {
        number += 1
        id = `${node.id}~${number}`
      }
      numbers.set(node.id ?? '', number)
    }
    byId.set(id, { ...node, id, held })
  })
  return byId
}

const isSame = (one: SourceNode, other: SourceNode) =>
  one.role === other.role &&
  one.parentId === other.parentId &&
  isDeepStrictEqual(one.parts, other.parts) &&
  isDeepStrictEqual(one.answers, other.answers)

function adoptOrphans(byId: ReadonlyMap<string, TreeNode>, problems: Problems): void {
  for (const node of byId.values()) {
    if (node.parentId === null || byId.has(node.parentId)) continue
    problems.count('orphan')
    node.parentId = null
  }
}

/** Cuts each circle above the message of it that the file names first. */
function cutCircles(byId: ReadonlyMap<string, TreeNode>, problems: Problems): void {
  const order = new Map([...byId.keys()].map((id, index) => [id, index]))
  const settled = new Set<string>()
  for (const start of byId.keys()) {
    const path: string[] = []
    const onPath = new Set<string>()
    let at: string | null = start
    while (at !== null && !settled.has(at) && !onPath.has(at)) {
      path.push(at)
      onPath.add(at)
      at = byId.get(at)?.parentId ?? null
    }
    if (at !== null && onPath.has(at)) {
      const circle = path.slice(path.indexOf(at))
      const first = circle.reduce((one, other) =>
        (order.get(one) ?? 0) < (order.get(other) ?? 0) ? one : other,
      )
      const node = byId.get(first)
      if (node) node.parentId = null
      problems.count('cycle')
    }
    for (const id of path) settled.add(id)
  }
}

/** True when a node has anything to keep. */
const saysSomething = ({ parts, answers }: SourceNode) => parts.length > 0 || (answers?.length ?? 0) > 0

/** Leaves nodes without content out; `moved` has the nearest ancestor that is kept for each. */
function elideEmpty(
  byId: ReadonlyMap<string, TreeNode>,
  problems: Problems,
): { kept: TreeNode[]; moved: Map<string, string | null>; empty: number; unsaid: number } {
  const moved = new Map<string, string | null>()
  const kept: TreeNode[] = []
  let [empty, unsaid] = [0, 0]
  for (const node of parentsFirst(byId)) {
    const { parentId } = node
    if (parentId !== null && moved.has(parentId)) node.parentId = moved.get(parentId) ?? null
    if (saysSomething(node)) {
      kept.push(node)
      continue
    }
    moved.set(node.id, node.parentId)
    if (node.isRoot || node.isHidden || node.role === 'system') empty += node.held
    else {
      unsaid += node.held
      problems.count('no content', node.held)
    }
  }
  return { kept, moved, empty, unsaid }
}

/** Every node after its parent, siblings in the order of the file, depth first. */
function parentsFirst(byId: ReadonlyMap<string, TreeNode>): TreeNode[] {
  const children = Map.groupBy(byId.values(), ({ parentId }) => parentId)
  const waiting = (children.get(null) ?? []).toReversed()
  const ordered: TreeNode[] = []
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    ordered.push(node)
    for (const child of (children.get(node.id) ?? []).toReversed()) waiting.push(child)
  }
  return ordered
}

function toMessage(node: TreeNode): ForeignMessage {
  const { id, parentId, createdAt, model, speaker = null, held } = node
  const role = node.role === 'tool' ? 'assistant' : node.role
  return {
    id,
    parentId,
    role,
    parts: inSteps(
      withSourcesOnce(role === 'assistant' ? withThoughts(node.parts) : node.parts).map(settled),
    ),
    createdAt,
    model,
    speaker: speaker === null ? null : cleanText(speaker),
    isHidden: node.isHidden ?? false,
    held,
  }
}

/** The parts of a reply, with the thoughts that stand in its words as parts of their own. */
function withThoughts(parts: readonly ForeignPart[]): ForeignPart[] {
  let hasThoughts = false
  return parts.flatMap((part): ForeignPart[] => {
    hasThoughts ||= part.type === 'reasoning'
    if (part.type !== 'text') return [part]
    const pieces = splitThoughts(part.text, hasThoughts)
    // words without thoughts stay the part that they are
    if (pieces.every(({ kind }) => kind === 'text')) return [part]
    return pieces.flatMap(({ kind, text }) => (kind === 'text' ? textPart(text) : reasoningPart(text)))
  })
}

/** Each page once, with the first title that is given for it. */
function withSourcesOnce(parts: readonly ForeignPart[]): ForeignPart[] {
  const titles = new Map<string, string | undefined>()
  for (const part of parts)
    if (part.type === 'source-url') titles.set(part.url, titles.get(part.url) ?? part.title)
  const seen = new Set<string>()
  return parts.flatMap((part): ForeignPart[] => {
    if (part.type !== 'source-url') return [part]
    if (seen.has(part.url)) return []
    seen.add(part.url)
    const title = titles.get(part.url)
    return [title === undefined ? part : { ...part, title }]
  })
}

/** A call without an answer has failed, because providers refuse a call without a result. */
function settled(part: ForeignPart): ForeignPart {
  if (part.type !== 'dynamic-tool' || part.state !== 'input-available') return part
  const { type, toolName, toolCallId, input } = part
  return {
    type,
    toolName,
    toolCallId,
    state: 'output-error',
    input,
    errorText: 'The export holds no answer of this tool.',
  }
}

/** Words after a tool's answer are a step of their own: providers want the answer before them. */
function inSteps(parts: readonly ForeignPart[]): ForeignPart[] {
  let afterTool = false
  return parts.flatMap((part): ForeignPart[] => {
    const begins = afterTool && (part.type === 'text' || part.type === 'reasoning')
    if (part.type === 'dynamic-tool') afterTool = true
    else if (begins || part.type === 'step-start') afterTool = false
    return begins ? [{ type: 'step-start' }, part] : [part]
  })
}
