import type { ChatId } from '@/lib/events'
import type { ChatFilter, ChatSort, ChatSummary } from '@/lib/protocol'

/** Filter and order of the list of chats. */
export interface ListQuery extends ChatFilter {
  archived: boolean
  q: string
  agents?: true | undefined
  sort: ChatSort
}

/** Chats that an act means: some that the page knows, or all that a list shows but for some. */
export type Picked =
  | { chats: readonly ChatSummary[] }
  | { filter: ChatFilter; except: ChatId[]; count: number }

export const countOf = (picked: Picked): number => ('chats' in picked ? picked.chats.length : picked.count)

/** `3 chats`, or the title of one alone. */
export function namesOf(picked: Picked): string {
  const count = countOf(picked)
  const [only] = 'chats' in picked ? picked.chats : []
  return count === 1 && only ? `“${titleOf(only)}”` : `${count.toLocaleString('en')} chats`
}

export const titleOf = ({ title }: Pick<ChatSummary, 'title'>): string => title ?? 'Untitled chat'

/** Changes to how chats are kept. */
export interface Keeping {
  pinned?: boolean
  archived?: boolean
  tags?: { add?: string[]; remove?: string[] }
}
