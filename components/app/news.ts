import type { ChatId } from '@/lib/events'
import type { Graph } from '@/lib/protocol'

/** News of a chat that is not on the screen: its replies have ended, or a tool of it waits for a person. */
export type NewsKind = 'ended' | 'waits'

export type News = ReadonlyMap<ChatId, NewsKind>

/** The news of a person's chats in this browser. */
export interface AppNews {
  all: News
  /** something of a chat that is not on the screen has ended or waits */
  tell(chatId: ChatId, kind: NewsKind): void
  /** the chat is looked at */
  read(chatId: ChatId): void
  /** the chat is left while a reply of it is written */
  watch(left: Graph): void
}

const kinds: readonly string[] = ['ended', 'waits'] satisfies NewsKind[]

/** The words about news, read out with the chat's title and shown by a notification. */
export const newsWords: Record<NewsKind, string> = {
  ended: 'New reply',
  waits: 'Waits for you',
}

/** Reads what `writeNews` wrote; text that it did not write holds no news. */
export function readNews(text: string): News {
  try {
    const entries: unknown = JSON.parse(text)
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : [])
  } catch {
    return new Map()
  }
}

/** News as text; null where there is none. */
export const writeNews = (news: News): string | null => (news.size === 0 ? null : JSON.stringify([...news]))

const isEntry = (entry: unknown): entry is [ChatId, NewsKind] =>
  Array.isArray(entry) && typeof entry[0] === 'string' && kinds.includes(entry[1])

const mark = '● '

/** The title of a window, with a mark while there is news. */
export function markedTitle(title: string, hasNews: boolean): string {
  const bare = title.startsWith(mark) ? title.slice(mark.length) : title
  return hasNews ? `${mark}${bare}` : bare
}
