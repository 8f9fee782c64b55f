import { type MessageData, NotFoundError } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import { branchTitle, type GraphIndex, indexGraph } from '@/lib/graph'
import type { ExportPart, GraphNode } from '@/lib/protocol'
import type { Ports } from '../ports'
import { compilePrompt } from '../replies/prompt'
import { choicesIn } from '../replies/reply-tools'
import { type ReadablePart, readableParts } from './readable-parts'

/** A stretch of a chat that is read from top to bottom. */
interface Section {
  branchId: BranchId | null
  /** the branch's title; for messages on no branch any more, their kind */
  title: string
  isArchived: boolean
  /** the message that its first one answers, when that is in another section */
  after: GraphNode | null
  nodes: readonly GraphNode[]
}

/** A chat, or one of its branches, as it is read: its messages each once. */
export interface ReadableChat {
  index: GraphIndex
  /** the owner's title for the chat, or its substitute */
  title: string
  /** the title of the one branch that is read, of a chat with several */
  onlyBranch: string | undefined
  /** the counts of its content, each in words */
  counts: readonly string[]
  /** the branch that is read first */
  branchId: BranchId
  sections: readonly Section[]
  /** parts that are left out of it */
  without: readonly ExportPart[]
  /** the address of the chat in the program that it was imported from */
  origin: string | undefined
  /** the messages as they are read, in their order */
  messages(nodes: readonly GraphNode[]): AsyncIterable<ReadableMessage>
  /** the bodies of messages, in their order; read as they are wanted */
  bodies(nodes: readonly GraphNode[]): AsyncIterable<MessageData>
}

export interface ReadableMessage {
  message: MessageData
  parts: ReadablePart[]
  /** its context, when that differs from the context of the message read before it */
  context?: { instructions: string; tools: readonly string[] }
}

/** Bodies that are read at once. */
const PAGE = 50

/**
 * A chat for reading.
 *
 * @param input.branch name or id of the one branch to read; without it the chat's active one comes first, and the others follow
 *   with what they have for themselves
 * @throws NotFoundError
 */
export async function readableChat(
  { reads, store }: Pick<Ports, 'reads' | 'store'>,
  {
    ownerId,
    chatId,
    branch,
    without = [],
  }: {
    ownerId: UserId
    chatId: ChatId
    branch?: string | undefined
    without?: readonly ExportPart[] | undefined
  },
): Promise<ReadableChat> {
  const [graph, chat] = await Promise.all([reads.graph(chatId, ownerId), store.getChat(chatId)])
  if (!graph || !chat) throw new NotFoundError('chat', chatId)
  const index = indexGraph(graph)
  const asked = branch ?? graph.activeBranchId
  const { branches } = graph
  const first = branches.find(({ name }) => name === asked) ?? branches.find(({ id }) => id === asked)
  if (!first) throw new NotFoundError('branch', asked)
  async function* bodies(nodes: readonly GraphNode[]): AsyncGenerator<MessageData> {
    for (let at = 0; at < nodes.length; at += PAGE) {
      const ids = nodes.slice(at, at + PAGE).map(({ id }) => id)
      const found = await store.getMessagesById(chatId, ids, null)
      const byId = new Map(found.map((message) => [message.id, message]))
      for (const id of ids) {
        const message = byId.get(id)
        if (message) yield message
      }
    }
  }
  let contextId: string | undefined
  const newContext = async (message: MessageData): Promise<Pick<ReadableMessage, 'context'>> => {
    if (without.includes('context') || message.contextId === undefined || message.contextId === contextId)
      return {}
    contextId = message.contextId
    const context = (await reads.context(chatId, contextId)) ?? null
    const { instructions } = compilePrompt([], context)
    const tools = without.includes('tools') ? [] : toolsOn(choicesIn(context))
    return instructions.trim() === '' && tools.length === 0 ? {} : { context: { instructions, tools } }
  }
  const isWhole = branch === undefined
  const sections = sectionsOf(index, first.id, isWhole)
  const onlyBranch = isWhole || branches.length === 1 ? undefined : branchTitle(index, first.id)
  const messages = isWhole ? graph.nodes.length : (sections[0]?.nodes.length ?? 0)
  return {
    index,
    title: graph.title?.trim() || 'Untitled chat',
    onlyBranch,
    counts: [
      counted(messages, 'message', 'messages'),
      ...(onlyBranch === undefined ? [counted(branches.length, 'branch', 'branches')] : []),
    ],
    branchId: first.id,
    sections,
    without,
    origin: originIn(chat.metadata),
    bodies,
    async *messages(nodes) {
      for await (const message of bodies(nodes)) {
        yield { message, parts: readableParts(message, without), ...(await newContext(message)) }
      }
    },
  }
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const toolsOn = (choices: ReturnType<typeof choicesIn>): string[] =>
  Object.entries(choices).flatMap(([name, approval]) => (approval === 'never' ? [] : [name]))

/** A web address in a chat's facts of its import; any other text is not a link. */
function originIn(metadata: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const imported = metadata?.imported
  const origin =
    typeof imported === 'object' && imported !== null && 'origin' in imported ? imported.origin : undefined
  return typeof origin === 'string' && /^https?:\/\//i.test(origin) ? origin : undefined
}

function sectionsOf(index: GraphIndex, firstId: BranchId, isWhole: boolean): Section[] {
  const { branches, nodes } = index.graph
  const told = new Set<MessageId>()
  const take = (headId: MessageId | null): Pick<Section, 'nodes' | 'after'> => {
    const chain = headId === null ? [] : index.chainTo(headId)
    const own = chain.filter(({ id }) => !told.has(id))
    for (const { id } of own) told.add(id)
    const [begun] = own
    return { nodes: own, after: begun ? index.parentOf(begun.id) : null }
  }
  const shown = isWhole ? branches : branches.filter(({ id }) => id === firstId)
  const inOrder = [...shown].sort((a, b) => Number(b.id === firstId) - Number(a.id === firstId))
  const sections = inOrder.map(
    ({ id, headId, archivedAt }): Section => ({
      branchId: id,
      title: branchTitle(index, id),
      isArchived: archivedAt !== null,
      ...take(headId),
    }),
  )
  if (!isWhole) return sections
  // messages that a branch has moved away from, each line from its end
  const left = nodes.filter(({ id }) => !told.has(id)).toReversed()
  for (const { id } of left.sort((a, b) => b.depth - a.depth)) {
    if (told.has(id)) continue
    sections.push({ branchId: null, title: 'On no branch any more', isArchived: false, ...take(id) })
  }
  return sections.filter(({ branchId, nodes }) => branchId === firstId || nodes.length > 0)
}

/** When a message was written, in UTC. */
export const timeOf = (at: number): string =>
  Number.isFinite(at) ? `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''

/** The model of a reply, from its body. */
export function modelOf({ data }: Pick<MessageData, 'data'>): string | undefined {
  const metadata = (data as { metadata?: { model?: unknown } } | null)?.metadata
  return typeof metadata?.model === 'string' ? metadata.model : undefined
}
