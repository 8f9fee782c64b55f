import { z } from 'zod'
import type { BranchId, ChatId, CheckpointId, MessageId, ReplayId, RunId } from '@/lib/events'
import { id, milliseconds, named } from './fields'

/** A cause and an advice, in words for the reader. */
const explanation = z.object({ kind: z.string(), message: z.string(), advice: z.string() })

const graphNode = named(
  'GraphNode',
  z.object({
    id: id<MessageId>(),
    lane: z.int(),
    /** 0 at its root */
    depth: z.int(),
    /** `user`, `assistant`, or another name a library caller used */
    role: z.string(),
    /** the first 160 characters of its text */
    preview: z.string(),
    status: z.enum(['done', 'streaming', 'stopped', 'failed']),
    createdAt: milliseconds,
    /** besides its text */
    holds: z
      .array(z.enum(['file', 'tool', 'step', 'failure', 'question', 'context']))
      .optional()
      .meta({
        description:
          'Besides its text: files and calls of tools; `step` where it has no text beside the calls, `failure` where one of them failed, `question` where one waits for a person; `context` where it has nothing but context that an agent has added',
      }),
    mergeParentId: id<MessageId>()
      .optional()
      .meta({ description: 'The second parent: what was merged, or what a summary stands for' }),
    copiedFromId: id<MessageId>().optional().meta({ description: 'The message that it is a copy of' }),
  }),
)

const graphLane = named(
  'GraphLane',
  z.object({
    lane: z.int(),
    parentLane: z.int().nullable(),
    baseDepth: z.int(),
    hue: z.int().optional().meta({ description: 'Its colour, from 0 to 7, where other lanes are left out' }),
  }),
)

const graphBranch = named(
  'GraphBranch',
  z.object({
    id: id<BranchId>(),
    name: z.string(),
    /** its subject in a few words, once a model has named it */
    title: z.string().nullish(),
    headId: id<MessageId>().nullable(),
    parentBranchId: id<BranchId>().nullable(),
    createdAt: milliseconds,
    archivedAt: milliseconds.nullable(),
    model: z
      .string()
      .nullish()
      .meta({ description: 'The model that its next reply is asked of; null where none was chosen' }),
    leftOut: z
      .array(id<MessageId>())
      .nullish()
      .meta({ description: 'The messages that the prompt of its next reply is without; null for none' }),
    /** why the reply to its head is missing, when the last attempt failed before a word arrived; absent in a delta that says nothing of it */
    failure: explanation.nullish(),
  }),
)

const graphCheckpoint = named(
  'GraphCheckpoint',
  z.object({
    id: id<CheckpointId>(),
    name: z.string(),
    messageId: id<MessageId>(),
    createdAt: milliseconds,
  }),
)

const liveRun = named(
  'LiveRun',
  z.object({
    runId: id<RunId>(),
    branchId: id<BranchId>(),
    replyTo: id<MessageId>(),
    replyId: id<MessageId>(),
    model: z.string().optional(),
  }),
)

const graphReplay = named(
  'GraphReplay',
  z
    .object({
      replayId: id<ReplayId>(),
      branchId: id<BranchId>().meta({ description: 'Where it goes on' }),
      sourceBranchId: id<BranchId>().meta({ description: 'The branch whose messages are asked again' }),
      fromId: id<MessageId>().meta({ description: 'The first of those messages' }),
      asked: z.int().meta({ description: 'How many of them were asked' }),
      total: z.int(),
      model: z.string().nullable().meta({ description: 'The model that was chosen for it' }),
      status: z.enum(['running', 'paused', 'done', 'stopped']),
      reason: z
        .string()
        .nullable()
        .meta({ description: 'Why it is paused or stopped; null where a person did that' }),
      version: z.int().meta({ description: 'Counts its changes' }),
    })
    .meta({ description: 'Messages of a branch that are asked again on another' }),
)

const graphAgent = named(
  'GraphAgent',
  z
    .object({
      branchId: id<BranchId>(),
      messageId: id<MessageId>().meta({ description: 'The last that it said or was answered there' }),
      client: z.string().nullable().meta({ description: 'What its program calls itself' }),
      key: z.string().nullable().meta({ description: 'The name of the key that it came with' }),
      calledAt: milliseconds,
      model: z.string().nullable().meta({ description: 'What the branch is asked with' }),
      steering: z
        .object({
          toId: id<BranchId>().nullable().meta({ description: 'Where it goes on; null: taken back' }),
          at: milliseconds,
          followedAt: milliseconds.nullable().meta({ description: 'When its next call went on there' }),
        })
        .nullable(),
    })
    .meta({ description: 'A branch that an agent writes on, and where a person has it go on' }),
)

