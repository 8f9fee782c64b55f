import type { ModelMessage } from 'ai'
import { type AgentNode, NotFoundError, openCalls, planAgentFailure } from '@/lib/context'
import type { UserId } from '@/lib/events'
import type { AgentCall, AgentPin, AgentPlace, AgentReply } from '@/lib/gateway/agent-call'
import { withArgumentDefaults } from '@/lib/gateway/argument-defaults'
import {
  callsIn,
  chainHash,
  chainHashes,
  contentOf,
  conversationHash,
  itemHash,
  linksOf,
  NO_CHAIN,
  responseHash,
} from '@/lib/gateway/chain'
import { isKept, namedItems, sentBack, withoutKept } from '@/lib/gateway/kept'
import type { AgentSession } from '@/lib/gateway/session'
import { cleanText } from '@/lib/transfer'
import { patiently } from '../replies/patiently'
import { contextOfCall } from './call-context'
import { pinnedStart, type Start } from './pinned-start'
import { repliedMessage, saidMessage, saysSomething } from './said'
import { delegatedLine, inheritedNames, sessionStart } from './session-start'
import { madeTitle, titleAhead } from './session-title'
import { spentTokens } from './spent-tokens'
import { steeredChain } from './steered-chain'
import { steeredMessages } from './steered-messages'
import { type AgentPorts, type Line, type LinePlace, standOf, storeLine, type Tip } from './store-line'
import { windowLine } from './window-start'

/** A call of a model that an agent makes through Ramify. */
export interface CallRequest {
  ownerId: UserId
  call: AgentCall
  /** the place that the agent has named for its call */
  pin?: AgentPin | undefined
  /** the conversation named by the client; a pin, or the response that the call follows, is more exact */
  session?: AgentSession | undefined
  /** resolves when the replies that are being stored for this person are stored */
  stored?: (() => Promise<unknown>) | undefined
  /** the name an agent gives itself */
  client?: string | undefined
  /** the key it comes with */
  keyId?: string | undefined
  /** the model as listed here; by default, as the agent names it */
  model?: string | undefined
  /**
   * Called with the place of the reply when the agent was not moved, before anything is written. The writing
   * waits for its result, and then for an absent database: the agent has been told. A reply that has ended by
   * then is written with its call, in half the time that both would take; the result is passed to `end`.
   */
  placed?: ((place: AgentPlace) => Promise<AgentReply | undefined>) | undefined
}

/** A call whose messages are stored. Exactly one of `end` and `fail` is called. */
export interface BegunCall {
  /** place of the reply: a branch that opens with it is named already */
  place: AgentPlace
  /**
   * messages for the provider in place of the call's, when the graph has another chain than the agent: as
   * `steeredChain`
   */
  steered?: ModelMessage[] | undefined
  /**
   * Stores the reply, whole or as far as it came; nothing when the same reply is stored there already, or
   * when it is empty.
   *
   * @returns its place
   */
  end(reply: AgentReply): Promise<AgentPlace>
  /**
   * Records the provider's refusal in the log, in its words. The question stays open, and the same call
   * continues from it.
   */
  fail(words: string): Promise<void>
}

/**
 * Stores the new messages of an agent's call, before its provider has answered. The longest stored beginning
 * of the call is found by its hash, and the rest continues there: on the branch that ends with it, else on a
 * new one. A call with an unknown beginning makes a chat. The same call again stores nothing.
 *
 * @throws NotFoundError for a missing or another person's pin; QuotaExceededError
 */
