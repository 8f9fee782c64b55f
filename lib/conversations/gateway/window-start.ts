import type { ModelMessage } from 'ai'
import type { RecentNames } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import { splitSaid } from '@/lib/events/said-words'
import { chainHash, chainHasher, chainHashes, contentOf, lastHash } from '@/lib/gateway/chain'
import { Turns } from '@/lib/transfer'
import type { CallRequest } from './begin-call'
import { saidTexts } from './said'
import type { AgentPorts, Line } from './store-line'

/** Maximum letters to hash in the search for a call's place. */
const HASHED = 8_000_000

/**
 * The line of a call that sends the end of a conversation without its beginning, continued below the messages
 * it leaves out; undefined for a call that may begin a conversation. The conversation is one of the last that
 * came with the same key, in the client's session if it names one. Its messages are found one below the
 * other: two of them, three when the first is a person's (others may write the same), or a single one that
 * calls a tool.
 *
 * A client that resumes a stored conversation puts today's date and files around the person's first question.
 * Such a conversation continues at its end when the person's words are the same and a tool call follows.
 */
export async function windowLine(
  ports: AgentPorts,
  { ownerId, keyId, session }: CallRequest,
  links: readonly ModelMessage[],
  whole: Line,
): Promise<Partial<Line> | undefined> {
  if (keyId === undefined || session?.parent || session?.isShared === false) return undefined
  if (!links.slice(0, -1).some(({ role }) => role !== 'user') || links.length < 2) return undefined
  const own = session && (await ports.store.findAgentNode(ownerId, [lastHash(session.thread)]))
  if (session && !own) return undefined
  const recent = await ports.reads.recentAgentNames(ownerId, keyId)
  const found = await windowIn(
    recent.filter(({ chatId }) => !own || chatId === own.chatId),
    links,
  )
  if (!found) return undefined
  const { from, chain, isOpening } = found
  if (isOpening && !(await asksTheSame(ports, ownerId, found, links))) return undefined
  const rest = links.slice(from)
  const { make, steered } = whole
  return {
    names: await chainHashes(chain, rest),
    otherNames: [],
    namesBelow: (above, at) => chainHashes(above, rest.slice(at)),
    make: (at) => make(from + at),
    steered: steered && ((target, chat, at) => steered(target, chat, from + at)),
    findStart: undefined,
    elsewhere: undefined,
    lastName: undefined,
    isBeside: !isOpening,
    keepsApart: !isOpening,
  }
}

/**
 * Tells whether a conversation begins with the same words of a person, ignoring texts that its client has put
 * around them.
 */
async function asksTheSame(
  { store }: AgentPorts,
  ownerId: UserId,
  { chatId, chain }: Window,
  [first]: readonly ModelMessage[],
): Promise<boolean> {
  const node = await store.findAgentNode(ownerId, [chain], { chatId })
  const asked = node && (await store.getMessage(chatId, node.messageId))
  if (!first || !asked || asked.parentId !== null) return false
  const said = saidIn(contentOf(first))
  return said !== '' && said === saidIn((asked.data as { parts: readonly { text?: unknown }[] }).parts)
}

const saidIn = (parts: readonly { text?: unknown }[]): string => saidTexts(parts).join('\n')

interface Window {
  chatId: ChatId
  /** the name of the message above the first found message */
  chain: string
  /**
   * index of that message in the call: tool answers before it, whose calls are left out, may belong to the
   * stored part
   */
  from: number
  /** only the person's first question is left out */
  isOpening: boolean
}

async function windowIn(
  recent: readonly RecentNames[],
  links: readonly ModelMessage[],
): Promise<Window | undefined> {
  const known = new Map<string, { chain: string; chatId: ChatId }>()
  const aboves = new Map<string, ChatId>()
  for (const { chatId, names } of recent) {
    for (const { hash, chain } of names) {
      known.set(hash, { chain, chatId })
      if (!aboves.has(chain)) aboves.set(chain, chatId)
    }
  }
  const turns = new Turns()
  let letters = 0
  let isOpening = false
  for (const [from, first] of links.entries()) {
    const length = JSON.stringify(first).length
    const hashFirst = chainHasher(first)
    let best: (Window & { run: number }) | undefined
    for (const [above, chatId] of aboves) {
      letters += length
      if (letters > HASHED) break
      await turns.next()
      let run = 0
      for (let chain: string | undefined = above; chain !== undefined && from + run < links.length; ) {
        const hash: string =
          run === 0 ? hashFirst(chain) : chainHash(chain, links[from + run] as ModelMessage)
        chain = known.get(hash)?.chain
        if (chain !== undefined) run += 1
      }
      if (run > (best?.run ?? 0)) best = { chatId, chain: above, from, isOpening, run }
    }
    const found = best ? links.slice(from, from + best.run) : []
    if (best && isCertain(found) && (!isOpening || found.some(callsTool))) return best
    if (isOpening) return undefined
    isOpening = from === 0 && first.role === 'user' && hasAddedContext(first)
    if (!isOpening && first.role !== 'tool') return undefined
  }
  return undefined
}

/** Tells whether consecutive messages belong to a single conversation. */
function isCertain(messages: readonly ModelMessage[]): boolean {
  const [first] = messages
  if (first?.role === 'user') return messages.length > 2
  return messages.length > 1 || (first !== undefined && callsTool(first))
}

const hasAddedContext = (message: ModelMessage): boolean =>
  contentOf(message).some(({ text }) => typeof text === 'string' && splitSaid(text).injected.length > 0)

const callsTool = (message: ModelMessage): boolean =>
  contentOf(message).some(({ type }) => type === 'tool-call')
