import type { ChatId, UserId } from '@/lib/events'
import { keyedTags, MAX_TAG, MAX_TAGS, normalTag } from '@/lib/protocol'
import type { Ports } from '../ports'

/** Place of a chat in the person's list, as its file has it. */
export interface KeptChat {
  pinned?: boolean | undefined
  archived?: boolean | undefined
  tags?: readonly string[] | undefined
}

/** Keeps a chat that was just made of a file as the file says. Tags beyond the limits are cut. */
export async function keepAsBefore(
  { listed }: Pick<Ports, 'listed'>,
  { ownerId, chatId }: { ownerId: UserId; chatId: ChatId },
  { pinned, archived, tags = [] }: KeptChat,
): Promise<void> {
  const short = tags.map((tag) => [...normalTag(tag)].slice(0, MAX_TAG).join('').trim()).filter(Boolean)
  const all = keyedTags(short.slice(0, MAX_TAGS))
  if (!pinned && !archived && short.length === 0) return
  const change = {
    ...(pinned && { pinned }),
    ...(archived && { archived }),
    ...(short.length > 0 && { tags: { all } }),
  }
  await listed.change(ownerId, { ids: [chatId] }, change)
}
