import 'server-only'
import type { z } from 'zod'
import type { Viewer } from '@/lib/auth'
import type { Ports } from '@/lib/conversations'
import { getServices, onBehalfOf, type Services } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { admit, checkSession, credentialOf } from '../http/admit'
import { enterWithBody } from '../http/heavy-work'
import { requestTurnstile } from '../http/pace'
import { problemResponse, RequestRefusedError } from '../http/problem'
import { type BodyLimits, readBody } from '../http/read-body'
import { noteRefusal } from '../http/refused-access'
import { checkStreams } from '../http/streams'

/** The chapters of the API page, in the order of the page. */
export const tags = {
  Access: 'A session cookie or an API key says who you are. A guest account needs no form.',
  Commands:
    'Write to threads. Each command is one transaction: it is done whole, or it is refused and nothing is written.',
  Threads:
    'Read threads. A thread has its own events and messages and the ones it inherits, as one sequence.',
  Chats:
    'The protocol of the browser’s chat: the AI SDK’s UI message stream, the graph of a chat, and search.',
  Sharing: 'Links by which a chat is read without an account, at `/s/{token}`.',
  People:
    'The people whom the owner of a chat lets into it. One who is let in calls the chat by an id of their own, which every operation takes that their role has. To all others, and for everything else, the chat does not exist.',
  Proposals:
    'A branch of a copy is proposed to the owner of the original, as Git’s pull requests do it. The owner reads the branch that is proposed and nothing else of the author; the author reads nothing of the original but what its link shows.',
  Files: 'What a message can hold besides its text: images, PDFs, documents, sound and text files.',
  Import:
    'Chats of other programs, and those that Ramify has exported. The server works on a file by itself: ask how far it has come.',
  Export:
    'Chats as files. The format of Ramify is JSON: `{"format": "ramify.chat", "version": 1}` with `chat`, `contexts`, `branches`, `checkpoints`, `messages`, `summaries`, `files` (their bytes in base64, or the entry of the zip that holds them) and `history`, the log, from which the chat is restored event for event: ids, dates, moves to undo and all. Its schema is `ChatFile`. Runs, and how far replays and bisects have come, stay behind; the messages they left come along.',
  Remotes:
    'A chat can be exchanged between servers, as Git exchanges commits: messages are united, branches are compared. A remote is another Ramify server of yours, which this one talks to. What never travels: keys, drafts, runs, and what a person has allowed tools to do.',
  Models: 'The models to choose from, and your own keys for their providers.',
  Agents:
    'Models for programs that speak the protocols of OpenAI or Anthropic: only their base URL and key change, and each run becomes a graph.',
  Tools:
    'What a model can do besides answering: tools that come with Ramify, and those of servers that speak MCP.',
  Operations: 'For the operator of the server.',
} as const

/** The schemas that a request is parsed with, part by part. */
export interface Input {
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodType
}

interface Answer {
  /** 200 unless given */
  status?: number
  description: string
  /** JSON unless given */
  type?: 'text/event-stream' | 'application/octet-stream' | 'application/x-ndjson'
  schema?: z.ZodType
  example?: unknown
}

/** The record of an operation without its code. */
export interface Description<Given extends Input = Input> {
  /** unique; also the anchor on the API page */
  id: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** with `{id}` for the thing that the address names */
  path: string
  tag: keyof typeof tags
  summary: string
  description?: string
  /**
   * required caller, a viewer by default: `session` is a viewer without an API key, `key` one with it; `app`
   * is a registered app
   */
  asks?: 'session' | 'key' | 'app' | 'anyone' | 'scheduler'
  /** the kind of thing that a request names; it may not exist */
  names?:
    | 'Chat'
    | 'Thread'
    | 'Key'
    | 'App'
    | 'File'
    | 'Preset'
    | 'Tool server'
    | 'Proposal'
    | 'Member'
    | 'Invitation'
    | 'Remote'
    | 'Replay'
    | 'Bisect'
    | 'Session'
    | 'Passkey'
    | 'Import'
    | 'Share'
    | 'Model'
  input?: Given
  /** an example of the body */
  example?: object
  /** set when the body is a form, with a file or with fields alone, or lines of JSON; `use` reads it (`receiveFile`, `readForm`, `linesOf`) */
  takes?: 'file' | 'form' | 'pack'
  /** the fields that a form may have beside its file; `use` parses them */
  beside?: z.ZodObject
  /** limits of the body that differ from the usual ones */
  limits?: BodyLimits
  /** has the status of a JSON answer */
  output: Answer
  /** set when a page may draw the answer: no other address is asked for as a picture */
  isPicture?: boolean
  /** further answers of the operation */
  others?: Answer[]
  /** the sentence of each conflict (409), by its code; the other refusals follow from the record */
  refusals?: Record<string, string>
  /** the sentence of each request that is well formed and cannot be followed (422), by its code */
  unfit?: Record<string, string>
  /** set when refusals have the form of another protocol */
  refusesIn?: 'protocol' | 'oauth'
  /** set when the answer is an event stream: always, or when the request accepts one */
  streams?: 'always' | 'on request'
  /** set when pages of other sites may ask: the preflight requests of their browsers are answered */
  openToPages?: true
}

