import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { instant } from '@/lib/protocol/fields'
import { repliesStoredSoon } from '../gateway/storing-replies'
import { branch, chatId, key, line, messageId } from './fields'
import { onceOf, opened, openedBranch } from './opened-branch'
import { plainSnippet, showMessage, shownMessage } from './shown-message'
import { defineTool, type ToolCall } from './tool'

// Tools of an agent for the conversation that it is in: it need not know where that is stored.

const own = {
  chat_id: chatId.optional().describe('The chat; your own conversation unless given'),
  branch: branch.optional().describe('A branch of it, by name or id; the one that you write on unless given'),
}

interface OwnInput {
  chat_id?: string | undefined
  branch?: string | undefined
}

/** The conversation that a tool call is about: the named one, else the caller's own. */
const ownOf = (name: string, { ports, ownerId, keyId, pinned, given, input }: ToolCall<OwnInput>) =>
  useCases.ownConversation(ports, {
    ownerId,
    keyId,
    tool: { name, input: given },
    chatId: input.chat_id ?? pinned.chat,
    branch: input.branch ?? (input.chat_id === undefined ? pinned.branch : undefined),
    stored: () => repliesStoredSoon(ownerId),
  })

const at = { chat_id: z.string(), branch: z.string() }

const bookmark = defineTool({
  name: 'bookmark',
  title: 'Bookmark this place',
  scope: 'write',
  description:
    'Gives the place where your conversation stands now a name, to come back to with rewind. Use it before something uncertain. A name that exists moves here.',
  hints: { destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    name: line.describe('The name of the bookmark'),
    message_id: messageId.optional().describe('A message to bookmark in place of the last one'),
    ...own,
  }),
  output: z.object({ ...at, bookmark: z.string(), message_id: z.string() }),
  async use(call) {
    const { ports, ownerId, input } = call
    const { chatId: inChat, called, branchName, messageId: last } = await ownOf('bookmark', call)
    const place = input.message_id ?? last
    if (place === null) throw new useCases.InvalidRequestError('Nothing is said here yet.', 'empty_branch')
    await useCases.saveCheckpoint(ports, { ownerId, chatId: inChat, messageId: place, name: input.name })
    return { chat_id: called, branch: branchName, bookmark: input.name.trim(), message_id: place }
  },
  text: ({ bookmark: name, message_id }) =>
    `Bookmark “${name}” stands at message ${message_id}. Call rewind with to: ${JSON.stringify(name)} to come back.`,
})

const rewind = defineTool({
  name: 'rewind',
  title: 'Go back in the conversation',
  scope: 'write',
  description:
    'Takes your own conversation back to a bookmark or a message: your next turn goes on from there, without what came after, which stays on its branch and is found with recall. Files that you changed stay as they are. Say with text what you want to know from there on. The person who reads the chat is not moved. In a chat that you do not write through Ramify, its reader goes back in your place.',
  hints: { destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    to: line.optional().describe('The name of a bookmark, or the id of a message, as recall has them'),
    message_id: messageId.optional().describe('The message that is the last one from now on, in place of to'),
    text: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe('What you learned, or what to do now: it stands there as the next message'),
    ...own,
  }),
  output: openedBranch.extend({
    moved: z.enum(['agent', 'reader']).describe('Who goes on from there: you, or the reader of the chat'),
  }),
  async use(call) {
    const { ports, ownerId, pageUrl: pageAt, input } = call
    const to = input.to ?? input.message_id
    if (to === undefined || (input.to !== undefined && input.message_id !== undefined))
      throw new useCases.InvalidRequestError('Say with to where to go back: a bookmark or a message.')
    const conversation = await ownOf('rewind', call)
    const { text } = input
    const rewound = await useCases.rewindOwn(ports, { ownerId, own: conversation, to, text })
    const { branchId, messageId: from } = rewound
    const place = await opened(ports, { ownerId, chatId: conversation.called, branchId, from, pageAt })
    return { ...place, moved: conversation.isAgents ? ('agent' as const) : ('reader' as const) }
  },
  text: ({ branch: name, from_message_id, moved, page_url }) =>
    moved === 'agent'
      ? `Done: your next turn goes on from message ${from_message_id}, on branch ${name}. ${page_url}`
      : `The chat stands at message ${from_message_id}, on branch ${name}. ${page_url}`,
})

