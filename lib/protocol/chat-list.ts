import { z } from 'zod'
import type { ChatId } from '@/lib/events'
import { agentClients } from '@/lib/events/agent-client'
import { MAX_TAG, MAX_TAGS, normalTag } from './chat-tags'
import { id, isStorable, milliseconds, named } from './fields'

/** Text that Postgres can store as it is. */
const storable = z.string().refine(isStorable, 'must not hold NUL or half a character')

/** A tag as a person writes it; compared without regard to case. */
export const tag = storable
  .transform(normalTag)
  .pipe(z.string().min(1).max(MAX_TAG))
  .meta({ description: 'Letters of either case mean the same tag', examples: ['work'] })

const tagNames = z
  .array(z.string())
  .meta({ description: `By the alphabet; ${MAX_TAGS} at most, of ${MAX_TAG} characters each` })

export const chatSummary = named(
  'ChatSummary',
  z.object({
    id: id<ChatId>(),
    title: z.string().nullable(),
    createdAt: milliseconds,
    updatedAt: milliseconds,
    pinnedAt: milliseconds.nullable(),
    archivedAt: milliseconds.nullable(),
    tags: tagNames,
    messageCount: z.int(),
    branchCount: z.int().meta({ description: 'Without archived branches' }),
    waits: z.boolean().meta({
      description: 'One of these branches ends with a tool that waits for you, or by which an agent asks you',
    }),
    agent: z
      .enum(agentClients)
      .nullable()
      .meta({ description: 'The program of the agent that wrote here last; null where none has' }),
    origin: z
      .object({ source: z.string(), url: z.string() })
      .nullable()
      .meta({ description: 'Of an imported chat: its program, and its address there where that is known' }),
    costUsd: z.number().nullable().meta({
      description:
        'What the replies on all branches took, those of sub-agents too, at today’s prices; null where a price is not known',
    }),
    replying: z.boolean().meta({ description: 'A reply is written, or waits for its turn' }),
  }),
)

/** A chat as it is listed. */
export type ChatSummary = z.infer<typeof chatSummary>

export const chatSorts = ['updated', 'created', 'title'] as const

/** Order of the list: the latest first, or by the alphabet. */
export type ChatSort = (typeof chatSorts)[number]

/** Chats that are listed, or meant by an act on many. */
export const chatFilter = z.object({
  archived: z.boolean().optional().meta({ description: 'The archived chats in place of the others' }),
  tag: tag.optional().meta({ description: 'Only those with this tag' }),
  agents: z
    .boolean()
    .optional()
    .meta({ description: 'Only those in which an agent has written, or only the others' }),
  q: storable.max(200).optional().meta({ description: 'Only those whose title holds this text' }),
})

export type ChatFilter = z.infer<typeof chatFilter>

export const chatPage = named(
  'ChatPage',
  z.object({
    chats: z.array(chatSummary),
    next: z.string().nullable().meta({ description: '`cursor` of the next page; null after the last' }),
    total: z.int().optional().meta({ description: 'All chats that match; on the first page' }),
  }),
)

/** A part of the list, pinned chats first. */
export type ChatPage = z.infer<typeof chatPage>

export const chatTags = named(
  'ChatTagList',
  z.object({
    tags: z.array(
      z.object({
        tag: z.string(),
        chats: z.int().meta({ description: 'How many have it, archived ones too' }),
      }),
    ),
  }),
)

/** The tags of a person's chats, by the alphabet. */
export type TagCount = z.infer<typeof chatTags>['tags'][number]

const byIds = {
  ids: z
    .array(storable.max(128))
    .min(1)
    .max(10_000)
    .meta({ description: 'Others than your own are passed over' }),
}
const byFilter = {
  filter: chatFilter.strict().meta({ description: 'All chats that such a list shows' }),
  except: z.array(storable.max(128)).max(10_000).optional(),
}

/** Chats that an act on many means. */
export const pickedChats = z.union([z.strictObject(byIds), z.strictObject(byFilter)])

export type PickedChats = z.infer<typeof pickedChats>

const given = { pinned: z.boolean().optional(), archived: z.boolean().optional() }

export const chatChange = z.strictObject({
  title: storable.max(1000).optional(),
  ...given,
  tags: z.array(tag).max(MAX_TAGS).optional().meta({ description: 'In place of those it has' }),
})

export type ChatChange = z.infer<typeof chatChange>

const kept = {
  ...given,
  tags: z
    .strictObject({
      add: z.array(tag).max(MAX_TAGS).optional(),
      remove: z.array(tag).max(MAX_TAGS).optional(),
    })
    .optional(),
}

/** New pins, archive states and tags of many chats. */
export type ManyChange = z.infer<z.ZodObject<typeof kept>>

export const manyChange = z.union([
  z.strictObject({ ...byIds, ...kept }),
  z.strictObject({ ...byFilter, ...kept }),
])

export const changedChats = named(
  'ChangedChats',
  z.object({
    changed: z.int().meta({ description: 'How many are other than before' }),
    ids: z.array(id<ChatId>()).optional().meta({ description: 'Which ones; left out of more than 10,000' }),
  }),
)

/** Result of an act on many chats. */
export type ChangedChats = z.infer<typeof changedChats>
