import type { AgentCall } from './agent-call'
import { fieldsOf, parsed, textOf } from './protocols/shared/values'

/** The conversation of a client that a call belongs to, in the client's own names. */
export interface AgentSession {
  /** The conversation. A sub-agent has one of its own, named below its session. */
  thread: readonly string[]
  /** The conversation that started this one: its sub-agents hang at its tool calls. */
  parent?: readonly string[]
  /** Its conversations share a chat. The key of a cache only keeps conversations apart. */
  isShared: boolean
  /** The answer is a title for the session's chat. */
  asksTitle: boolean
}

type Names = Omit<AgentSession, 'asksTitle'>

/**
 * The session that a client tells with its call: by its own headers, else in the body. The client's word is not
 * checked: it names nothing but conversations of the owner's.
 */
export function readSession(
  headers: Pick<Headers, 'get'>,
  body: unknown,
  call: AgentCall,
): AgentSession | undefined {
  const names = claudeCode(headers) ?? codex(headers) ?? opencode(headers) ?? inBody(body)
  return names && { ...names, asksTitle: names.isShared && isTitleCall(call) }
}

function claudeCode(headers: Pick<Headers, 'get'>): Names | undefined {
  const session = headers.get('x-claude-code-session-id')
  if (!session) return undefined
  const agent = headers.get('x-claude-code-agent-id')
  if (!agent) return { thread: [session], isShared: true }
  const parent = headers.get('x-claude-code-parent-agent-id')
  return { thread: [session, agent], parent: parent ? [session, parent] : [session], isShared: true }
}

function codex(headers: Pick<Headers, 'get'>): Names | undefined {
  const session = headers.get('session-id')
  const thread = headers.get('thread-id')
  if (!session || !thread) return undefined
  const parent = headers.get('x-codex-parent-thread-id')
  const named = (id: string) => (id === session ? [session] : [session, id])
  return {
    thread: named(thread),
    ...(thread !== session && { parent: named(parent || session) }),
    isShared: true,
  }
}

function opencode(headers: Pick<Headers, 'get'>): Names | undefined {
  const session = headers.get('x-session-id') || headers.get('session-id')
  if (!session) return undefined
  const parent = headers.get('x-parent-session-id')
  return { thread: [session], ...(parent && parent !== session && { parent: [parent] }), isShared: true }
}

function inBody(body: unknown): Names | undefined {
  const { metadata, prompt_cache_key } = fieldsOf(body)
  const session = sessionOfUser(metadata)
  if (session) return { thread: [session], isShared: true }
  const key = textOf(prompt_cache_key)
  return key ? { thread: [key], isShared: false } : undefined
}

/** Agents of Anthropic's SDK name their session in `metadata.user_id`, as JSON. */
function sessionOfUser(metadata: unknown): string | undefined {
  const user = textOf(fieldsOf(metadata).user_id)
  return user?.startsWith('{') ? textOf(fieldsOf(parsed(user)).session_id) : undefined
}

/** Letters of a system text that are looked at. */
const BEGINNING = 600

const asksForTitle =
  /\btitle generator\b|\b(?:generate|write|create|come up with|produce|suggest)\b[^.\n]{0,60}\btitle\b/i

/** A call without tools and without a reply, whose system text asks for a title. */
function isTitleCall({ system, tools, messages }: AgentCall): boolean {
  if (tools.length > 0 || messages.length === 0) return false
  if (!messages.every(({ role }) => role === 'user')) return false
  return system.some((text) => asksForTitle.test(text.slice(0, BEGINNING)))
}
