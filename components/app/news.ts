import type { ChatId } from '@/lib/events'
import type { ChatSummary } from '@/lib/protocol'

/** News of a chat that is not on the screen: its replies have ended, or a tool of it waits for a person. */
export type NewsKind = 'ended' | 'waits'

/** The chats with a reply that is not read yet. */
export type News = ReadonlySet<ChatId>

/** The news of a person's chats in this browser. */
export interface AppNews {
  all: News
  /** the chat is looked at */
  read(chatId: ChatId): void
  /** the chat is looked at no longer */
  leave(chatId: ChatId): void
}

/** The words about news, read out with the chat's title and shown by a notification. */
export const newsWords: Record<NewsKind, string> = {
  ended: 'New reply',
  waits: 'Waits for you',
}

type Known = Pick<ChatSummary, 'replying' | 'waits'>

/** The news that a change of a chat's line makes. A chat that was not listed before has none. */
export function newsOf(before: Known | undefined, now: Known): NewsKind | null {
  if (!before) return null
  if (now.waits && !before.waits) return 'waits'
  return before.replying && !now.replying && !now.waits ? 'ended' : null
}

/** Reads what `writeNews` wrote; text that it did not write holds no news. */
export function readNews(text: string): News {
  try {
    const ids: unknown = JSON.parse(text)
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}

/** News as text; null where there is none. */
export const writeNews = (news: News): string | null => (news.size === 0 ? null : JSON.stringify([...news]))

const mark = '● '

/** The title of a window, with a mark while there is news. */
export function markedTitle(title: string, hasNews: boolean): string {
  const bare = title.startsWith(mark) ? title.slice(mark.length) : title
  return hasNews ? `${mark}${bare}` : bare
}
