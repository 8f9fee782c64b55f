import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import type { ChatSummary } from '@/lib/protocol'
import { instant } from '@/lib/protocol/fields'
import { cursorText, otherList, placeOf, skippedBy } from './cursors'
import { branchPath, branchUri, chatUri, nextCursor, pageUrl, status } from './fields'
import { lastMessages, messagesText, showMessage, shownMessage } from './shown-message'

// Views of a chat that the reading tools and the resources share.

export const listedChat = z.object({
  chat_id: z.string(),
  uri: z.string(),
  title: z.string().nullable(),
  message_count: z.int(),
  branch_count: z.int(),
  tags: z.array(z.string()),
  archived: z.boolean(),
  updated_at: instant,
})

/** A chat as it is listed. */
export const chatJson = (chat: ChatSummary): z.input<typeof listedChat> => ({
  chat_id: chat.id,
  uri: chatUri(chat.id),
  title: chat.title,
  tags: chat.tags,
  message_count: chat.messageCount,
  branch_count: chat.branchCount,
  archived: chat.archivedAt !== null,
  updated_at: new Date(chat.updatedAt).toISOString(),
})

export const chatLine = ({
  chat_id,
  title,
  message_count,
  branch_count,
  updated_at,
}: z.input<typeof listedChat>) =>
  `- ${title ?? 'Untitled'} (chat ${chat_id}, ${message_count} messages, ${branch_count} branches, ${updated_at})`

/** Branches and checkpoints of one answer. */
const REFS = 100

export const chatOutline = z.object({
  chat: listedChat,
  branches: z
    .array(
      z.object({
        branch_id: z.string(),
        uri: z.string(),
        name: z.string(),
        title: z.string().describe('What it is about'),
        head_message_id: z.string().nullable(),
        parent_branch_id: z.string().nullable().describe('The branch that it was forked from'),
        active: z.boolean().describe('The chat opens on it'),
        archived: z.boolean(),
      }),
    )
    .describe('The latest first'),
  checkpoints: z.array(z.object({ name: z.string(), message_id: z.string() })).describe('The latest first'),
  next_cursor: nextCursor,
})

/** A chat with its branches and checkpoints, page by page. */
export async function readOutline(
  ports: useCases.Ports,
  chat: { ownerId: string; chatId: string; cursor?: string | undefined },
): Promise<z.input<typeof chatOutline>> {
  const { ownerId, chatId, cursor } = chat
  const skip = skippedBy(cursor)
  const [summary, outline] = await Promise.all([
    useCases.readChatSummary(ports, { ownerId, chatId }),
    useCases.readOutline(ports, { ownerId, chatId }),
  ])
  const page = <Entry>(entries: readonly Entry[]) => entries.toReversed().slice(skip, skip + REFS)
  const longest = Math.max(outline.branches.length, outline.checkpoints.length)
  return {
    chat: chatJson(summary),
    branches: page(outline.branches).map(({ id, name, title, headId, parentId, isActive, isArchived }) => ({
      branch_id: id,
      uri: branchUri(chatId, name),
      name,
      title,
      head_message_id: headId,
      parent_branch_id: parentId,
      active: isActive,
      archived: isArchived,
    })),
    checkpoints: page(outline.checkpoints).map(({ name, messageId: message_id }) => ({ name, message_id })),
    next_cursor: longest > skip + REFS ? cursorText({ skip: skip + REFS }) : null,
  }
}

export const branchPage = z.object({
  chat_id: z.string(),
  branch: z.object({ branch_id: z.string(), name: z.string(), head_message_id: z.string().nullable() }),
  uri: z.string(),
  page_url: pageUrl,
  status,
  position: z.int().describe('How many messages of the branch stand before these'),
  messages: z.array(shownMessage).describe('In their order'),
  next_cursor: nextCursor.describe(
    'cursor of the messages before these; null at the beginning of the branch',
  ),
})

interface BranchRead {
  ownerId: string
  chatId: string
  branch?: string | undefined
  until?: string | undefined
  cursor?: string | undefined
  limit: number
  pageUrl(path: string): string
}

/** The last messages of a branch, or the page of a cursor. */
export async function readBranch(
  ports: useCases.Ports,
  { cursor, pageUrl: pageAt, ...asked }: BranchRead,
): Promise<z.input<typeof branchPage>> {
  const at = placeOf(cursor)
  const rest = at && 'message' in at ? at : undefined
  if (at && 'skip' in at) throw otherList()
  const before = at && 'above' in at ? at.above : undefined
  const page = await useCases.readBranch(ports, {
    ...asked,
    ...(rest ? { until: rest.message, limit: 1 } : { before }),
  })
  const { branch, messages, start } = page
  const place = {
    chat_id: asked.chatId,
    uri: branchUri(asked.chatId, branch.name),
    status: branch.status,
    branch: { branch_id: branch.id, name: branch.name, head_message_id: branch.headId },
    page_url: pageAt(branchPath(asked.chatId, branch.name)),
  }
  if (rest) {
    const shown = messages.map((message) => showMessage(message, { from: rest.after }))
    return { ...place, position: start, messages: shown, next_cursor: null }
  }
  const { shown, left } = lastMessages(messages)
  const position = start + left
  return {
    ...place,
    position,
    messages: shown,
    next_cursor: position > 0 ? cursorText({ above: position }) : null,
  }
}

/** A part of a branch as a model reads it. */
export function branchText(page: z.input<typeof branchPage>): string {
  const { chat_id, branch, messages, position, next_cursor } = page
  const before = next_cursor ? `[${position} messages before these: cursor ${next_cursor}]\n` : ''
  const head = `Chat ${chat_id}, branch ${branch.name}, ${page.status}. ${page.page_url}`
  return `${head}\n${before}${messages.length > 0 ? messagesText(messages) : 'The branch is empty.'}`
}
