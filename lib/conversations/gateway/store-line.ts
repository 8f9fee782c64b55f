import {
  type AgentBranch,
  type AgentName,
  type AgentNode,
  type Change,
  type ContextData,
  type ContextStore,
  type NewMessage,
  type Plan,
  planAgentChat,
  planAgentLine,
  planSteeredLine,
  type SteeredTo,
} from '@/lib/context'
import type { BranchId, ChatId, CompactNote, ContextId, MessageId, NamedNode, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { type Found, find, isFurtherName } from './find-line'
import { isRace } from './is-race'
import { beingWritten, claim, wantedBy } from './lines-being-written'

/** Messages that one change holds at most: a long conversation becomes several. */
const LINE = 250
/** Times that one call plans anew because of others. */
const ATTEMPTS = 50

/** The ports that the calls of agents are stored with. */
export type AgentPorts = Pick<
  Ports,
  'reads' | 'threads' | 'files' | 'clock' | 'newId' | 'withFiles' | 'logError'
> & { store: ContextStore & Pick<Ports['store'], 'spend'> }

/** A place in the graph from which calls continue. */
export interface Stand {
  chatId: ChatId
  /** the owner's id for the chat */
  called: ChatId
  /** null before the first message */
  messageId: MessageId | null
  /** branches whose head it is */
  branches: readonly AgentBranch[]
  /** known contexts of the chat */
  contextIds: readonly (ContextId | null)[]
  /** the branch that the chat opens on, when it follows the agent */
  opensOn: BranchId | null
}

/** An agent's messages, and their place. */
export interface Line {
  ownerId: UserId
  by: AgentName
  /** the names of the messages, first to last */
  names: readonly string[]
  /** further names of the line's messages: of a conversation that was not pinned, or of its parent */
  otherNames: readonly (string | undefined)[]
  /** only messages of this chat are found */
  within: ChatId | undefined
  /** names below a message that was found by another name */
  namesBelow(chain: string, from: number): Promise<readonly string[]>
  /** the message of a place in the line, as it is stored */
  make(at: number): Promise<NewMessage>
  /** beginning of the line when none of it is stored; undefined: in a new chat */
  start: Stand | undefined
  /** searches for that beginning; called only when none of it is stored and `start` is undefined */
  findStart?: (() => Promise<FoundStart | undefined>) | undefined
  /** called when none of it is stored: the line as it continues elsewhere */
  elsewhere?: (() => Promise<Partial<Line> | undefined>) | undefined
  /** continues only branches in its context */
  keepsApart?: boolean
  /** finds its conversation's last message */
  lastName?: string | undefined
  /** the agent sends another chain than the stored one */
  moved: boolean
  context: ContextData
  keepsContext: boolean
  /** the chat stays on its branch: the line is a choice beside another, or a sub-agent's */
  isBeside?: boolean
  newChat: { chatId: ChatId; branchId: BranchId; title: string; metadata: Record<string, unknown> }
  /** makes the id of a branch that opens for it, anew for every attempt */
  newBranchId(): BranchId
  /** for quotas: counted with the first write */
  spent: Change['spent']
  /** the branch to continue, when a message is the head of several */
  preferred?: BranchId | undefined
  /** messages of a moved line at its new place, from this place in the line on; without it nothing is moved */
  steered: ((target: SteeredTo, chatId: ChatId, from: number) => Promise<SteeredMessages>) | undefined
  /** true when a message with the name of the last one is that message */
  isLast?(node: AgentNode): boolean
  /** further names of the last message */
  lastNames?: readonly Omit<NamedNode, 'messageId'>[]
  /**
   * Called once with the place of a line that was not moved, before it is written. The writing waits for its
   * result, the reply to the line if that exists already. Both are then written in one change.
   */
  placed?(place: LinePlace): Promise<LineReply | undefined>
}

/** The reply to a line, by the name of the line's last message. */
type LineReply = (chain: string) => Promise<{
  message: NewMessage
  name: string
  /** further names of it */
  lastNames: readonly Omit<NamedNode, 'messageId'>[]
  tokens: number
}>

/** The place where a line will be. */
export interface LinePlace {
  called: ChatId
  branchId: BranchId
}

/** A place in a chat at which a conversation begins, and the summary that a message of the line stands for. */
export interface FoundStart {
  stand: Stand
  summary?: { at: number; note: CompactNote }
}

/** Messages of a moved call, and the message that each message of the call stands for. */
export interface SteeredMessages {
  messages: NewMessage[]
  places: readonly MessageId[]
}

/** The last message of a line, stored. */
export interface Tip extends Stand {
  /** the name from which the names below it continue */
  chain: string
  moved: boolean
  /** the branch that holds it; undefined before the first message */
  branchId: BranchId | undefined
  /** the whole line was stored already */
  wasThere: boolean
  /** the reply was written with it */
  isReplied?: boolean
}

/**
 * Stores the new messages of a line below its longest stored part: in one change, or a few when it is long.
 * After another's write it looks again, and continues from the present state. A process that dies leaves a
 * beginning of the line, which the same line continues later.
 *
 * @throws the refusals of `ContextStore.commit`, except for other writers
 */
export async function storeLine(ports: AgentPorts, line: Line): Promise<Tip> {
  const made = new Map<number, NewMessage>()
  let { spent, placed } = line
  let wasThere = true
  let attempt = 0
  for (;;) {
    const found = await find(ports, line)
    const other = found || attempt > 0 ? undefined : await line.elsewhere?.()
    if (other) return storeLine(ports, { ...line, ...other })
    if (found && found.at === line.names.length - 1) {
      await nameAlso(ports, line, found.node)
      const { chain, moved } = found.node
      return { ...standOf(found.node), chain, moved, wasThere, branchId: branchOf(found.node, line) }
    }
    if (line.names.length === 0) return emptyTip(line)
    const next = await nextOf(line, found, { made, attempt })
    const { plan, change } = changeOf(ports, line, { next, spent })
    let isReplied = false
    const wanted = wantedBy(line, { found, branchId: plan.branchId })
    const others = placed && beingWritten(wanted)
    if (others) {
      await others
      continue
    }
    const called = next.stand?.called ?? change.chatId
    const release = claim(wanted)
    try {
      const reply = next.moved ? undefined : await placed?.({ called, branchId: plan.branchId })
      placed = undefined
      isReplied = reply !== undefined && next.isWhole
      await ports.store.commit(
        reply && isReplied ? await withReply(ports, line, { next, spent, reply, plan }) : change,
      )
    } catch (error) {
      attempt += 1
      if (attempt > ATTEMPTS || !isRace(error)) throw error
      continue
    } finally {
      release()
    }
    attempt += 1
    spent = undefined
    wasThere = false
    if (!next.isWhole) continue
    const { id: contextId } = line.context
    return {
      chatId: change.chatId,
      called,
      messageId: next.messages.at(-1)?.id ?? null,
      branches: [{ id: plan.branchId, name: '', contextId, isOpen: true }],
      contextIds: [contextId],
      opensOn: null,
      chain: next.chain,
      moved: next.moved,
      branchId: plan.branchId,
      wasThere,
      isReplied,
    }
  }
}

/** The change that stores a line, and its reply below it. */
async function withReply(
  ports: AgentPorts,
  line: Line,
  { next, spent, reply, plan }: { next: Next; spent: Change['spent']; reply: LineReply; plan: Plan },
): Promise<Change> {
  const { message, name, lastNames, tokens } = await reply(next.chain)
  const { id: messageId } = message
  const nodes = [
    ...next.nodes.filter(({ hash }) => hash !== line.lastName),
    { hash: name, messageId },
    ...lastNames.map((also) => ({ ...also, messageId })),
    ...lastNode(line, { chain: name, moved: false, messageId }),
  ]
  // its place is known to the agent already
  const told: Line = { ...line, newBranchId: () => plan.branchId }
  const { change } = changeOf(ports, told, {
    next: { ...next, messages: [...next.messages, message], nodes },
    spent: spent && { ...spent, tokens },
  })
  return change
}

/** The part of a line that is stored next, and its place. */
interface Next {
  /** undefined: in a new chat */
  stand: Stand | undefined
  messages: NewMessage[]
  nodes: NamedNode[]
  /** the name of its last message */
  chain: string
  moved: boolean
  /** nothing of the line is left after it */
  isWhole: boolean
  /** a person has moved the agent from this branch to that one */
  steering?: { source: BranchId; target: SteeredTo }
  /** its message that stands for the content the client left out */
  compacted?: { messageId: MessageId; note: CompactNote }
}

async function nextOf(
  line: Line,
  found: Found | undefined,
  { made, attempt }: { made: Map<number, NewMessage>; attempt: number },
): Promise<Next> {
  const from = found ? found.at + 1 : 0
  const names =
    found && found.node.chain !== line.names[found.at]
      ? await line.namesBelow(found.node.chain, from)
      : line.names.slice(from)
  if (found?.node.steered && line.steered) {
    const { branchId: source, to: target } = found.node.steered
    const { messages, places } = await line.steered(target, found.node.chatId, from)
    const chain = names.at(-1) ?? ''
    const nodes = places.map((messageId, index) => ({ hash: names[index] ?? '', messageId, moved: true }))
    return {
      stand: standOf(found.node),
      messages,
      moved: true,
      isWhole: true,
      chain,
      nodes: [...nodes, ...lastNode(line, { chain, moved: true, messageId: places.at(-1) })],
      steering: { source, target },
    }
  }
  const begun = found || line.start ? undefined : await line.findStart?.()
  const messages: NewMessage[] = []
  for (let at = from; at < Math.min(line.names.length, from + LINE); at += 1) {
    const message = made.get(at) ?? (await line.make(at))
    made.set(at, message)
    messages.push(at === begun?.summary?.at ? asSummary(message, begun.summary.note) : message)
  }
  const isWhole = from + messages.length === line.names.length
  const moved = found?.node.moved ?? line.moved
  const own = messages.map(
    ({ id: messageId }, index): NamedNode => ({
      hash: names[index] ?? '',
      messageId,
      ...(moved && { moved }),
    }),
  )
  const lastId = messages.at(-1)?.id ?? ''
  const chain = names[messages.length - 1] ?? ''
  const also = isWhole ? (line.lastNames ?? []).map((name) => ({ ...name, messageId: lastId })) : []
  // found by a further name, they are looked for below that name again
  const asSent = found && isFurtherName(line, found) && !moved ? line.names.slice(from) : []
  for (const [index, { id: messageId }] of messages.entries()) {
    const [hash, chain] = [asSent[index], names[index]]
    if (hash !== undefined && chain !== undefined && hash !== chain) also.push({ hash, chain, messageId })
  }
  if (isWhole) also.push(...lastNode(line, { chain, moved, messageId: lastId }))
  const summary = begun?.summary
  const summaryId = summary && messages[summary.at]?.id
  return {
    stand: found ? standFor(line, found.node) : (begun?.stand ?? standing(line, attempt)),
    messages,
    nodes: [...own, ...also],
    chain,
    moved,
    isWhole,
    ...(summary && summaryId && { compacted: { messageId: summaryId, note: summary.note } }),
  }
}

/** The last message of a conversation is found by the conversation's own name. */
function lastNode(
  { lastName: hash }: Line,
  { chain, moved, messageId }: { chain: string; moved: boolean; messageId: MessageId | undefined },
): NamedNode[] {
  if (hash === undefined || messageId === undefined) return []
  return [{ hash, chain, messageId, ...(moved && { moved }) }]
}

/** A message of a client as the summary that it is. */
function asSummary(message: NewMessage, compact: CompactNote): NewMessage {
  const data = message.data as { metadata: object }
  const metadata = { ...data.metadata, compact }
  return { ...message, data: { ...data, metadata }, mergeParentId: compact.untilId }
}

function changeOf(
  ports: AgentPorts,
  line: Line,
  { next, spent }: { next: Next; spent: Change['spent'] },
): { plan: Plan; change: Change } {
  const { ownerId, by, context, newChat, keepsContext } = line
  const { stand, messages, nodes, steering, compacted } = next
  const said = { messages, nodes, contextId: context.id, by }
  const common = { ownerId, at: ports.clock(), ...(spent && { spent }) }
  if (!stand) {
    const { chatId, ...begun } = newChat
    const plan = planAgentChat({ ...said, ...begun, userId: ownerId })
    const { steps, create } = plan
    return { plan, change: { ...common, chatId, create, contexts: [context], steps } }
  }
  const newBranchId = line.newBranchId()
  const plan = steering
    ? planSteeredLine(steering.source, steering.target, said, { newBranchId })
    : planAgentLine(stand, said, {
        newBranchId,
        keepsContext,
        opensOn: line.isBeside ? null : stand.opensOn,
        compacted,
      })
  const contexts = stand.contextIds.includes(context.id) ? {} : { contexts: [context] }
  return { plan, change: { ...common, chatId: stand.chatId, ...contexts, steps: plan.steps } }
}

/** The place of a stored message, its preferred branch first. */
export function standOf(node: AgentNode, preferred?: BranchId): Stand {
  const { chatId, called, messageId, opensOn } = node
  const branches = node.branches.toSorted(
    (one, other) => Number(other.id === preferred) - Number(one.id === preferred),
  )
  const contextIds = [node.contextId, ...branches.map(({ contextId }) => contextId)]
  return { chatId, called, messageId, branches, contextIds, opensOn }
}

/** The place of a stored message for a line that may continue it. */
function standFor({ preferred, keepsApart, context }: Line, node: AgentNode): Stand {
  const { branches, ...stand } = standOf(node, preferred)
  return { ...stand, branches: branches.filter(({ contextId }) => !keepsApart || contextId === context.id) }
}

/** The place where a line begins; a branch that has moved on meanwhile is not gone on. */
const standing = ({ start }: Line, attempt: number): Stand | undefined =>
  start && attempt > 0 ? { ...start, branches: [] } : start

/** The branch of a stored message: a branch with that head, else the branch that recorded it. */
const branchOf = ({ branches, recordedOn }: AgentNode, { preferred }: Line): BranchId =>
  (branches.find(({ id }) => id === preferred) ?? branches.find(({ isOpen }) => isOpen))?.id ?? recordedOn

async function nameAlso(
  ports: AgentPorts,
  { ownerId, lastNames = [] }: Line,
  node: AgentNode,
): Promise<void> {
  if (lastNames.length === 0) return
  const { chatId, messageId } = node
  const nodes = lastNames.map((also) => ({ ...also, messageId }))
  await ports.store.commit({ chatId, ownerId, at: ports.clock(), steps: [{ kind: 'keep-nodes', nodes }] })
}

function emptyTip({ start, newChat, moved }: Line): Tip {
  const stand = start ?? {
    chatId: newChat.chatId,
    called: newChat.chatId,
    messageId: null,
    branches: [],
    contextIds: [],
    opensOn: null,
  }
  return { ...stand, chain: '', moved, branchId: stand.branches[0]?.id, wasThere: true }
}
