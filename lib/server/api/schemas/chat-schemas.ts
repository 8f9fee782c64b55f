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
    id: id.meta({
      description:
        'What you call the chat. One you do not have is made; what others call theirs does not matter',
    }),
    branch: branch.nullish().meta({
      description:
        'Name or id; without it the one the chat opens on. Of a new chat, an id of 36 characters for its first branch, which none of your other chats may have',
    }),
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

export const columnsQuery = graphQuery.extend({
  columns: z
    .literal('nodes')
    .optional()
    .meta({ description: 'Where all of it is read: its messages in columns' }),
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

const columns = z.object({
  ...{ id: z.array(z.string()), lane: z.array(z.int()), depth: z.array(z.int()), role: z.array(z.string()) },
  ...{ preview: z.array(z.string()), status: z.array(node.shape.status) },
  createdAt: z.array(z.int()).meta({ description: 'Milliseconds, each as the distance from the one before' }),
})

const packedGraph = component(
  'PackedGraph',
  z
    .object({ ...graphParts, nodes: columns })
    .meta({ description: 'The skeleton with its messages in columns' }),
)

export const graphAnswer = component('GraphAnswer', z.union([graph, graphDelta, packedGraph]))

const whole = z.array(z.int())

export const historyAnswer = component(
  'History',
  z
    .object({
      chatId: z.string(),
      seq: z.int().meta({ description: 'It holds every movement up to this position of the chat’s log' }),
      kinds: z.string().meta({
        description:
          'A letter for each movement: `m` message, `o` branch opened at a message, `e` branch opened empty, `n` renamed, `a` archived, `r` restored, `s` switched to; `k` checkpoint saved, `v` moved, `x` removed',
      }),
      seqs: whole.meta({ description: 'Positions in the log, each as the distance from the one before' }),
      times: whole.meta({ description: 'Milliseconds since 1970, as distances too' }),
      places: whole.meta({ description: 'Of `m o k v`: lane and depth of the message, as distances too' }),
      refs: whole.meta({
        description:
          'Positions in `ids`, -1 for none: the branch (of `o e` the one it was opened from too), of `k` the checkpoint',
      }),
      ids: z.array(z.string()),
      names: z.array(z.string()).meta({ description: 'Of `o e n k v x`' }),
    })
    .meta({ description: 'Every movement of a chat’s branches and checkpoints, in columns' }),
)

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
    degraded: z
      .array(
        z.object({
          what: z.enum(['database', 'worker', 'queue', 'search', 'log_followers', 'disk', 'telemetry']),
          detail: z.string(),
        }),
      )
      .meta({ description: 'What does not work as it should, and why; empty when all is well' }),
  }),
)
