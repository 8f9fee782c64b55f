import type { ChatData, ChatInfo, ListChatsOptions } from '@/lib/context'
import type { Database } from '@/lib/db'
import { isStorable } from './asking'
import { type ChatRow, messageCount, toChat } from './rows'

const chatColumns = `id, user_id as "userId", title, metadata,
  epoch_ms(created_at) as "createdAt", epoch_ms(updated_at) as "updatedAt"`

/** A chat; undefined when there is none. */
export async function storedChat(ask: Database['query'], chatId: string): Promise<ChatData | undefined> {
  const [row] = await ask<ChatRow>(`select ${chatColumns} from chats where id = $1`, [chatId])
  return row && toChat(row)
}

/** Chats, the last changed first; see `ContextStore.listChats`. */
export async function storedChats(
  ask: Database['query'],
  { userId, metadata, limit, offset }: ListChatsOptions,
): Promise<ChatInfo[]> {
  if (!isStorable(metadata?.value)) return []
  const rows = await ask<ChatRow & { messageCount: number; branchCount: number }>(
    `select ${chatColumns},
      ${messageCount('c')} as "messageCount",
      (select count(*)::int from branches b where b.chat_id = c.id) as "branchCount"
    from chats c where ($1::text is null or user_id = $1)
      and ($2::text is null or metadata -> $2 = $3::text::jsonb)
    order by updated_at desc, id desc limit $4 offset $5`,
    [
      userId ?? null,
      metadata?.key ?? null,
      metadata ? JSON.stringify(metadata.value) : null,
      limit ?? null,
      offset ?? 0,
    ],
  )
  return rows.map(({ messageCount, branchCount, ...chat }) => ({
    ...toChat(chat),
    messageCount,
    branchCount,
  }))
}
