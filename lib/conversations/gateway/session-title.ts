import { messageText, messageTitle, NotFoundError, planChatUpdate } from '@/lib/context'
import type { UserId } from '@/lib/events'
import { splitSaid } from '@/lib/events/said-words'
import type { AgentReply } from '@/lib/gateway/agent-call'
import { contentOf, lastHash } from '@/lib/gateway/chain'
import type { AgentSession } from '@/lib/gateway/session'
import { titleOf, widths } from '../titles/title-request'
import type { CallRequest } from './begin-call'
import { spentTokens } from './spent-tokens'
import type { AgentPorts } from './store-line'

/** A client's call for a title: nothing of it is stored but the title. */
interface TitleCall {
  /** Gives the session's chat the title, unless a person has given it another. */
  end(reply: AgentReply): Promise<void>
  fail(): Promise<void>
}

/**
 * Begins a call that asks for the title of a session's chat.
 *
 * @param counts true when quotas count calls, which they do by chat
 * @returns undefined for any other call, and where the call could not be counted
 */
export async function beginTitle(
  ports: AgentPorts,
  { ownerId, session, call }: Pick<CallRequest, 'ownerId' | 'session' | 'call'>,
  counts: boolean,
): Promise<TitleCall | undefined> {
  if (!session?.asksTitle) return undefined
  const chat = () => ports.store.findAgentNode(ownerId, [lastHash(session.thread)])
  const known = await chat()
  if (counts && !known) return undefined
  if (known) await ports.store.spend(known.chatId, { calls: 1, tokens: 0 })
  return {
    async end(reply) {
      const title = titleIn(reply)
      let node = await chat()
      if (!node) {
        waiting.keep(ownerId, session, title)
        // a chat that has begun meanwhile has not seen it
        node = await chat()
      }
      if (!node) return
      await ports.store.spend(node.chatId, { calls: 0, tokens: spentTokens(call, reply) })
      if (title === '') return
      const chain = await ports.store.getMessageChain(node.chatId, node.messageId)
      const asked = chain.filter(({ name }) => name === 'user').map(({ data }) => data)
      const steps = planChatUpdate({ title, instead: madeTitle(asked) })
      await ports.store
        .commit({ chatId: node.chatId, ownerId, at: ports.clock(), steps })
        .catch(ignoreDeleted)
    },
    fail: async () => undefined,
  }
}

/** A person may delete the chat while its title is asked for. */
function ignoreDeleted(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error
}

/**
 * A title for a chat from its questions: a person's first words, without the texts that a client has put
 * before them.
 */
export function madeTitle(asked: readonly unknown[]): string {
  const said =
    asked.find((message) => splitSaid(messageText(message).slice(0, LOOKED_AT)).said.trim() !== '') ??
    asked[0]
  return (said === undefined ? '' : messageTitle(said)) || 'Agent'
}

/** Letters in which a person's own words are looked for. */
const LOOKED_AT = 100_000

/** The title of a session that has no chat yet: clients ask for it first. */
export const titleAhead = (ownerId: UserId, session: AgentSession | undefined): string | undefined =>
  session && waiting.of(ownerId, session)

function titleIn({ message, brokenOff }: AgentReply): string {
  if (brokenOff !== undefined) return ''
  const texts = contentOf(message).flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []))
  const answer = texts.join('')
  return titleOf(/"title"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(answer)?.[1] ?? answer, widths.chat)
}

/** Titles that wait for their chats, in this process: the first words replace a lost one. The oldest leave first. */
class WaitingTitles {
  readonly #titles = new Map<string, string>()

  keep(ownerId: UserId, session: AgentSession, title: string): void {
    if (title !== '') this.#titles.set(keyOf(ownerId, session), title)
    const [oldest] = this.#titles.keys()
    if (this.#titles.size > MOST && oldest !== undefined) this.#titles.delete(oldest)
  }

  of(ownerId: UserId, session: AgentSession): string | undefined {
    return this.#titles.get(keyOf(ownerId, session))
  }
}

const keyOf = (ownerId: UserId, { thread }: AgentSession): string => `${ownerId} ${lastHash(thread)}`

/** Titles that wait at most. */
const MOST = 1000

const waiting = new WaitingTitles()