export type Handler = (request: Request, context: { params: Promise<object> }) => Promise<Response>

/** One method of one address: its route, its validation and its documentation. */
export interface Operation extends Description {
  handle: Handler
  /** refuses the methods that the address does not have, in the words of another protocol */
  refuseMethod?: (request: Request, allow: string) => Response
}

/** The parts of a request, parsed by the schemas of a record. */
export type Parsed<Given extends Input> = {
  [Part in keyof Input]-?: Given[Part] extends z.ZodType ? z.output<Given[Part]> : undefined
}

/** The arguments of an operation's code, with the parsed parts of the request. */
export interface OperationCall {
  request: Request
  viewer: Viewer
  ownerId: string
  services: Services
  /** a read stops when its client leaves; a write counts for the client's network address */
  ports: Ports
  /** true when the answer is to be an event stream */
  streamed: boolean
}

/**
 * An operation that a viewer asks for. The record is the route (`routesBelow`), the validation and the entry in the API's
 * description. Before `use` runs, the request has passed the door (`admit`) and its parts are parsed.
 *
 * @param record.use answers with the JSON of `output`, with nothing (204), or with a response of its own
 * @example
 * export const readHead = defineOperation({
 *   id: 'readHead',
 *   method: 'get',
 *   path: '/api/threads/{id}/head',
 *   tag: 'Threads',
 *   names: 'Thread',
 *   summary: 'Read thread head',
 *   input: { params: inThread },
 *   output: { description: 'The head.', schema: threadHead },
 *   use: ({ ports, ownerId, params }) => readThreadHead(ports, { ownerId, threadId: params.id }),
 * })
 */
export function defineOperation<Given extends Input = Record<never, never>>(
  record: Description<Given> & {
    use(call: OperationCall & Parsed<Given>): Promise<object | undefined>
  },
): Operation {
  const { use, ...description } = record

  const answer = async (request: Request, context: { params: Promise<object> }): Promise<Response> => {
    const services = await getServices()
    const viewer = await admit(request, services, description.isPicture)
    if (description.asks === 'session') checkSession(viewer)
    // the framework gives an address without parameters none
    const params: object = (await context.params) ?? {}
    checkNames(request, params, description.names ?? 'Chat')
    const streamed = isStreamed(description, request)
    if (description.streams === 'always') checkStreams({ request, viewer, services })
    const leave = await enterWithBody(request, viewer.id)
    const parsed = await parse(description, request, params).finally(leave)
    const ports = portsOf(services, request, streamed)
    const call = { request, viewer, ownerId: viewer.id, services, ports, streamed, ...parsed }
    const answered = await onBehalfOf(viewer.id, () => use(call as typeof call & Parsed<Given>))
    if (answered instanceof Response) return answered
    if (!answered) return new Response(null, { status: 204 })
    return Response.json(answered, { status: record.output.status, headers: { 'cache-control': 'no-store' } })
  }
  return {
    ...description,
    handle: (request, context) =>
      answerOrRefuse(request, () =>
        requestTurnstile.pass(credentialOf(request), () => answer(request, context)),
      ),
  }
}

/** An operation that needs no viewer: `use` makes the whole answer. */
export function defineOpenOperation(
  record: Description & { asks: 'anyone' | 'scheduler'; use(request: Request): Promise<Response> },
): Operation {
  const { use, ...description } = record
  return { ...description, handle: (request) => answerOrRefuse(request, () => use(request)) }
}

/** Answers a request; an error becomes its problem document, and a refused access is noted. */
async function answerOrRefuse(request: Request, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    noteRefusal(error, request)
    return problemResponse(error)
  }
}

const isStreamed = ({ streams }: Description, request: Request): boolean =>
  streams === 'always' ||
  (streams === 'on request' && (request.headers.get('accept')?.includes('text/event-stream') ?? false))

async function parse({ input = {}, limits }: Description, request: Request, params: object) {
  const { searchParams } = new URL(request.url)
  const headers = Object.keys(input.headers?.shape ?? {}).map((name) => [
    name,
    request.headers.get(name) ?? undefined,
  ])
  return {
    params: input.params?.parse(params),
    query: input.query?.parse(Object.fromEntries(searchParams)),
    headers: input.headers?.parse(Object.fromEntries(headers)),
    body: input.body?.parse(await readBody(request, limits)),
  }
}

function portsOf({ ports, portsFor }: Services, request: Request, streamed: boolean): Ports {
  if (request.method !== 'GET' && request.method !== 'HEAD') return portsFor(clientAddress(request))
  // a stream ends by itself, and its reads are shared with other readers
  if (streamed) return ports
  const { reads, threads } = ports
  return { ...ports, reads: reads.until(request.signal), threads: threads.until(request.signal) }
}

/** The query parameter that holds words to search for. */
const WORDS = 'q'

/** Ids and names never contain NUL, which Postgres refuses: a request with it names nothing that exists. */
function checkNames(request: Request, params: object, what: string): void {
  const asked = [...new URL(request.url).searchParams].filter(([key]) => key !== WORDS)
  const named = [...Object.values(params), ...asked.map(([, value]) => value)]
  if (named.some((value) => String(value).includes('\0')))
    throw new RequestRefusedError(404, 'not_found', `${what} not found`)
}
