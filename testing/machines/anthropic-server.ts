import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { messagesStream } from '../fixtures/provider-replies'
import { startProvider } from './provider-server'

type Block = Readonly<Record<string, unknown>>

/** What a request took from the cache and put into it, in characters as tokens. */
export interface CacheUse {
  read: number
  written: number
  /** neither */
  rest: number
  /** marks in the request */
  marks: number
}

/** A mark looks for what is kept at most so many blocks before it. */
const LOOK_BACK = 20
/** A prompt is read before its reply begins, in ms. */
const READING = 50
/** Shorter beginnings are not kept. */
const FEWEST = 1024

/**
 * A server of Anthropic's messages that counts its prompt cache as the documents say: the beginning of a request is kept up to
 * each mark, once its reply has begun; a later request reads the longest beginning that is kept at one of its marks or up to 20
 * blocks before it. A block's tokens are its characters.
 *
 * @param answer its words once it answers; undefined where it refuses as overloaded
 */
export async function startAnthropicServer(answer: () => string | undefined) {
  const kept = new Set<string>()
  const uses: CacheUse[] = []
  const server = await startProvider(async ({ body }) => {
    const { prefixes, marks } = beginningsOf(body)
    const total = prefixes.at(-1)?.tokens ?? 0
    let read = 0
    for (const mark of marks) {
      for (let at = mark; at >= Math.max(0, mark - LOOK_BACK); at--) {
        const prefix = prefixes[at]
        if (!prefix || !kept.has(prefix.hash)) continue
        read = Math.max(read, prefix.tokens)
        break
      }
    }
    const last = prefixes[Math.max(-1, ...marks)]?.tokens ?? 0
    const written = last >= FEWEST ? Math.max(0, last - read) : 0
    uses.push({ read, written, rest: total - read - written, marks: marks.length })
    const text = answer()
    if (text === undefined) return { status: 529, pieces: [overloaded] }
    await pause(READING)
    for (const mark of marks) {
      const prefix = prefixes[mark]
      if (prefix && prefix.tokens >= FEWEST) kept.add(prefix.hash)
    }
    const usage = {
      input_tokens: total - read - written,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
    }
    return { pieces: withUsage(messagesStream({ text }), usage) }
  })
  return {
    ...server,
    uses,
    /** as after five minutes without a request */
    forget: () => kept.clear(),
  }
}

const overloaded = JSON.stringify({
  type: 'error',
  error: { type: 'overloaded_error', message: 'Overloaded' },
})

/** A stream whose first event tells what the request took. */
const withUsage = ([start = '', ...rest]: string[], usage: object): string[] => {
  const event = JSON.parse(start.slice(start.indexOf('data: ') + 6))
  Object.assign(event.message.usage, usage)
  return [`event: message_start\ndata: ${JSON.stringify(event)}\n\n`, ...rest]
}

/** The beginnings of a request, block after block: tools, instructions, messages; and which of them are marked. */
function beginningsOf(body: { tools?: Block[]; system?: string | Block[]; messages: Message[] }) {
  const system: Block[] =
    typeof body.system === 'string' ? [{ type: 'text', text: body.system }] : (body.system ?? [])
  const said = body.messages.flatMap(({ role, content }): Block[] =>
    typeof content === 'string'
      ? [{ role, type: 'text', text: content }]
      : content.map((block) => ({ ...block, role })),
  )
  const hash = createHash('sha256')
  let tokens = 0
  const marks: number[] = []
  const prefixes = [...(body.tools ?? []), ...system, ...said].map((block, at) => {
    const { cache_control, ...plain } = block
    const text = JSON.stringify(plain)
    if (cache_control) marks.push(at)
    hash.update(text)
    tokens += text.length
    return { hash: hash.copy().digest('hex'), tokens }
  })
  return { prefixes, marks }
}

interface Message {
  role: string
  content: string | Block[]
}