export async function beginCall(ports: AgentPorts, request: CallRequest): Promise<BegunCall> {
  const { ownerId, call, client, keyId, placed, model = call.model } = request
  const { links, ...start } = await startOf(ports, request)
  const context = contextOfCall(call, model)
  const calls = await callsOf(ports, links, start)
  const names = await chainHashes(start.chain, links)
  const chosen = { chatId: ports.newId(), branchId: ports.newId(), replyId: ports.newId() }
  const line: Line = {
    ownerId,
    by: { client, keyId },
    names,
    context,
    start: start.stand,
    moved: start.moved,
    within: start.within,
    findStart: start.findStart,
    lastName: start.lastName,
    otherNames: await otherNamesOf(request, start, links),
    namesBelow: (chain, from) => chainHashes(chain, links.slice(from)),
    make: (at) => {
      const place = { ownerId, calls, id: ports.newId(), createdAt: ports.clock(), contextId: context.id }
      return saidMessage(ports, links[at] as ModelMessage, place)
    },
    steered: (target, chatId, from) =>
      steeredMessages(ports, {
        links: links.slice(from),
        target,
        chatId,
        ownerId,
        calls,
        contextId: context.id,
      }),
    keepsContext: false,
    isBeside: request.session?.parent !== undefined,
    newChat: {
      chatId: chosen.chatId,
      branchId: chosen.branchId,
      title: titleFor(request, links),
      metadata: { agent: { protocol: call.protocol, client } },
    },
    newBranchId: ports.newId,
    spent: { tokens: 0, calls: 1 },
    async elsewhere() {
      if (isPinned(request) || followedHash(call) !== undefined) return undefined
      const other =
        (await windowLine(ports, request, links, line)) ?? (await delegatedLine(ports, request, links))
      if (other) told = { ...line, ...other }
      return other
    },
  }
  // as it is stored
  let told = line
  const tip = await storeCall(
    ports,
    line,
    placed &&
      (async ({ called, branchId }) => {
        const reply = await placed({ chatId: called, branchId, messageId: chosen.replyId })
        if (!reply || !saysSomething(reply) || reply.others?.length) return undefined
        return async (chain) => ({
          ...namesOfReply({ line: told, start, links, chain, call, reply }),
          message: await repliedMessage(ports, reply, {
            ownerId,
            id: chosen.replyId,
            createdAt: ports.clock(),
            contextId: context.id,
            model,
          }),
          tokens: spentTokens(call, reply),
        })
      }),
  )
  if (tip.wasThere && tip.messageId !== null) await ports.store.spend(tip.chatId, { calls: 1, tokens: 0 })
  const open = tip.branches.find(({ isOpen }) => isOpen)
  const branchId = open?.id ?? chosen.branchId
  const place = { chatId: tip.called, branchId, messageId: chosen.replyId }
  return {
    place,
    steered: tip.moved ? await steeredChain(ports, { ...tip, model }) : undefined,
    end: async (reply) =>
      tip.isReplied
        ? place
        : storeChoices(ports, { line: told, start, links, tip, reply, place, model, call }),
    fail: (words) => recordFailure(ports, { ownerId, tip, replyId: chosen.replyId, words }),
  }
}

/** Stores the messages of a call, with patience once their place is told. */
async function storeCall(ports: AgentPorts, line: Line, placed: Line['placed']): Promise<Tip> {
  if (!placed) return storeLine(ports, line)
  let isTold = false
  const tell = async (place: LinePlace) => {
    isTold = true
    return placed(place)
  }
  try {
    return await storeLine(ports, { ...line, placed: tell })
  } catch (error) {
    if (!isTold) throw error
    return patiently(ports, () => storeLine(ports, line), { what: 'storing a call of an agent' })
  }
}

/** The place where a call begins, and its messages from there on. Earlier messages are named, not sent. */
async function startOf(
  ports: AgentPorts,
  { ownerId, call, pin, session, stored = async () => undefined }: CallRequest,
): Promise<Start & { links: ModelMessage[] }> {
  const links = linksOf(call.messages)
  if (pin && isPinned({ pin })) return { ...(await pinnedStart(ports, ownerId, pin)), links }
  const fresh: Start = { chain: NO_CHAIN, stand: undefined, within: undefined, moved: false }
  const at = (node: AgentNode): Start => ({ ...fresh, chain: node.chain, stand: standOf(node) })
  const places = new Map<string, number>()
  for (let place = links.length - 1; place >= 0; place -= 1) {
    for (const hash of namedItems(links[place] as ModelMessage).map(itemHash)) {
      // an item that is named twice counts at its last place
      if (!places.has(hash)) places.set(hash, place)
    }
  }
  const find = async (hashes: string[]) => {
    const node = await ports.store.findAgentNode(ownerId, hashes)
    if (node) return node
    // an agent may be faster than the database
    await stored()
    return ports.store.findAgentNode(ownerId, hashes)
  }
  const named = places.size > 0 ? await find([...places.keys()]) : undefined
  if (named) return { ...at(named), links: links.slice((places.get(named.hash) ?? 0) + 1) }
  const hash = followedHash(call)
  if (hash === undefined) {
    const begins = session ? sessionStart(ports, { ownerId, session, links, stored }) : fresh
    return { ...begins, links }
  }
  const node = await find([hash])
  return { ...(node ? at(node) : { ...fresh, chain: hash }), links }
}

