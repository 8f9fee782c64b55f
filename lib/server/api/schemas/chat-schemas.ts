import 'server-only'
import { z } from 'zod'
import { component } from '../components'
import { MAX_INT, wholeNumber } from './common'

// What the browser chat's routes take and give. They take what a stock client sends, of which much is not read.

const id = z.string().min(1).max(128)
const branch = z.string().min(1).max(200)
/** Of a chat's log; 0 before the first event. */
const position = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const time = z.number().meta({ description: 'Milliseconds since 1970' })

export const turnRequest = component(
  'TurnRequest',
  z.object({
    id: id.meta({ description: 'The chat; an unknown one is made' }),
    branch: branch.nullish().meta({ description: 'Name or id; without it the one the chat opens on' }),
    expectedHead: id
      .nullable()
      .optional()
      .meta({ description: 'The head you saw; when it has moved, nothing is written' }),
    message: z
      .unknown()
      .optional()
      .meta({ description: 'A UI message of the AI SDK: {id, role: "user", parts}' }),
    messages: z
      .array(z.unknown())
      .optional()
      .meta({ description: 'Of a stock client, whose last one is read' }),
    trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
    messageId: id.nullish().meta({ description: 'The message that is edited, or the one to answer anew' }),
    model: branch.nullish().meta({ description: '`provider:model`; without it the branch’s own' }),
  }),
)

export const followQuery = z.object({
  branch: z.string().optional().meta({ description: 'Name or id; without it the one the chat opens on' }),
  since: position
    .optional()
    .meta({ description: 'The log position you know: what happened since comes along' }),
})

export const stopRequest = component('StopRequest', z.object({ runId: id }))

export const stopped = component(
  'StoppedReply',
  z.object({
    status: z.enum(['queued', 'running', 'completed', 'stopped', 'failed']),
    messageId: z.string().nullable().meta({ description: 'The reply, if a word of it was kept' }),
  }),
)

export const graphQuery = z.object({
  since: position.optional().meta({ description: 'Only what changed after this event' }),
})

const explanation = z.object({ kind: z.string(), message: z.string(), advice: z.string() })

const node = component(
  'GraphNode',
  z.object({
    id: z.string(),
    lane: z.int(),
    depth: z.int(),
    role: z.string(),
    preview: z.string(),
    status: z.enum(['done', 'streaming', 'stopped', 'failed']),
    createdAt: time,
  }),
)

const lane = component(
  'GraphLane',
  z.object({ lane: z.int(), parentLane: z.int().nullable(), baseDepth: z.int() }),
)

const graphBranch = component(
  'GraphBranch',
  z.object({
    id: z.string(),
    name: z.string(),
    headId: z.string().nullable(),
    parentBranchId: z.string().nullable(),
    createdAt: time,
    archivedAt: time.nullable(),
    failure: explanation.nullish(),
  }),
)

const checkpoint = component(
  'GraphCheckpoint',
  z.object({ id: z.string(), name: z.string(), messageId: z.string(), createdAt: time }),
)

const liveRun = component(
  'LiveRun',
  z.object({ runId: z.string(), branchId: z.string(), replyTo: z.string(), replyId: z.string() }),
)

const graphParts = {
  chatId: z.string(),
  seq: z.int().meta({ description: 'The position of the chat’s log' }),
  title: z.string().nullable(),
  activeBranchId: z.string(),
  nodes: z.array(node),
  lanes: z.array(lane),
  branches: z.array(graphBranch),
  checkpoints: z.array(checkpoint),
  runs: z.array(liveRun),
}

const { chatId, seq, ...changing } = graphParts

const graphDelta = component(
  'GraphDelta',
  z
    .object({
      ...{ chatId, seq },
      ...z.object(changing).partial().shape,
      removedCheckpoints: z.array(z.string()).optional(),
      endedRuns: z.array(z.string()).optional(),
    })
    .meta({ description: 'What changed: to be added to the graph that was known before' }),
)

const graph = component(
  'Graph',
  z.object(graphParts).meta({ description: 'The skeleton of a chat, without bodies' }),
)

export const graphAnswer = component('GraphAnswer', z.union([graph, graphDelta]))

export const windowQuery = z.object({
  branch: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Name or id; without it the one the chat opens on' }),
  before: wholeNumber(0, MAX_INT).optional().meta({ description: 'Only above this depth' }),
  limit: wholeNumber(1, 200).optional().meta({ description: 'How many at most; 50 unless told' }),
})

const chatMessage = component(
  'ChatMessage',
  z
    .object({
      id: z.string(),
      role: z.enum(['user', 'assistant', 'system']),
      parts: z.array(z.looseObject({ type: z.string() })),
      metadata: z.looseObject({}).optional(),
    })
    .meta({ description: 'A UI message of the AI SDK' }),
)

export const chatWindow = component(
  'ChatWindow',
  z.object({
    messages: z.array(chatMessage),
    start: z.int().meta({ description: 'Depth of the first of them' }),
  }),
)

export const livePosition = position

export const liveQuery = z.object({
  chat: z.string().min(1),
  since: position.default(0).meta({ description: 'The log position you know' }),
})

export const health = component(
  'Health',
  z.object({
    status: z.enum(['ok', 'degraded']),
    database: z.enum(['ok', 'unreachable']),
    worker: z.enum(['on', 'off']),
  }),
)
