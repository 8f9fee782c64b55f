import { canonicalJson, type OwnAgent, openCalls } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { calledBranch } from './called-branch'

/** Number of agents to look at, the last called first. */
const LOOKED_AT = 20
/** Agents whose last calls are at most this far apart, in ms, are all candidates for the caller. */
const AT_ONCE = 300_000

/** The call of a tool by an agent that asks about its own conversation. */
export interface OwnCall {
  ownerId: UserId
  /** the key that it brings */
  keyId?: string | undefined
  /** the owner's id for a chat, and a branch of it by name or id: the agent's own choice counts first */
  chatId?: ChatId | undefined
  branch?: string | undefined
  /** the tool and its input, which the reply that called it holds */
  tool: { name: string; input: unknown }
  /** resolves when the replies that are under way are stored, as far as that is soon */
  stored(): Promise<unknown>
}

/** The conversation of an agent, and its place. */
export interface OwnConversation {
  chatId: ChatId
  /** the owner's id for the chat */
  called: ChatId
  branchId: BranchId
  branchName: string
  /** the last message there; null before the first */
  messageId: MessageId | null
  /** an agent writes there through the gateway */
  isAgents: boolean
}

/**
 * The conversation of the agent that calls a tool. A chat or branch that the agent names is taken. Else it is
 * the conversation whose last reply calls this tool, and without such a stored reply, the one in which an
 * agent with the same key wrote last.
 *
 * @throws NotFoundError for a missing or another person's chat or branch; InvalidRequestError when no agent has
 * written, and when two conversations match
 */
export async function ownConversation(ports: Ports, asked: OwnCall): Promise<OwnConversation> {
  const { ownerId, chatId, branch } = asked
  if (chatId === undefined) {
    const among = (agent: OwnAgent) => branch === undefined || isNamed(agent, branch)
    const agent = await callerAmong(ports, asked, undefined, among)
    if (!agent) throw new InvalidRequestError(branch === undefined ? NONE : NOT_THERE, 'no_conversation')
    return conversationOf(agent)
  }
  const found = await calledBranch(ports, { ownerId, called: chatId, branch })
  const { state } = found
  const agent = await callerAmong(
    ports,
    asked,
    found.chatId,
    ({ branchId }) => branch === undefined || branchId === state.branchId,
  )
  if (agent) return conversationOf(agent)
  const { branchId, branchName, headId: messageId } = state
  return { chatId: found.chatId, called: chatId, branchId, branchName, messageId, isAgents: false }
}

const NONE =
  'No conversation of yours is known: none was sent through Ramify with this key. Name a chat with chat_id; list_chats has them.'
const NOT_THERE = 'No agent writes on a branch of this name. Name its chat with chat_id; list_chats has them.'

const isNamed = ({ branchId, branchName }: OwnAgent, branch: string) =>
  branchId === branch || branchName === branch

const conversationOf = ({ chatId, called, branchId, branchName, messageId }: OwnAgent): OwnConversation => ({
  chatId,
  called,
  branchId,
  branchName,
  messageId,
  isAgents: true,
})

/** The agent that calls the tool; undefined where no agent writes. */
async function callerAmong(
  ports: Ports,
  asked: OwnCall,
  chatId: ChatId | undefined,
  among: (agent: OwnAgent) => boolean,
): Promise<OwnAgent | undefined> {
  const { ownerId, keyId } = asked
  const read = async (key?: string) =>
    (await ports.reads.ownAgents(ownerId, { keyId: key, chatId, limit: LOOKED_AT })).filter(among)
  let agents = await read()
  let calling = await callersAmong(ports, asked, agents)
  if (calling.length === 0) {
    // an agent may call a tool before its reply has come to its end
    await asked.stored()
    agents = await read()
    calling = await callersAmong(ports, asked, agents)
  }
  if (calling.length === 0 && keyId !== undefined && chatId === undefined) agents = await read(keyId)
  const [last, ...others] = calling.length > 0 ? calling : agents
  if (!last) return undefined
  const rival = others.find(({ calledAt }) => last.calledAt - calledAt < AT_ONCE)
  if (rival) throw eitherOf(last, rival)
  return last
}

/** The agents whose last reply calls the tool, preferably with this input and key. */
async function callersAmong(ports: Ports, { tool, keyId }: OwnCall, agents: OwnAgent[]): Promise<OwnAgent[]> {
  const calls = await Promise.all(
    agents.map(async (agent) => {
      const message = await ports.store.getMessage(agent.chatId, agent.messageId)
      // clients put the name of the server before that of the tool
      const open = openCalls(message?.data).filter((part) => calledName(part).endsWith(tool.name))
      return { agent, inputs: open.map(({ input }) => canonicalJson(input ?? {})) }
    }),
  )
  const calling = calls.filter(({ inputs }) => inputs.length > 0)
  const input = canonicalJson(tool.input ?? {})
  const same = ifAny(calling, ({ inputs }) => inputs.includes(input))
  return ifAny(same, ({ agent }) => agent.keyId === keyId).map(({ agent }) => agent)
}

/** The entries that fulfil a condition; all of them when none does. */
function ifAny<Entry>(entries: Entry[], isTrue: (entry: Entry) => boolean): Entry[] {
  const found = entries.filter(isTrue)
  return found.length > 0 ? found : entries
}

const calledName = (part: { type: string; toolName?: string }): string =>
  part.toolName ?? part.type.replace(/^tool-/, '')

const eitherOf = (...agents: OwnAgent[]): InvalidRequestError => {
  const named = agents.map(
    ({ called, title, branchName, client }) =>
      `“${title ?? 'Untitled'}” (chat_id ${called}, branch ${branchName}${client === null ? '' : `, ${client.slice(0, 40)}`})`,
  )
  return new InvalidRequestError(
    `Your conversation may be either of two: ${named.join(' or ')}. Call again with the chat_id and the branch that are yours.`,
    'several_conversations',
  )
}
