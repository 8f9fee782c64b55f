import { messageAt } from './chain-sql'

/** A branch of chat $1 by its id or else its name. */
const branchBy = (parameter: string): string => `
    (select b as branch from branches b where b.chat_id = $1 and b.id = ${parameter})
    union all
    (select b as branch from branches b where b.chat_id = $1 and b.name = ${parameter})`

/** A compared branch, its number of own messages, and the usage of their replies, read from the log. */
const sideJson = `json_build_object('side', t.side, 'branchId', t.id, 'name', t.name, 'headId', h.id, 'lane', t.head_lane,
    'length', coalesce(t.head_depth - (select depth from shared), 0),
    'context', (select json_build_object('id', x.id, 'fragments', x.fragments, 'model', x.model, 'setup', x.setup)
      from contexts x where x.chat_id = $1 and x.id = t.context_id),
    'usage', (select case when count(e.payload #> '{usage,outputTokens}') > 0 then json_build_object(
        'inputTokens', sum(told_tokens(e.payload #>> '{usage,inputTokens}')),
        'outputTokens', sum(told_tokens(e.payload #>> '{usage,outputTokens}'))) end
      from own o
      cross join lateral (select m.id from messages m
        where m.chat_id = $1 and m.lane = o.lane and m.depth between o.low and o.top offset 0) m
      cross join lateral (select e.payload from events e
        where e.chat_id = $1 and e.message_id = m.id and e.type = 'LLMResponseGenerated' offset 0) e
      where o.side = t.side))`

/**
 * Two branches of one owner's chat: their lanes up to the roots, where they part (lanes hang below lanes with smaller
 * numbers, so that is in the highest lane of both), and the first messages of each below that place. To the messages
 * comes one row without a side, which holds all the rest as its `data`; no row at all when there is no such chat or branch.
 *
 * $1 chat, $2 owner, $3 left branch, id or else name (null = the active one), $4 right branch (null = the left one's
 * parent, or else a child of it, or else the latest used), $5 how many messages of each side
 */
export const comparisonSql = `with recursive c as materialized (
  select id, title, active_branch_id from chats where id = $1 and user_id = $2
), l as materialized (
  select (q.branch).* from c cross join lateral (${branchBy('coalesce($3, c.active_branch_id)')} limit 1) q
), r as materialized (
  select (q.branch).* from l cross join lateral (${branchBy('$4')}
    union all
    (select b from branches b left join ${messageAt('b.chat_id', 'b.head_lane', 'b.head_depth')} h on true
      where $4::text is null and b.chat_id = $1 and b.id <> l.id and b.archived_at is null
      order by (b.id = l.parent_branch_id) desc nulls last, (b.parent_branch_id = l.id) desc nulls last,
        h.created_at desc nulls last, b.id limit 1)
    limit 1) q
), sides as materialized (
  select 'left' as side, l.* from l union all select 'right', r.* from r
), s as (
  select t.side, g.lane, g.parent_lane, g.base_depth, t.head_depth as top
    from sides t join lanes g on g.chat_id = $1 and g.lane = t.head_lane
  union all
  select q.* from s cross join lateral (
    select s.side, g.lane, g.parent_lane, g.base_depth, s.base_depth - 1 from lanes g
    where g.chat_id = $1 and g.lane = s.parent_lane limit 1) q
), shared as materialized (
  select coalesce((select least(a.top, b.top) from s a join s b on b.lane = a.lane and b.side = 'right'
    where a.side = 'left' order by a.lane desc limit 1), -1) as depth
), own as materialized (
  select s.side, s.lane, greatest(s.base_depth, shared.depth + 1) as low, s.top from s, shared
  where s.top > shared.depth
)
select o.side, y.* from own o cross join shared cross join lateral (
  select m.depth, m.lane, m.id, m.parent_id as "parentId", m.name, m.data, m.status,
    epoch_ms(m.created_at) as "createdAt" from messages m
  where m.chat_id = $1 and m.lane = o.lane and m.depth between o.low and least(o.top, shared.depth + $5::int) offset 0) y
union all
select null, -1, null, null, null, null, json_build_object('title', c.title, 'common', shared.depth + 1,
  'branches', (select json_agg(json_build_object('id', b.id, 'name', b.name, 'title', b.title,
      'archivedAt', epoch_ms(b.archived_at), 'lane', b.head_lane, 'count', coalesce(b.head_depth + 1, 0),
      'preview', coalesce(h.preview, ''), 'usedAt', greatest(epoch_ms(b.created_at), epoch_ms(h.created_at)),
      'first', case when b.name ~ '-v[0-9]+$' then (select json_strip_nulls(json_build_object('role', f.role,
        'preview', f.preview, 'original', f.original, 'place', f.place)) from first_in_thread($1, b.id) f where f.id is not null) end)
      order by b.created_at, b.id)
    from branches b left join ${messageAt('$1', 'b.head_lane', 'b.head_depth')} h on true
    where b.chat_id = $1),
  'sides', (select json_agg(${sideJson}) from sides t
    left join messages h on h.chat_id = $1 and h.lane = t.head_lane and h.depth = t.head_depth)), null, null
from c cross join shared where exists (select 1 from l)`
