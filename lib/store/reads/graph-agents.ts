import type { RecentNames } from '@/lib/context'
import type { Database } from '@/lib/db'

/** The branches of a chat that agents write on, as its graph shows them; null for none. */
export const graphAgents = (chat: string): string => `(
  select json_agg(json_build_object('branchId', g.branch_id, 'messageId', g.message_id, 'client', g.client, 'key', k.name,
      'calledAt', epoch_ms(g.called_at), 'model', x.model, 'steering', case when s.branch_id is not null then json_build_object(
        'toId', s.target_id, 'at', epoch_ms(s.created_at), 'followedAt', epoch_ms(s.followed_at)) end)
      order by g.called_at, g.branch_id)
    from agent_branches g left join agent_steers s on s.chat_id = g.chat_id and s.branch_id = g.branch_id
    left join api_keys k on k.id = g.key_id
    left join branches b on b.chat_id = g.chat_id and b.id = g.branch_id
    left join contexts x on x.chat_id = b.chat_id and x.id = b.context_id
    where g.chat_id = ${chat})`

/**
 * The branches of an owner that agents write on, the latest calls first, without branches that an agent was
 * steered away from. Parameters: the owner, a key or null, a chat or null, the maximum number.
 */
export const ownAgentsSql = `select g.chat_id as "chatId", coalesce(c.alias, c.id) as called, c.title, g.branch_id as "branchId",
    b.name as "branchName", g.message_id as "messageId", g.client, g.key_id as "keyId", epoch_ms(g.called_at) as "calledAt"
  from agent_branches g join chats c on c.id = g.chat_id and c.user_id = $1
    join branches b on b.chat_id = g.chat_id and b.id = g.branch_id
  where ($2::text is null or g.key_id = $2) and ($3::text is null or g.chat_id = $3)
    and not exists (select 1 from agent_steers s where s.chat_id = g.chat_id and s.branch_id = g.branch_id
      and s.target_id <> s.branch_id and s.followed_at >= g.called_at)
  order by g.called_at desc, g.branch_id limit $4`

/** The names of the last 200 messages of the last 8 conversations of an owner with a key. */
export async function recentAgentNames(
  ask: Database['query'],
  ownerId: string,
  keyId: string,
): Promise<RecentNames[]> {
  const [row] = await ask<{ names: RecentNames[] }>('select recent_agent_names($1, $2, 8, 200) as names', [
    ownerId,
    keyId,
  ])
  return row?.names ?? []
}
