import 'server-only'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { ModelMessage } from 'ai'
import { after } from 'next/server'
import { cleanDeep, notesUsageRefusal, type Reach, refusesUsage } from '@/lib/ai'
import type { Viewer } from '@/lib/auth'
import {
  type BegunCall,
  beginCall,
  beginTitle,
  type CallRequest,
  knowsResponse,
  patiently,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { AgentCall, AgentPin, AgentPlace, AgentReply } from '@/lib/gateway/agent-call'
import { asksForUsage, UsageHidden, withUsageAsked } from '@/lib/gateway/ask-for-usage'
import { clientName } from '@/lib/gateway/client-name'
import { namedItems } from '@/lib/gateway/kept'
import { CallRefusedError, type Protocol } from '@/lib/gateway/protocols/protocol'
import { type AgentSession, readSession } from '@/lib/gateway/session'
import { checkSharedKey } from '@/lib/gateway/shared-key'
import { answeredChain, steeredCall } from '@/lib/gateway/steered-call'
import { getServices, logError, onBehalfOf, type Services } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import type { Handler } from '../api/operation'
import { credentialOf } from '../http/admit'
import { enterWithBody, LONG_BODY, workLines } from '../http/heavy-work'
import { requestTurnstile } from '../http/pace'
import { type ReadText, readText } from '../http/read-body'
import { checkStreams, passedResponse, type StreamCall } from '../http/streams'
import { type Answer, addressOf, forward, translate, wholeBody } from './answer'
import { exactly } from './exact-json'
import { type AskedCall, headStart } from './head-start'
import { admitKeyed, keyed } from './keyed'
import { LastOwners } from './last-owners'
import { type AskedModel, modelOf } from './model-of'
import { passOn } from './pass-on'
import { ownCredential } from './passed-headers'
import { pinOf, placeHeaders } from './pin'
import { readAll } from './read-ahead'
import { refuse } from './refuse'
import { beingStored, repliesStored } from './storing-replies'

/** A request may hold the pictures of a long conversation, or ten megabytes of tools. */
export const limits = { bytes: 48_000_000, values: 2_000_000 }

/**
 * The handler of a protocol's address: it asks the model for the agent, and stores the messages in the graph.
 */
export const takeCall =
  (protocol: Protocol): Handler =>
  async (request) => {
    const known = keyed(request)
    try {
      const services = await getServices()
      const credential = credentialOf(known)
      const asked = await requestTurnstile.pass(credential, () =>
        admitted(request, { known, credential, services, protocol }),
      )
      return await onBehalfOf(asked.viewer.id, () => answered(asked))
    } catch (error) {
      return refuse(error, known, protocol)
    }
  }

/** A call that has passed the door. */
interface Asked extends StreamCall {
  viewer: Viewer
  credential: string
  services: Services
  protocol: Protocol
  body: ReadText
  call: AgentCall
  pin: AgentPin
  session: AgentSession | undefined
  model: AskedModel
  /** true when the call's place is found before its provider is asked */
  findsFirst: boolean
  /** the call as sent to the provider while it came */
  begun: AskedCall | undefined
  /** ends the turn of a long body */
  leave: () => void
}

async function admitted(
  request: Request,
  { known, ...door }: Pick<Asked, 'credential' | 'services' | 'protocol'> & { known: Request },
): Promise<Asked> {
  const { services, protocol } = door
  const guessed = lastOwners.of(door.credential)
  const early = guessed === undefined ? undefined : readFor(services, guessed)
  const viewer = await admitKeyed(known, services)
  lastOwners.note(door.credential, viewer.id)
  checkStreams({ request: known, viewer, services })
  const pin = pinOf(request)
  const isPlaced = Object.keys(pin).length > 0 || services.countsQuotas
  const asking = { protocol: protocol.name, own: ownCredential(request) }
  const read = early && guessed === viewer.id ? early : readFor(services, viewer.id)
  const { models } = read
  // the provider is asked once: a moved agent's own messages are not those that its provider gets
  const isMoved = isPlaced ? async () => true : read.isMoved
  const head = isPlaced
    ? undefined
    : headStart(request, protocol, async (name) =>
        (await isMoved()) ? { reach: undefined } : modelOf(await models(), name, asking),
      )
  const leave = await enterWithBody(known, viewer.id)
  try {
    const body = await readText(request, limits, head?.take)
    // a text can hold characters that the database refuses only in escaped form
    const call = protocol.readCall(UNFIT.test(body.text) ? cleanDeep(body.value) : body.value)
    const model = modelOf(await models(), call.model, asking)
    if (model.reach?.isShared) {
      checkSharedKey(protocol.name, body.value)
      if (call.previousResponseId !== undefined)
        await checkOwn(services.ports, viewer.id, call.previousResponseId)
    }
    const findsFirst = await isMoved()
    const begun = head?.release(body)
    const session = readSession(request.headers, body.value, call)
    return { request, viewer, ...door, body, call, pin, session, model, findsFirst, begun, leave }
  } catch (error) {
    leave()
    head?.stop()
    throw error
  }
}

/** Reads a person's models, and tells whether an agent of theirs was moved, while the call comes. */
const readFor = ({ models, ports }: Services, ownerId: string) => ({
  models: settled(models.of(ownerId)),
  isMoved: settled(ports.reads.hasMovedAgents(ownerId)),
})

/** The owners of the latest credentials: reads for them need not wait for the next lookup of a credential. */
const lastOwners = new LastOwners()

/** Refuses to continue a response of another person: the account of the key keeps everyone's. */
async function checkOwn(ports: Services['ports'], ownerId: string, responseId: string): Promise<void> {
  if (await knowsResponse(ports, ownerId, responseId)) return
  // an agent may be faster than the database
  await repliesStored(ownerId)
  if (await knowsResponse(ports, ownerId, responseId)) return
  throw new CallRefusedError(NOT_OWN, 'previous_response_id')
}

const NOT_OWN =
  'previous_response_id: no response with this id was given to you here. Send the whole conversation as input.'

const UNFIT = /\\u(?:0000|d[89a-f])/i

/**
 * Asks the provider and finds the call's place at the same time. New messages are stored with a short reply,
 * or while the provider still writes. They are stored first when the place may refuse or replace the call: at
 * a pin, when quotas are counted, and when the person has moved an agent.
 */
async function answered(asked: Asked): Promise<Response> {
  const { request, services, credential, viewer, body, findsFirst } = asked
  const leaveLine = await workLines()
    .calls.enter(viewer.id, request.signal)
    .catch((error: unknown) => {
      asked.leave()
      asked.begun?.stop()
      throw error
    })
  const early = asked.begun ?? (findsFirst ? undefined : askProvider(asked))
  if (early) {
    // long conversations are hashed once the provider has them, or is slow to take them: hashing would delay
    // their next bytes
    if (body.text.length > QUICKLY_HASHED) {
      const answered = early.answer().catch(() => undefined)
      await Promise.race([early.sent, answered, soon()])
    } else await nextTurn()
    // when many calls come at once, all are sent before the first is stored: their providers think meanwhile.
    // Long ones come one by one
    if (body.text.length <= LONG_BODY) await requestTurnstile.lineIsIn(credential)
  }
  const placed = Promise.withResolvers<Pick<Begun, 'place' | 'steered'>>()
  const replied = Promise.withResolvers<AgentReply>()
  const storing = begin(
    asked,
    early &&
      ((place) => {
        placed.resolve({ place })
        return Promise.race([replied.promise.then(sent), soon()])
      }),
  ).finally(() => {
    asked.leave()
    leaveLine()
  })
  let known: Pick<Begun, 'place' | 'steered'>
  let answer: Answer
  try {
    known = await Promise.race([placed.promise, storing])
  } catch (error) {
    early?.stop()
    throw error
  }
  const { steered, place } = known
  try {
    // the person has moved the agent since the call came: the early answer belongs to its former place
    if (steered) early?.stop()
    answer = await (steered ? askProvider(asked, steered) : (early ?? askProvider(asked))).answer()
  } catch (error) {
    const failed = storing.then((begun) => begun.fail(wordsOf(error)))
    keep(failed, 'a refused call')
    throw error
  }
  const begun: Begun = {
    ...(place && { place }),
    end: async (reply) => (await storing).end(reply),
    fail: async (words) => (await storing).fail(words),
  }
  // without the body: a reply may take minutes
  return response({ request, services, viewer }, begun, answer, replied.resolve)
}

/** A shorter call is hashed while its provider's connection takes it, in letters. */
const QUICKLY_HASHED = 65_536

/**
 * Longest wait of a call to be stored, in ms, for more urgent work: a provider that reads the request, and
 * the whole of a short answer.
 */
const SENDING = 20

const soon = () => sleep(SENDING, undefined, { ref: false })

/** The last bytes of a reply are sent before it is stored. */
const sent = (reply: AgentReply) => nextTurn(reply)

/** A call, or a client's question for the title of its session, which has no place. */
type Begun = Pick<BegunCall, 'fail'> & {
  place?: AgentPlace
  steered?: BegunCall['steered']
  end(reply: AgentReply): Promise<unknown>
}

async function begin(
  { request, services, viewer, call, pin, session, model }: Asked,
  placed: CallRequest['placed'],
): Promise<Begun> {
  const ports = services.portsFor(clientAddress(request))
  const ownerId = viewer.id
  const isPinned = Object.keys(pin).length > 0
  const title = isPinned
    ? undefined
    : await beginTitle(ports, { ownerId, session, call }, services.countsQuotas)
  if (title) return title
  return beginCall(ports, {
    ownerId,
    call,
    pin,
    session,
    stored: () => repliesStored(ownerId),
    client: clientName(request.headers.get('user-agent'), call.system),
    keyId: viewer.credential.id,
    model: model.id,
    placed,
  })
}

/** A promise whose rejection waits until it is asked for. */
function settled<Value>(promise: Promise<Value>): () => Promise<Value> {
  promise.catch(() => undefined)
  return () => promise
}

function askProvider(asked: Asked, steered?: BegunCall['steered']): AskedCall {
  const { request, services, protocol, call, model } = asked
  const { reach } = model
  const stopped = new AbortController()
  const { signal } = stopped
  const stop = () => stopped.abort()
  if (!reach?.protocols.includes(protocol.name))
    return { answer: settled(translated(asked, signal, steered)), sent: Promise.resolve(), stop }
  const body = steered ? steeredBody(asked, steered, reach) : asked.body
  // unreported usage would be counted at its maximum
  const adds =
    services.countsQuotas &&
    reach.isShared &&
    call.streamed &&
    protocol.name === 'chat-completions' &&
    !asksForUsage(body.value) &&
    !refusesUsage(addressOf(reach, protocol))
  const sent = wholeBody(body, reach, adds ? (text) => withUsageAsked(text, body.value) : undefined)
  const forwarded = forward(request, { body: sent, protocol, reach, signal })
  const plainly = () => forward(request, { body: wholeBody(body, reach), protocol, reach, signal })
  const answer = adds
    ? forwarded.then((given) => usageHidden(given, addressOf(reach, protocol), plainly))
    : forwarded
  return { answer: settled(answer), sent: sent.sent, stop }
}

/**
 * The answer to a call that was also asked how many tokens it took, which its agent did not ask. A server that refuses the
 * question is asked again without it.
 */
async function usageHidden(answer: Answer, address: string, plainly: () => Promise<Answer>): Promise<Answer> {
  const { status, read } = answer
  if (status < 400) {
    const hidden = new UsageHidden()
    return { ...answer, shown: (bytes) => hidden.next(bytes) }
  }
  const parts = await readAll(read)
  const said = Buffer.concat(parts)
  if (notesUsageRefusal(address, status, said.toString('utf8'))) return plainly()
  return { ...answer, read: async () => parts.shift() }
}

/** The client's own call, with the messages of the place that it was moved to. */
function steeredBody({ protocol, body }: Asked, chain: readonly ModelMessage[], reach: Reach): ReadText {
  const value = steeredCall(protocol, exactly(body.text), chain, reach)
  const text = JSON.stringify(value)
  return { value, text, bytes: [Buffer.from(text)] }
}

async function translated(
  { protocol, call, model }: Asked,
  signal: AbortSignal,
  steered: BegunCall['steered'],
): Promise<Answer> {
  const named = steered ? undefined : namedElsewhere(call)
  if (named !== undefined) throw new CallRefusedError(`${named}: ${NOT_KEPT}`, named)
  const told = steered ? { ...call, messages: answeredChain(steered) } : call
  return translate(told, { protocol, model: model.get(), id: newId().replaceAll('-', ''), signal })
}

/** The field by which a call refers to data that only the provider asked before can know. */
function namedElsewhere({ protocol, previousResponseId, conversationId, messages }: AgentCall) {
  if (previousResponseId !== undefined) return protocol === 'messages' ? 'thread' : 'previous_response_id'
  if (conversationId !== undefined) return 'conversation'
  return messages.some((message) => namedItems(message).length > 0) ? 'input' : undefined
}

const NOT_KEPT =
  'the provider of this model keeps nothing of what was said before. Send the whole conversation.'

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Passes the answer on, and stores the reply when it has ended, also after the agent has left.
 *
 * @param onReply called with an ended reply, before it is stored
 */
function response(
  asked: Pick<Asked, keyof StreamCall>,
  begun: Begun,
  answer: Answer,
  onReply: (reply: AgentReply) => void,
): Response {
  const { status, headers } = answer
  const passing = passOn(answer, asked.request.signal)
  const refused = status >= 400
  const end = (reply: AgentReply) =>
    refused
      ? begun.fail(reply.brokenOff ?? `The provider answered with the status ${status}.`)
      : begun.end(reply)
  // the provider has been paid: a database that is away for a moment is waited for
  const storedReply = passing.reply.then((reply) => {
    if (!refused) onReply(reply)
    const work = patiently<unknown>(asked.services.ports, () => end(reply), {
      what: 'storing a reply to an agent',
    })
    beingStored(asked.viewer.id, work)
    return work
  })
  keep(storedReply, 'a reply to an agent')
  const place = begun.place ? placeHeaders(begun.place) : {}
  for (const [name, value] of Object.entries(place)) headers.set(name, value)
  // against compression and buffering on the way
  headers.set('cache-control', 'no-cache, no-transform')
  headers.set('x-accel-buffering', 'no')
  return passedResponse(asked, passing.bytes, { status, headers })
}

/** Continues after the request is over; a failure is logged: the answer has been sent. */
function keep(work: Promise<unknown>, what: string): void {
  const done = work.catch((error: unknown) => logError(`storing ${what}`, error))
  after(() => done)
}
