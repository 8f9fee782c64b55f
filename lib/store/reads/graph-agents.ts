import type { RecentNames } from '@/lib/context'
import type { Database } from '@/lib/db'
import { messageCalled } from './chain-sql'

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

/**
 * The last messages of the conversations that an owner's agents with a key said something in last, lane by lane: the latest
 * conversation first, in each the latest message first. Chains that are not what the agent sends (`moved`) are left out. Each
 * part is a few look-ups by keys. $1 owner, $2 key, $3 how many conversations, $4 how many messages of each
 */
const recentNamesSql = `with recursive said as (
  select a.chat_id, a.message_id, row_number() over (order by a.called_at desc, a.branch_id) as place
  from chats c join agent_branches a on a.chat_id = c.id and a.key_id = $2 where c.user_id = $1
  order by a.called_at desc, a.branch_id limit $3
), s as (
  select a.place, a.chat_id, m.depth as top, $4::int as most, g.parent_lane, g.base_depth, m.lane
  from said a cross join ${messageCalled('a.chat_id', 'a.message_id')} m
  cross join lateral (select * from lanes g where g.chat_id = a.chat_id and g.lane = m.lane limit 1) g
  union all
  select s.place, s.chat_id, s.base_depth - 1, s.most - (s.top - s.base_depth + 1), g.parent_lane, g.base_depth, g.lane
  from s cross join lateral (select * from lanes g where g.chat_id = s.chat_id and g.lane = s.parent_lane limit 1) g
  where s.most > s.top - s.base_depth + 1
)
select s.chat_id as "chatId", json_agg(json_build_object('hash', encode(a.hash, 'hex'),
  'chain', encode(coalesce(a.chain, a.hash), 'hex')) order by m.depth desc) as names
from s cross join lateral (select m.id, m.depth from messages m where m.chat_id = s.chat_id and m.lane = s.lane
  and m.depth between greatest(s.base_depth, s.top - s.most + 1) and s.top offset 0) m
cross join lateral (select x.hash, x.chain from agent_nodes x
  where x.chat_id = s.chat_id and x.message_id = m.id and not x.moved offset 0) a
group by s.place, s.chat_id, s.top order by s.place, s.top desc`

/** The names of the last 200 messages of the last 8 conversations of an owner with a key. */
export const recentAgentNames = (
  ask: Database['query'],
  ownerId: string,
  keyId: string,
): Promise<RecentNames[]> => ask<RecentNames>(recentNamesSql, [ownerId, keyId, 8, 200])
