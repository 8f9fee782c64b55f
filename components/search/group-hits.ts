import type { ChatId } from '@/lib/events'
import type { SearchHit } from '@/lib/graph'

/** What was found in one chat, best first. */
export interface HitGroup {
  chatId: ChatId
  title: string
  hits: SearchHit[]
}

/** Hits by chat; the chat with the best hit comes first. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<ChatId, HitGroup>()
  for (const hit of hits) {
    const group = groups.get(hit.chatId)
    if (group) group.hits.push(hit)
    else groups.set(hit.chatId, { chatId: hit.chatId, title: hit.chatTitle ?? 'Untitled chat', hits: [hit] })
  }
  return [...groups.values()]
}
