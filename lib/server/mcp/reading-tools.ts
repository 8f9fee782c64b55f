import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import type { ComparedSide, ContextDifferences } from '@/lib/protocol'
import { tag } from '@/lib/protocol/chat-list'
import { instant } from '@/lib/protocol/fields'
import { heavily } from '../http/heavy-work'
import {
  branchPage,
  branchText,
  chatJson,
  chatLine,
  chatOutline,
  listedChat,
  readBranch as readBranchPage,
  readOutline,
} from './chat-reading'
import { cursorText, skippedBy } from './cursors'
import { branch, chatId, cursor, line, messageId, nextCursor } from './fields'
import { firstMessages, messagesText, plainSnippet, ROOM, shownMessage } from './shown-message'
import { defineTool } from './tool'

const more = (next: string | null) => (next ? `\nMore: cursor ${next}` : '')

const listChats = defineTool({
  name: 'list_chats',
  title: 'List chats',
  scope: 'read',
  description:
    'Lists the chats of the person, the last changed first. Use it to find a chat by its title or tag; use search to find what was said in any of them.',
  input: z.strictObject({
    title: line.max(200).optional().describe('Only chats whose title holds this text'),
    tag: tag.optional().describe('Only chats with this tag'),
    archived: z.boolean().optional().describe('The archived chats in place of the others'),
    limit: z.int().min(1).max(100).default(20),
    cursor: cursor.optional(),
  }),
  output: z.object({ chats: z.array(listedChat), total: z.int().nullable(), next_cursor: nextCursor }),
  async use({ ports, ownerId, input: { title: q, ...input } }) {
    const { chats, next, total } = await useCases.listChats(ports, { ...input, q, ownerId, counted: true })
    return { chats: chats.map(chatJson), total: total ?? null, next_cursor: next }
  },
  text: ({ chats, next_cursor }) =>
    chats.length === 0 ? 'There is no such chat.' : chats.map(chatLine).join('\n') + more(next_cursor),
})

const search = defineTool({
  name: 'search',
  title: 'Search messages',
  scope: 'read',
  description:
    'Searches the full text of every message on every branch, dead ends included, best first. Use it to find out what was tried or decided before. A hit names its branch: read it with read_branch.',
  input: z.strictObject({
    query: line.min(1).max(500).describe('Words to search for; all of them must be there'),
    chat_id: chatId.optional().describe('Only this chat'),
    role: z.enum(['user', 'assistant']).optional().describe('Only messages by this side'),
    limit: z.int().min(1).max(50).default(10),
    cursor: cursor.optional(),
  }),
  output: z.object({
    hits: z.array(
      z.object({
        chat_id: z.string(),
        chat_title: z.string().nullable(),
        message_id: z.string(),
        branch: z.object({ branch_id: z.string(), name: z.string(), title: z.string() }).nullable(),
        role: z.string(),
        snippet: z.string().describe('Part of its text, with ** around the words that were found'),
        created_at: instant,
      }),
    ),
    next_cursor: nextCursor,
    partial: z.boolean().describe('Some messages are not indexed yet: a later search may find more'),
  }),
  async use({ ports, ownerId, input: { query, chat_id, role, limit, cursor: at } }) {
    const offset = skippedBy(at)
    const asked = { ownerId, query, limit, offset, ...(role && { roles: [role] }) }
    const page = await (chat_id === undefined
      ? useCases.searchChats(ports, asked)
      : useCases.inCalledChat(ports, { ownerId, chatId: chat_id }, (chat) =>
          useCases.searchChats(ports, { ...asked, chatId: chat.chatId }),
        ))
    return {
      hits: page.hits.map((hit) => ({
        chat_id: hit.chatId,
        chat_title: hit.chatTitle,
        message_id: hit.messageId,
        role: hit.role,
        branch: hit.branch && { branch_id: hit.branch.id, name: hit.branch.name, title: hit.branch.title },
        snippet: plainSnippet(hit.snippet),
        created_at: new Date(hit.createdAt).toISOString(),
      })),
      next_cursor: page.more ? cursorText({ skip: offset + page.hits.length }) : null,
      partial: page.partial,
    }
  },
  text: ({ hits, next_cursor }) =>
    hits.length === 0
      ? 'Nothing was found.'
      : hits
          .map(
            (hit) =>
              `- ${hit.chat_title ?? 'Untitled'} (chat ${hit.chat_id}), branch ${hit.branch?.name ?? 'none'}, ${hit.role}, message ${hit.message_id}: ${hit.snippet}`,
          )
          .join('\n') + more(next_cursor),
})

