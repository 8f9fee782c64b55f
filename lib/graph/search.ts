import type { BranchId, ChatId, MessageId } from '@/lib/events'

/** A message that holds the words searched for. */
export interface SearchHit {
  chatId: ChatId
  chatTitle: string | null
  messageId: MessageId
  /** `user`, `assistant`, or another name a library caller used */
  role: string
  /** milliseconds since 1970 */
  createdAt: number
  /** the branch to read it on: of those whose chain holds it the latest used; archived ones last */
  branch: { id: BranchId; name: string } | null
  /** higher is better */
  rank: number
  /** part of its text as HTML, with `<mark>` around the words found and nothing else but escaped text */
  snippet: string
}

/** The hits of a search, best first. */
export interface SearchPage {
  hits: SearchHit[]
  /** there are more hits after these */
  more: boolean
  /** not all of the owner's messages were searched yet: a second request may find more */
  partial: boolean
}