const identity = {
  chatId: id<ChatId>(),
  /** a delta moves it on */
  seq: z.int().meta({ description: 'The position of the chat’s log' }),
}

const state = {
  title: z.string().nullable(),
  /** the branch that the chat opens on */
  activeBranchId: id<BranchId>(),
  nodes: z.array(graphNode),
  lanes: z.array(graphLane),
  branches: z.array(graphBranch),
  checkpoints: z.array(graphCheckpoint),
  runs: z.array(liveRun),
  replays: z.array(graphReplay).optional().meta({ description: 'The latest 50' }),
  agents: z.array(graphAgent).optional(),
  contextChanges: z.array(id<MessageId>()).optional().meta({
    description:
      'Messages in another context than the message before them: other fragments, memories, tools or settings. Another model alone does not count',
  }),
}

const graph = named(
  'Graph',
  z
    .object({ ...identity, ...state })
    .meta({ description: 'The skeleton of a chat, without the bodies of its messages' }),
)

const graphDelta = named(
  'GraphDelta',
  z
    .object({
      ...identity,
      ...z.object(state).partial().shape,
      /** names */
      removedCheckpoints: z.array(z.string()).optional(),
      endedRuns: z.array(id<RunId>()).optional(),
      moveSeq: z.int().optional().meta({
        description: 'Of a write of one’s own: the position of the move that it made, which Undo takes back',
      }),
    })
    .meta({ description: 'What changed: add it to the graph you have' }),
)

const node = graphNode.shape
const packedGraph = named(
  'PackedGraph',
  z
    .object({
      ...identity,
      ...state,
      nodes: z.object({
        id: z.array(node.id),
        lane: z.array(node.lane),
        depth: z.array(node.depth),
        role: z.array(node.role),
        preview: z.array(node.preview),
        status: z.array(node.status),
        createdAt: z
          .array(z.int())
          .meta({ description: 'Milliseconds, each as the distance from the one before' }),
        holds: z
          .record(z.string(), node.holds.unwrap())
          .optional()
          .meta({ description: 'By id, of those that hold anything besides text' }),
        mergeParentId: z
          .record(z.string(), id<MessageId>())
          .optional()
          .meta({ description: 'By id, of those that have a second parent' }),
        copiedFromId: z
          .record(z.string(), id<MessageId>())
          .optional()
          .meta({ description: 'By id, of those that are copies' }),
      }),
    })
    .meta({ description: 'The skeleton with its messages in columns' }),
)

export const graphAnswer = named('GraphAnswer', z.union([graph, graphDelta, packedGraph]))

export type Explanation = z.infer<typeof explanation>

/**
 * One message in the graph, without its body. Its place (`lane`, `depth`) is stored, so the picture is stable:
 * the first reply to a message stays in its lane one deeper, every later one opens a new lane.
 */
export type GraphNode = z.infer<typeof graphNode>

/** A line of replies; it hangs below (`parentLane`, `baseDepth - 1`), or is a root when `parentLane` is null. */
export type GraphLane = z.infer<typeof graphLane>

export type GraphBranch = z.infer<typeof graphBranch>
export type GraphCheckpoint = z.infer<typeof graphCheckpoint>

/** A reply being written right now. */
export type LiveRun = z.infer<typeof liveRun>

/** Messages of a branch that are asked again on another, and how far that has come. */
export type GraphReplay = z.infer<typeof graphReplay>

/** A branch that an agent writes on, and where a person has it go on. */
export type GraphAgent = z.infer<typeof graphAgent>

/** Everything the explorer shows of one chat. */
export type Graph = z.infer<typeof graph>

/**
 * Changes of one write. Nodes and lanes are only ever added; branches and checkpoints replace those of the same id.
 * Applying a delta twice, or an older one after a newer, changes nothing that is newer.
 */
export type GraphDelta = z.infer<typeof graphDelta>

/** A graph for the wire, its messages in columns: of 10,000 that saves a fifth once it is compressed, and no key is repeated. */
export type PackedGraph = z.infer<typeof packedGraph>
