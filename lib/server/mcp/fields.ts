import 'server-only'
import { z } from 'zod'

// The words that several tools share. A body is refused before this if a text in it cannot be stored.

export const line = z.string().max(1000)

export const chatId = z
  .string()
  .min(1)
  .max(128)
  .describe('The id of a chat, as list_chats and search return it')

export const branch = z
  .string()
  .min(1)
  .max(200)
  .describe('A branch of the chat, by its name or id; the one that the chat opens on unless given')

export const messageId = z.string().min(1).max(128)

/** The text of a message. */
export const text = z.string().min(1).max(100_000)

export const model = line.max(200)

export const cursor = z.string().min(1).max(4000).describe('next_cursor of the page before')

export const nextCursor = z.string().nullable().describe('cursor of the next page; null after the last')

export const key = z
  .string()
  .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters')
  .optional()
  .describe(
    'A text of your choice for this one call. The same call again with the same key is not done twice: use it when you are not sure whether a call has arrived',
  )

export const pageUrl = z.string().describe('Where a person sees it in a browser')

/** The fields of a tool that gives a branch back. */
export const shownBranch = {
  chat_id: z.string(),
  branch_id: z.string(),
  branch: z.string(),
  page_url: pageUrl,
}

export const status = z
  .enum(['idle', 'running', 'failed'])
  .describe(
    'running: a reply is being written; read the branch again later. failed: the last message has no whole reply, and none is being written',
  )

/** The page of a branch. */
export const branchPath = (chat: string, name: string): string =>
  `/c/${encodeURIComponent(chat)}?branch=${encodeURIComponent(name)}`

/** The address of a chat as a resource. */
export const chatUri = (chat: string): string => `ramify://chats/${encodeURIComponent(chat)}`

/** The address of a branch as a resource. */
export const branchUri = (chat: string, name: string): string =>
  `${chatUri(chat)}/branches/${encodeURIComponent(name)}`