const isPinned = ({ pin }: Pick<CallRequest, 'pin'>): boolean =>
  pin !== undefined && Object.values(pin).some((part) => part !== undefined)

/** The name of the end of the conversation that a call continues without sending it. */
function followedHash({ previousResponseId, conversationId }: AgentCall): string | undefined {
  if (previousResponseId !== undefined) return responseHash(previousResponseId)
  return conversationId === undefined ? undefined : conversationHash(conversationId)
}

/** The answered calls by id: calls that the agent sends, or the stored ones when it sends answers alone. */
async function callsOf(ports: AgentPorts, links: readonly ModelMessage[], { stand }: Omit<Start, 'links'>) {
  const calls = callsIn(links)
  const [first] = links
  if (!stand?.messageId || first?.role !== 'tool') return calls
  const above = await ports.store.getMessage(stand.chatId, stand.messageId)
  for (const { toolCallId, toolName, input } of openCalls(above?.data)) {
    if (typeof toolName === 'string' && !calls.has(toolCallId)) calls.set(toolCallId, { toolName, input })
  }
  return calls
}

/**
 * Names that find stored messages besides those of the line: of the same words elsewhere in the chat, or in
 * the conversation above.
 */
async function otherNamesOf(
  { session }: CallRequest,
  { within, chain, lastName }: Start,
  links: readonly ModelMessage[],
): Promise<readonly (string | undefined)[]> {
  if (session && lastName !== undefined) return inheritedNames(session, links)
  return within === undefined || chain === NO_CHAIN ? [] : chainHashes(NO_CHAIN, links)
}

/** Tells whether a response was given to this person here. */
export const knowsResponse = async (ports: AgentPorts, ownerId: string, responseId: string) =>
  Boolean(await ports.store.findAgentNode(ownerId, [responseHash(responseId)]))

const titleFor = ({ ownerId, session }: CallRequest, links: readonly ModelMessage[]): string =>
  titleAhead(ownerId, session) ?? madeTitle(links.filter(({ role }) => role === 'user'))

async function recordFailure(
  ports: AgentPorts,
  { ownerId, tip, replyId, words }: { ownerId: UserId; tip: Tip; replyId: string; words: string },
): Promise<void> {
  const { chatId, branchId, messageId } = tip
  if (messageId === null || branchId === undefined) return
  const steps = planAgentFailure(branchId, { replyId, replyTo: messageId, reason: cleanText(words) })
  await ports.store.commit({ chatId, ownerId, at: ports.clock(), steps })
}

interface Ending {
  line: Line
  start: Start
  links: readonly ModelMessage[]
  tip: Tip
  reply: AgentReply
  place: AgentPlace
  model: string
  call: AgentCall
  /** another choice of the answer: its usage is counted with the first */
  isBeside?: boolean
}

/** Stores the reply, and the other choices of the answer as replies beside it. */
async function storeChoices(ports: AgentPorts, ending: Ending): Promise<AgentPlace> {
  const { reply, place } = ending
  const stored = await storeReply(ports, ending)
  for (const other of reply.others ?? []) {
    const at = { ...place, branchId: ports.newId(), messageId: ports.newId() }
    await storeReply(ports, { ...ending, reply: other, place: at, isBeside: true })
  }
  return stored
}

