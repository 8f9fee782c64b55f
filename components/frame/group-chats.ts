import type { ChatSummary } from '@/lib/protocol'

const day = 86_400_000

/** The list of chats by the day they were last written to, newest first. `now` is a time of today. */
export function groupChats(
  chats: readonly ChatSummary[],
  now: Date,
): { label: string; chats: ChatSummary[] }[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const limits: [string, number][] = [
    ['Today', today],
    // a day of 25 hours is still yesterday
    ['Yesterday', new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).getTime()],
    ['Last 7 days', today - 7 * day],
    ['Last 30 days', today - 30 * day],
    ['Earlier', Number.NEGATIVE_INFINITY],
  ]
  const labelOf = ({ updatedAt }: ChatSummary) =>
    limits.find(([, from]) => updatedAt >= from)?.[0] ?? 'Earlier'
  const sorted = [...chats].sort((a, b) => b.updatedAt - a.updatedAt)
  return limits
    .map(([label]) => ({ label, chats: sorted.filter((chat) => labelOf(chat) === label) }))
    .filter((group) => group.chats.length > 0)
}
