import type { Route } from 'next'
import type { ChatId } from '@/lib/events'

export const newChatPath = '/' as Route
export const chatPath = (id: ChatId) => `/c/${encodeURIComponent(id)}` as Route

/** The compare page with the branch being read on the left, and another on the right when one is meant. */
export function comparePath(href: string, left: string, right?: string): Route {
  const query = new URLSearchParams({ left, ...(right && { right }) })
  return `${href}?${query}` as Route
}
