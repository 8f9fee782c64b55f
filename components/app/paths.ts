import type { Route } from 'next'
import type { ChatId, MessageId } from '@/lib/events'

export const newChatPath = '/' as Route
export const chatPath = (id: ChatId) => `/c/${encodeURIComponent(id)}` as Route

/** A branch of a chat, at its end. */
export const branchPath = (id: ChatId, branch: string) =>
  `${chatPath(id)}?branch=${encodeURIComponent(branch)}` as Route

/** A message on the branch to read it on; without one, on whichever holds it. */
export function messagePath(place: {
  chatId: ChatId
  messageId: MessageId
  branch: { name: string } | null
}): Route {
  const query = new URLSearchParams({
    ...(place.branch && { branch: place.branch.name }),
    at: place.messageId,
  })
  return `${chatPath(place.chatId)}?${query}` as Route
}

/** Two branches of a chat side by side; without another one, or with the same, the page chooses what to compare with. */
export function comparePath(id: ChatId, left: string, right?: string): Route {
  const query = new URLSearchParams({ left, ...(right !== undefined && right !== left && { right }) })
  return `${chatPath(id)}/compare?${query}` as Route
}

/** The chat that a page's address names, if it names one. */
export function chatOf(pathname: string): ChatId | null {
  const id = /^\/c\/([^/]+)/.exec(pathname)?.[1]
  return id === undefined ? null : decodeURIComponent(id)
}