const readChat = defineTool({
  name: 'read_chat',
  title: 'Read the branches of a chat',
  scope: 'read',
  description:
    'Lists the branches and checkpoints of a chat, the latest first. Messages are read with read_branch.',
  input: z.strictObject({ chat_id: chatId, cursor: cursor.optional() }),
  output: chatOutline,
  use: ({ ports, ownerId, input: { chat_id, cursor: at } }) =>
    readOutline(ports, { ownerId, chatId: chat_id, cursor: at }),
  text({ chat, branches, checkpoints, next_cursor }) {
    const marks = (active: boolean, archived: boolean) =>
      `${active ? ', the chat opens here' : ''}${archived ? ', archived' : ''}`
    return [
      chatLine(chat).slice(2),
      'Branches:',
      ...branches.map(
        ({ name, title, head_message_id, active, archived }) =>
          `- ${name}${title === name ? '' : ` “${title}”`} (head ${head_message_id ?? 'none: it is empty'}${marks(active, archived)})`,
      ),
      ...(checkpoints.length > 0 ? ['Checkpoints:'] : []),
      ...checkpoints.map(({ name, message_id }) => `- ${name} (message ${message_id})`),
      ...(next_cursor ? [more(next_cursor).trim()] : []),
    ].join('\n')
  },
})

const readBranch = defineTool({
  name: 'read_branch',
  title: 'Read a branch',
  scope: 'read',
  description:
    'Reads the messages of one branch: the last ones first, earlier ones with the cursor. It also says whether a reply is being written.',
  input: z.strictObject({
    chat_id: chatId,
    branch: branch.optional(),
    until_message_id: messageId
      .optional()
      .describe('The last message to read: it must be on the branch. Use it to read around a hit of search'),
    limit: z.int().min(1).max(100).default(20).describe('Messages at most; long ones end a page early'),
    cursor: cursor.optional(),
  }),
  output: branchPage,
  use: ({ ports, ownerId, pageUrl, input: { chat_id, until_message_id, ...input } }) =>
    readBranchPage(ports, { ...input, ownerId, pageUrl, chatId: chat_id, until: until_message_id }),
  text: branchText,
})

const side = z.object({
  branch: z.object({ branch_id: z.string(), name: z.string(), title: z.string() }),
  model: z.string().nullable(),
  message_count: z.int().describe('Messages that only this branch has'),
  messages: z.array(shownMessage).describe('The first of them; read_branch has the others'),
})

/** Letters of a part of a context. */
const WORDING = 500

const compare = defineTool({
  name: 'compare',
  title: 'Compare two branches',
  scope: 'read',
  description:
    'Compares two branches of a chat: how many messages they share, what each says after they part, and how their contexts (system prompt, memories, model, tools, settings) differ.',
  input: z.strictObject({
    chat_id: chatId,
    left: branch.optional(),
    right: branch.optional().describe('The other branch, by name or id; the nearest one unless given'),
  }),
  output: z.object({
    chat_id: z.string(),
    common_messages: z.int().describe('Messages that both have, from the beginning'),
    left: side,
    right: side.nullable().describe('null in a chat with one branch'),
    context_differences: z.array(
      z.object({ what: z.string(), left: z.string().nullable(), right: z.string().nullable() }),
    ),
  }),
  async use({ ports, ownerId, signal, input: { chat_id, left, right } }) {
    const found = await heavily({ ports, ownerId, signal }, chat_id, () =>
      useCases.inCalledChat(ports, { ownerId, chatId: chat_id }, (chat) =>
        useCases.compare(ports, { ...chat, ...(left && { left }), ...(right && { right }) }),
      ),
    )
    return {
      chat_id,
      common_messages: found.common,
      left: sideJson(found.left),
      right: found.right && sideJson(found.right),
      context_differences: differencesOf(found.context),
    }
  },
  text({ common_messages, left, right, context_differences }) {
    const sides = [left, ...(right ? [right] : [])].map(
      ({ branch: { name }, message_count, messages }) =>
        `=== ${name}: ${message_count} messages of its own${messages.length < message_count ? `, of which these are the first ${messages.length}` : ''}\n${messagesText(messages)}`,
    )
    const contexts = context_differences.map(
      ({ what, left: one, right: other }) => `- ${what}: ${one ?? '(none)'} | ${other ?? '(none)'}`,
    )
    return [
      `${common_messages} messages in common.`,
      ...sides,
      ...(contexts.length > 0 ? ['=== Their contexts differ (left | right)', ...contexts] : []),
    ].join('\n')
  },
})

const sideJson = ({
  branch: { id, name, title },
  model,
  length,
  messages,
}: ComparedSide): z.input<typeof side> => ({
  branch: { branch_id: id, name, title },
  model,
  message_count: length,
  messages: firstMessages(messages, ROOM / 2),
})

function differencesOf({ differing, memories, model, tools, settings }: ContextDifferences) {
  const cut = (text: string | null) => (text && text.length > WORDING ? `${text.slice(0, WORDING)}…` : text)
  const pairs = (what: string, of: ContextDifferences['differing']) =>
    of.map(({ name, left, right }) => ({ what: `${what} ${name}`, left: cut(left), right: cut(right) }))
  return [
    ...pairs('fragment', differing),
    ...pairs('memory', memories),
    ...(model ? [{ what: 'model', ...model }] : []),
    ...pairs('tool', tools),
    ...pairs('setting', settings),
  ]
}

export const readingTools = [listChats, search, readChat, readBranch, compare]
