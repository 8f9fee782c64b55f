import type { Route } from 'next'
import type { ChatId } from '@/lib/events'
import type { ExportFormat, ExportPart } from '@/lib/protocol'
import type { MessagePlace } from './app-context'
import type { Picked } from './listed'

export const newChatPath = '/' as Route
/** Page on which an app asks a person for access. */
export const authorizePath = '/oauth/authorize' as Route
export const accountPath = '/settings/account' as Route
export const apiKeysPath = '/settings/keys' as Route
export const appearancePath = '/settings/appearance' as Route
export const dataPath = '/settings/data' as Route
export const keyboardPath = '/settings/keyboard' as Route
export const aboutPath = '/settings/about' as Route
export const modelSettingsPath = '/settings/models' as Route
export const newChatSettingsPath = '/settings/new-chats' as Route
export const usagePath = '/settings/usage' as Route
export const toolSettingsPath = '/settings/tools' as Route
export const remotesPath = '/settings/remotes' as Route
export const linksPath = '/settings/links' as Route
export const chatPath = (id: ChatId) => `/c/${encodeURIComponent(id)}` as Route

/** A branch of a chat, at its end. */
export const branchPath = (id: ChatId, branch: string) =>
  `${chatPath(id)}?branch=${encodeURIComponent(branch)}` as Route

/** A message on a branch, or on any branch that holds it. */
export function messagePath(place: MessagePlace): Route {
  const query = new URLSearchParams({
    ...(place.branch && { branch: place.branch.name }),
    at: place.messageId,
  })
  return `${chatPath(place.chatId)}?${query}` as Route
}

/** Two branches of a chat side by side; without a second branch the page chooses one. */
export function comparePath(id: ChatId, left: string, right?: string): Route {
  const query = new URLSearchParams({ left, ...(right !== undefined && right !== left && { right }) })
  return `${chatPath(id)}/compare?${query}` as Route
}

interface ExportWish {
  format: ExportFormat
  without: readonly ExportPart[]
}

const exportQuery = ({ format, without }: ExportWish): URLSearchParams =>
  new URLSearchParams({ format, ...(without.length > 0 && { without: without.join(',') }) })

/** A chat as a file, or one of its branches. */
export function exportPath(id: ChatId, wish: ExportWish & { branch?: string | undefined }): string {
  const query = exportQuery(wish)
  if (wish.branch !== undefined) query.set('branch', wish.branch)
  return `/api/chats/${encodeURIComponent(id)}/export?${query}`
}

/** Many chats as a zip. */
export function exportManyPath(picked: Picked, wish: ExportWish): string {
  const query = exportQuery(wish)
  if ('chats' in picked) query.set('ids', picked.chats.map(({ id }) => id).join(','))
  else {
    const { archived, tag, q, agents } = picked.filter
    query.set('filter', 'true')
    if (archived) query.set('archived', 'true')
    if (agents !== undefined) query.set('agents', String(agents))
    if (tag) query.set('tag', tag)
    if (q) query.set('q', q)
    if (picked.except.length > 0) query.set('except', picked.except.join(','))
  }
  return `/api/export?${query}`
}

/** The chat in a page's address, if there is one. */
export function chatOf(pathname: string): ChatId | null {
  const id = /^\/c\/([^/]+)/.exec(pathname)?.[1]
  return id === undefined ? null : decodeURIComponent(id)
}

/** The place at the beginning of the page for links to its parts. */
export const skipLinksId = 'skip-links'

/** The graph beside the thread. */
export const graphId = 'graph'

/** The part of a page that is read: the rest repeats on other pages. */
export const contentId = 'content'