async function storeReply(ports: AgentPorts, ending: Ending): Promise<AgentPlace> {
  const { line, links, tip, reply, place, model, call, isBeside = false } = ending
  if (!saysSomething(reply)) return place
  const { name, lastNames } = namesOfReply({
    line,
    start: ending.start,
    links,
    chain: tip.chain,
    call,
    reply,
  })
  // the branch that opens with the reply has the id that was told
  const ids = tip.branches.some(({ id }) => id === place.branchId) ? [] : [place.branchId]
  // without a message in the call there is nothing to find it by
  const names = links.length === 0 ? [name] : [tip.chain, name]
  const stored = await storeLine(ports, {
    ...line,
    names,
    otherNames: [],
    start: tip.messageId === null ? line.start : tip,
    moved: tip.moved,
    within: tip.messageId === null ? line.within : tip.chatId,
    namesBelow: async () => [name],
    make: async (at) => {
      if (at < names.length - 1) throw new NotFoundError('message', tip.messageId ?? '')
      const { ownerId, context } = line
      const said = { ownerId, id: place.messageId, createdAt: ports.clock(), contextId: context.id }
      return repliedMessage(ports, reply, { ...said, model })
    },
    steered: undefined,
    elsewhere: undefined,
    keepsApart: false,
    keepsContext: true,
    isBeside: isBeside || line.isBeside === true,
    lastName: isBeside ? undefined : line.lastName,
    preferred: place.branchId,
    newBranchId: () => ids.pop() ?? ports.newId(),
    spent: { tokens: isBeside ? 0 : spentTokens(call, reply), calls: 0, ending: true },
    isLast: ({ parentId }) => parentId === tip.messageId,
    lastNames,
  })
  return {
    chatId: stored.called,
    branchId: stored.branchId ?? place.branchId,
    messageId: stored.messageId ?? place.messageId,
  }
}

/** A reply below the last message of a call, which has the name `chain`. */
interface NamedReply extends Pick<Ending, 'line' | 'start' | 'links' | 'call' | 'reply'> {
  chain: string
}

/** The name of a reply, and further names that find it. */
function namesOfReply(named: NamedReply) {
  const { call, reply } = named
  const name = replyName(named)
  const others = [...followingNames(call, reply), ...namesSentBack(named)].filter((hash) => hash !== name)
  return { name, lastNames: others.map((hash) => ({ hash, chain: name })) }
}

/** The names by which later calls continue from a reply without its words, when its provider keeps it. */
function followingNames(
  { protocol, keepsReply, conversationId }: AgentCall,
  { responseId, itemIds = [] }: AgentReply,
): string[] {
  const names = conversationId === undefined ? [] : [conversationHash(conversationId)]
  if (responseId !== undefined && (protocol === 'responses' || keepsReply))
    names.push(responseHash(responseId))
  return keepsReply ? [...names, ...itemIds.map(itemHash)] : names
}

/**
 * Further names of a reply, as clients send it back: without what they do not understand, with the defaults of arguments, and
 * below what they have left out before.
 */
function namesSentBack({ line, links, chain, call, reply: { message } }: NamedReply): string[] {
  if (links.length === 0 || links.at(-1)?.role === 'assistant') return []
  const aboves = new Set([chain, line.names.at(-1) ?? chain])
  const known = contentOf(message).some(isKept) ? [message, withoutKept(message)] : [message]
  const forms = new Set(known.flatMap((form) => [form, withArgumentDefaults(form, call.tools)]))
  return [...aboves].flatMap((above) => [...forms].map((form) => replyHash(above, form)))
}

/** The hash of the last of the messages as which a client sends a reply back. */
const replyHash = (above: string, reply: AgentReply['message']): string =>
  linksOf(sentBack(reply)).reduce(chainHash, above)

/**
 * The name of a reply: where the call ends with the beginning of it, which some protocols allow, the agent sends both as one
 * message from then on.
 */
function replyName({ line, start, links, chain, reply: { message } }: NamedReply): string {
  const begun = links.at(-1)
  if (begun?.role !== 'assistant') return replyHash(links.length === 0 ? start.chain : chain, message)
  const [whole = message] = linksOf([begun, message])
  return chainHash(line.names.at(-2) ?? start.chain, whole)
}