const undo = defineTool({
  name: 'undo',
  title: 'Undo the last move',
  scope: 'write',
  description:
    'Takes back the last move of your own conversation, whoever made it: a rewind, a bookmark, a fork, a merge. Messages are no moves. After a rewind that you have gone on from, your next turn is back where you were before it.',
  hints: { destructiveHint: false },
  input: z.strictObject({ ...own, idempotency_key: key }),
  output: z.object({ ...at, undone: z.string() }),
  async use(call) {
    const { ports, ownerId, input } = call
    const conversation = await ownOf('undo', call)
    const once = onceOf('undo', input)
    const { says } = await useCases.undoOwn(ports, { ownerId, own: conversation, once })
    return { chat_id: conversation.called, branch: conversation.branchName, undone: says }
  },
  text: ({ undone }) => `Taken back: ${undone}.`,
})

/** The last messages of a branch that are told, and letters of each. */
const [LAST, WORDS] = [12, 200]

const recall = defineTool({
  name: 'recall',
  title: 'Recall your conversation',
  scope: 'read',
  description:
    'Finds what your own conversation holds: its bookmarks, its last messages with their ids, the branches that were left, and with query what was said on any of them, the ones you rewound from too.',
  input: z.strictObject({
    query: line.min(1).max(500).optional().describe('Words to search for; all of them must be there'),
    limit: z.int().min(1).max(50).default(10).describe('Hits at most'),
    ...own,
  }),
  output: z.object({
    ...at,
    messages: z.array(shownMessage).describe('The last of your branch, in their order; long ones are cut'),
    bookmarks: z
      .array(z.object({ name: z.string(), message_id: z.string(), left: z.boolean() }))
      .describe('The latest first. left: it stands on a branch that you are not on'),
    branches: z
      .array(z.object({ branch_id: z.string(), name: z.string(), title: z.string() }))
      .describe('The other branches, the latest first; read_branch reads them'),
    hits: z.array(
      z.object({
        message_id: z.string(),
        branch: z.string().nullable(),
        role: z.string(),
        snippet: z.string().describe('Part of its text, with ** around the words that were found'),
        left: z.boolean().describe('It was said on a branch that you are not on'),
        created_at: instant,
      }),
    ),
    partial: z.boolean().describe('Some messages are not indexed yet: a later search may find more'),
  }),
  async use(call) {
    const { ports, ownerId, input } = call
    const conversation = await ownOf('recall', call)
    const { called, chatId: inChat, branchId, branchName } = conversation
    const [found, { messages }] = await Promise.all([
      useCases.recallOwn(ports, { ownerId, own: conversation, query: input.query, limit: input.limit }),
      useCases.readBranch(ports, { ownerId, chatId: inChat, branch: branchId, limit: LAST }),
    ])
    return {
      chat_id: called,
      branch: branchName,
      partial: found.partial,
      messages: messages.map((message) => showMessage(message, { room: WORDS })),
      bookmarks: found.bookmarks.map(({ name, messageId: message_id, isOnOwn }) => ({
        name,
        message_id,
        left: !isOnOwn,
      })),
      branches: found.branches.map(({ id, name, title }) => ({ branch_id: id, name, title })),
      hits: found.hits.map(({ messageId: message_id, branch: on, role, snippet, isOnOwn, createdAt }) => ({
        message_id,
        branch: on?.name ?? null,
        role,
        left: !isOnOwn,
        snippet: plainSnippet(snippet),
        created_at: new Date(createdAt).toISOString(),
      })),
    }
  },
  text({ chat_id, branch: name, messages, bookmarks, branches, hits }) {
    const left = (isLeft: boolean) => (isLeft ? ', on a branch that was left' : '')
    const part = (title: string, lines: string[]) => (lines.length > 0 ? [title, ...lines] : [])
    return [
      `Your conversation is chat ${chat_id}, branch ${name}.`,
      ...part(
        'Found:',
        hits.map((hit) => `- ${hit.role}, message ${hit.message_id}${left(hit.left)}: ${hit.snippet}`),
      ),
      ...part(
        'Bookmarks:',
        bookmarks.map((each) => `- ${each.name} (message ${each.message_id}${left(each.left)})`),
      ),
      ...part(
        'Other branches:',
        branches.map((each) => `- ${each.name}${each.title === each.name ? '' : ` “${each.title}”`}`),
      ),
      ...part(
        'The last messages:',
        messages.map(({ id, role, text }) => `- ${role}, message ${id}: ${text.replaceAll(/\s+/g, ' ')}`),
      ),
    ].join('\n')
  },
})

export const ownTools = [recall, bookmark, rewind, undo]
