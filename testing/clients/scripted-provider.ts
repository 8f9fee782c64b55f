import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  chatStream,
  chatWhole,
  type GivenReply,
  messagesStream,
  messagesWhole,
  responsesStream,
  responsesWhole,
} from '@/testing/fixtures/provider-replies'
import { close, listen } from '@/testing/machines/listen'
import type { Job, Step } from './job'

/** A request as it came, for comparison. */
export interface Recorded {
  method: string
  /** with its query */
  path: string
  headers: Readonly<Record<string, string>>
  /** a body that is no JSON is its text */
  body: unknown
}

type Fields = Readonly<Record<string, unknown>>

export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>

/** Happens while a provider thinks: named by the part of the job and the number of its step. */
type Meanwhile = (name: string, at: number) => Promise<void>

/**
 * A provider that speaks three protocols and knows a job: the reply to a request is the step whose number is that of the tool
 * results in it. The same requests get the same bytes, whenever they are made. It records what it is asked.
 */
export async function startScriptedProvider() {
  let job: Job = { steps: {} }
  let meanwhile: Meanwhile | undefined
  let replies = 0
  const threads = new Threads()
  const failed = new Set<string>()
  const requests: Recorded[] = []
  const server = createServer(async (incoming, outgoing) => {
    const body = await bodyOf(incoming)
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    )
    requests.push({ method: incoming.method ?? '', path: incoming.url ?? '', headers, body })
    await respond(incoming, outgoing, body)
  })
  server.on('upgrade', (_, socket) =>
    socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
  )

  async function respond(
    { url = '', method }: IncomingMessage,
    outgoing: ServerResponse,
    body: unknown,
  ): Promise<void> {
    const json = (status: number, value: object) =>
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const { pathname } = new URL(url, 'http://localhost')
    if (method === 'GET' && pathname.endsWith('/models'))
      return void json(200, {
        object: 'list',
        data: job.models?.map((id) => ({ id, object: 'model' })) ?? [],
      })
    if (pathname.endsWith('/count_tokens')) return void json(200, { input_tokens: 100 })
    const protocol = protocols.find(({ ending }) => pathname.endsWith(ending))
    if (!protocol || method !== 'POST') return void json(404, { error: { message: `No ${pathname} here` } })
    const asked = threads.whole(body as Fields)
    const { name, at } = placeOf(asked)
    const step = stepOf(job, asked, name, at)
    if (step?.fails && !failed.has(`${name} ${at}`)) {
      failed.add(`${name} ${at}`)
      return void json(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
    }
    if (step) await meanwhile?.(name, at)
    replies += 1
    // a step that is taken again has an id of its own
    const reply = replyOf(step, meanwhile ? `${name}_${replies}` : name, at)
    threads.keep(asked, reply)
    if (asked.stream !== true) return void json(200, JSON.parse(protocol.whole(reply).join('')))
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of protocol.stream(reply)) outgoing.write(piece)
    outgoing.end()
  }

  const port = await listen(server)
  return {
    /** without `/v1` */
    url: `http://127.0.0.1:${port}`,
    /**
     * Begins a job: what was asked before is forgotten.
     *
     * @param during happens before each step that is answered; with it no two replies have the same ids
     */
    begin(next: Job, during?: Meanwhile) {
      job = next
      meanwhile = during
      replies = 0
      failed.clear()
      requests.length = 0
    },
    /** the requests since the job began */
    requests: () => [...requests],
    close: () => close(server),
  }
}

/** Conversations that a provider keeps: a call that names a reply goes on from it without sending what was said before. */
class Threads {
  readonly #kept = new Map<string, Fields>()

  /** A call as if it had sent the whole of its conversation. */
  whole(asked: Fields): Fields {
    const { previous_message_id: id } = (asked.thread ?? {}) as Fields
    const before = this.#kept.get(String(id))
    return before
      ? { ...before, ...asked, messages: [...listOf(before.messages), ...listOf(asked.messages)] }
      : asked
  }

  keep(asked: Fields, { id }: GivenReply): void {
    if (asked.thread && id !== undefined) this.#kept.set(id, asked)
  }
}

const protocols = [
  { ending: '/chat/completions', stream: chatStream, whole: chatWhole },
  { ending: '/messages', stream: messagesStream, whole: messagesWhole },
  { ending: '/responses', stream: responsesStream, whole: responsesWhole },
]

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part)
  const sent = Buffer.concat(parts)
  const encoding = incoming.headers['content-encoding']
  const bytes = encoding === 'gzip' ? gunzipSync(sent) : encoding === 'zstd' ? zstdDecompressSync(sent) : sent
  const text = bytes.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value : [])

/** The part of the job that a request belongs to, which its first words name (`job:main`), and how many of its calls are answered. */
function placeOf(asked: Fields): { name: string; at: number } {
  const messages = listOf(asked.messages ?? asked.input)
  let results = 0
  const names: string[] = []
  for (const message of messages) {
    const blocks = listOf(message.content)
    const isResult = message.role === 'tool' || /_call_output$/.test(String(message.type))
    const answered = blocks.filter(({ type }) => type === 'tool_result').length
    results += isResult ? 1 : answered
    if (message.role !== 'user' || isResult) continue
    const said = [message.content, ...blocks.map(({ text }) => text)].filter(
      (text) => typeof text === 'string',
    )
    for (const text of said)
      names.push(...(/job:\w+/.exec(text)?.[0].slice(4) ? [/job:(\w+)/.exec(text)?.[1] ?? ''] : []))
  }
  return { name: names[0] ?? '', at: results }
}

function stepOf({ steps }: Job, asked: Fields, name: string, at: number): Step | undefined {
  const hasTools =
    listOf(asked.tools).length > 0 || listOf(asked.input).some(({ type }) => type === 'additional_tools')
  return hasTools ? steps[name]?.[at] : undefined
}

function replyOf(step: Step | undefined, name: string, at: number): GivenReply {
  const id = `${name || 'title'}_${at}`
  if (!step) return { id: `reply_${id}`, text: name === '' ? 'A short title' : `Done with ${name}.` }
  const { tool, input, words = `Step ${at + 1}.` } = step
  return { id: `reply_${id}`, text: words, calls: [{ id: `call_${id}`, name: tool, input }] }
}
