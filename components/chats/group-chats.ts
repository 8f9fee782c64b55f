import type { ListQuery } from '@/components/app/listed'
import type { ChatSummary } from '@/lib/protocol'

const day = 86_400_000

interface ChatGroup {
  label: string
  chats: ChatSummary[]
}

/**
 * The list of chats in groups: the pinned ones, then by the day of their last change, or of their beginning. Each group
 * keeps the order of the list.
 *
 * @param now a time of today; null where the reader's day is not known: days then have no words, and make one group
 */
export function groupChats(
  chats: readonly ChatSummary[],
  { sort, archived }: Pick<ListQuery, 'sort' | 'archived'>,
  now: Date | null,
): ChatGroup[] {
  const labelOf = now === null ? () => '' : dayLabels(now)
  const groups = new Map<string, ChatSummary[]>()
  for (const chat of chats) {
    const other = sort === 'title' ? 'By title' : labelOf(chat[`${sort}At`])
    const label = chat.pinnedAt !== null && !archived ? 'Pinned' : other
    const group = groups.get(label)
    if (group) group.push(chat)
    else groups.set(label, [chat])
  }
  return [...groups].map(([label, inGroup]) => ({ label, chats: inGroup }))
}

function dayLabels(now: Date): (time: number) => string {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const limits: [string, number][] = [
    ['Today', today],
    // a day of 25 hours is still yesterday
    ['Yesterday', new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).getTime()],
    ['Last 7 days', today - 7 * day],
    ['Last 30 days', today - 30 * day],
  ]
  return (time) => limits.find(([, from]) => time >= from)?.[0] ?? 'Earlier'
}
