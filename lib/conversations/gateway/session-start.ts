import type { ModelMessage } from 'ai'
import { type AgentNode, type MessageData, openCalls } from '@/lib/context'
import type { MessageId, UserId } from '@/lib/events'
import { chainHash, chainHashes, contentOf, lastHash, threadHash } from '@/lib/gateway/chain'
import { summaryIn } from '@/lib/gateway/compaction'
import type { AgentSession } from '@/lib/gateway/session'
import type { CallRequest } from './begin-call'
import type { Start } from './pinned-start'
import { saidTexts } from './said'
import type { AgentPorts, FoundStart, Line } from './store-line'

/** A call of a client that names its conversation. */
interface SessionCall {
  ownerId: UserId
  session: AgentSession
  links: readonly ModelMessage[]
  /** resolves when the replies that are being stored for this person are stored */
  stored: () => Promise<unknown>
}

/**
 * The place where a call of a client's conversation begins when none of it is stored. The same words in
 * another session are another conversation: names continue from the session, and after a compaction from its
 * summary, with which the client begins anew.
 */
export function sessionStart(ports: AgentPorts, asked: SessionCall): Start {
  const { session, links } = asked
  const start: Start = {
    chain: rootOf(session.thread, links),
    stand: undefined,
    within: undefined,
    moved: false,
  }
  if (!session.isShared) return start
  const find = () => findStart(ports, asked)
  return { ...start, lastName: lastHash(session.thread), findStart: find }
}

function rootOf(thread: readonly string[], links: readonly ModelMessage[]): string {
  const at = summaryIn(links)
  const summary = at === undefined ? undefined : links[at]
  const root = threadHash(thread)
  return summary ? chainHash(root, summary) : root
}

/**
 * The names of a sub-agent's messages in the conversation that began it, when it continues all of that.
 * Before the first reply they would be the same for agents that only share their beginning.
 */
export async function inheritedNames(
  { parent }: AgentSession,
  links: readonly ModelMessage[],
): Promise<(string | undefined)[]> {
  const replied = links.findIndex(({ role }) => role === 'assistant')
  if (!parent || replied < 0) return []
  const names = await chainHashes(rootOf(parent, links), links)
  return names.map((name, at) => (at < replied ? undefined : name))
}

/** A chat that knows the session: at the call that began a sub-agent, below what a summary replaces, or at its beginning. */
async function findStart(ports: AgentPorts, asked: SessionCall): Promise<FoundStart | undefined> {
  const { session, links, stored } = asked
  const own = await lastOf(ports, asked, session.thread)
  const at = summaryIn(links)
  if (own && at !== undefined) return replaced(ports, { ...asked, at, last: own })
  const { parent } = session
  if (!parent) return own && { stand: standAt(own, null) }
  // a client may start a sub-agent before the reply that asks for it is stored
  await stored()
  const root = session.thread.slice(0, 1)
  const began = (await lastOf(ports, asked, parent)) ?? (await lastOf(ports, asked, root))
  return began && { stand: await atCall(ports, began, links) }
}

const lastOf = (ports: AgentPorts, { ownerId }: SessionCall, thread: readonly string[]) =>
  ports.store.findAgentNode(ownerId, [lastHash(thread)])

/** A new branch below a message; with null at the beginning of the chat. */
const standAt = ({ chatId, called, contextId, opensOn }: AgentNode, messageId: MessageId | null) => ({
  chatId,
  called,
  messageId,
  branches: [],
  contextIds: [contextId],
  opensOn,
})

/**
 * The stand below the reply whose tool call gives the sub-agent its task; else below the last reply that
 * calls a tool, else below the last message.
 */
async function atCall(ports: AgentPorts, last: AgentNode, links: readonly ModelMessage[]) {
  const chain = await ports.store.getMessageChain(last.chatId, last.messageId)
  const task = taskOf(links)
  const calling =
    (task && chain.findLast(({ data }) => callsOf(data).some((input) => input.includes(task)))) ||
    chain.findLast(({ data }) => openCalls(data).length > 0)
  return standAt(last, calling?.id ?? last.messageId)
}

/**
 * The line of a sub-agent whose client names no sessions: below the reply that calls it, when the last
 * conversation with the same key has no answer to that call yet; undefined for every other call that begins a
 * conversation.
 */
export async function delegatedLine(
  ports: AgentPorts,
  { ownerId, keyId, session, call, stored }: CallRequest,
  links: readonly ModelMessage[],
): Promise<Partial<Line> | undefined> {
  const isFirst = links.every(({ role }) => role === 'user')
  if (keyId === undefined || session?.isShared || call.tools.length === 0 || !isFirst) return undefined
  const task = taskOf(links)
  if (task === '') return undefined
  await stored?.()
  const [last] = await ports.reads.ownAgents(ownerId, { keyId, limit: 1 })
  if (!last) return undefined
  const chain = await ports.store.getMessageChain(last.chatId, last.messageId, { last: LOOKED_AT })
  const caller = chain.findLast(
    ({ data }, at) =>
      chain[at + 1]?.name !== 'tool' && callsOf(data).some((input) => input.includes(`"${task}`)),
  )
  if (!caller) return undefined
  const { chatId, called } = last
  const start = { chatId, called, messageId: caller.id, branches: [], contextIds: [], opensOn: null }
  return { start, isBeside: true, findStart: undefined, elsewhere: undefined }
}

/** Messages among which the call of a sub-agent is looked for. */
const LOOKED_AT = 200
/** Letters of a task that are looked for. */
const TASK = 1000

/** The first words of a sub-agent's task, as JSON has them within a text. */
function taskOf(links: readonly ModelMessage[]): string {
  const asked = links.find(({ role }) => role === 'user')
  const said = asked ? saidTexts(contentOf(asked)) : []
  return JSON.stringify((said.at(-1) ?? '').slice(0, TASK)).slice(1, -1)
}

/** The arguments of the tools that a reply calls. */
const callsOf = (data: unknown): string[] => openCalls(data).map(({ input }) => JSON.stringify(input) ?? '')

/** A branch that begins with the summary: the summarised messages stay. */
async function replaced(
  ports: AgentPorts,
  { ownerId, at, last }: SessionCall & { at: number; last: AgentNode },
): Promise<FoundStart> {
  const [chain, source] = await Promise.all([
    ports.store.getMessageChain(last.chatId, last.messageId),
    ports.reads.branchState(last.chatId, ownerId, last.recordedOn),
  ])
  const kept = withoutRequest(chain)
  const note = {
    sourceBranchId: last.recordedOn,
    sourceBranch: source?.state?.branchName ?? '',
    untilId: kept.at(-1)?.id ?? last.messageId,
    count: kept.length,
  }
  return { stand: standAt(last, null), summary: { at, note } }
}

/** Messages without the question for a summary, and the summary, that a client ends a conversation with. */
function withoutRequest(chain: readonly MessageData[]): readonly MessageData[] {
  const [question, answer] = chain.slice(-2)
  const isRequest =
    question?.name === 'user' &&
    answer?.name === 'assistant' &&
    /\bsummar|\bcompact/i.test(JSON.stringify(question.data))
  return isRequest && chain.length > 2 ? chain.slice(0, -2) : chain
}
