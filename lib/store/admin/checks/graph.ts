import { advice, type Check } from './check'

/** Messages in their places, and everything that points at them. */
export const graphChecks: Check[] = [
  {
    invariant: 'message-place',
    advice: advice.objects,
    sql: (within) => `
select m.chat_id as chat, 'message ' || m.id as thing,
  format('stands at lane %s, depth %s, where the message above it is %s, but its parent is %s',
    m.lane, m.depth, coalesce(p.id, 'missing'), coalesce(m.parent_id, 'none')) as problem
from messages m
left join lanes l on l.chat_id = m.chat_id and l.lane = m.lane
left join messages p on p.chat_id = m.chat_id and p.depth = m.depth - 1
  and p.lane = case when m.depth = l.base_depth then l.parent_lane else m.lane end
where ${within('m.chat_id')} and (l.lane is null or m.depth < l.base_depth or p.id is distinct from m.parent_id
  or (p.id is null and m.depth > 0))`,
  },
  {
    // a lane opens because the place right below its parent is taken; readers look for the first reply only there
    invariant: 'lane-base',
    advice: advice.objects,
    sql: (within) => `
select l.chat_id as chat, 'lane ' || l.lane as thing,
  format('hangs below lane %s at depth %s, and %s', coalesce(l.parent_lane::text, 'none'), l.base_depth, case
    when f.id is null then 'holds no message there'
    when l.lane >= c.next_lane then 'its number is still to be given out'
    when l.parent_lane is null then 'only a root begins at depth 0'
    when p.id is null then 'there is no message to hang from'
    else 'the place of the first reply there is free' end) as problem
from lanes l
join chats c on c.id = l.chat_id
left join messages f on f.chat_id = l.chat_id and f.lane = l.lane and f.depth = l.base_depth
left join messages p on p.chat_id = l.chat_id and p.lane = l.parent_lane and p.depth = l.base_depth - 1
left join messages s on s.chat_id = l.chat_id and s.lane = l.parent_lane and s.depth = l.base_depth
where ${within('l.chat_id')} and (f.id is null or l.lane >= c.next_lane
  or (l.parent_lane is null) <> (l.base_depth = 0)
  or (l.parent_lane is not null and (p.id is null or s.id is null or l.parent_lane >= l.lane)))`,
  },
  {
    invariant: 'ref-reaches-root',
    advice: advice.objects,
    sql: (within) => `
with recursive broken as (
  -- lanes that hang from nothing, and lanes with a hole; from there on down no chain is whole
  select l.chat_id, l.lane, l.base_depth as depth from lanes l
  left join messages p on p.chat_id = l.chat_id and p.lane = l.parent_lane and p.depth = l.base_depth - 1
  where ${within('l.chat_id')} and (case when l.parent_lane is null then l.base_depth > 0
    else p.id is null or l.parent_lane >= l.lane end)
  union
  select m.chat_id, m.lane, m.depth from messages m
  left join lanes l on l.chat_id = m.chat_id and l.lane = m.lane
  left join messages p on p.chat_id = m.chat_id and p.lane = m.lane and p.depth = m.depth - 1
  where ${within('m.chat_id')} and p.id is null and m.depth is distinct from l.base_depth
  union
  select l.chat_id, l.lane, l.base_depth from broken b
  join lanes l on l.chat_id = b.chat_id and l.parent_lane = b.lane and l.base_depth > b.depth
)
select f.chat_id as chat, f.thing, format('points at lane %s, depth %s, from where no chain of messages leads to a root',
  f.lane, f.depth) as problem
from (
  select chat_id, 'branch ' || name as thing, head_lane as lane, head_depth as depth from branches
  where head_lane is not null
  union all
  select chat_id, 'checkpoint ' || name, lane, depth from checkpoints
) f
left join messages m on m.chat_id = f.chat_id and m.lane = f.lane and m.depth = f.depth
where ${within('f.chat_id')} and (m.id is null or exists (select 1 from broken b
  where b.chat_id = f.chat_id and b.lane = f.lane and b.depth <= f.depth))`,
  },
  {
    invariant: 'references-stay-inside',
    advice: advice.objects,
    sql: (within) => `
select r.chat_id as chat, r.thing, format('names %s %s, which is not in its chat', r.what, r.id) as problem
from (
  select chat_id, 'message ' || id as thing, 'message' as what, merge_parent_id as id from messages
  union all select chat_id, 'message ' || id, 'message', copied_from_id from messages
  union all select chat_id, 'message ' || id, 'context', context_id from messages
  union all select chat_id, 'message ' || id, 'run', run_id from messages
  union all select chat_id, 'branch ' || name, 'branch', parent_branch_id from branches
  union all select chat_id, 'branch ' || name, 'context', context_id from branches
  union all select chat_id, 'run ' || id, 'branch', branch_id from runs
  union all select chat_id, 'run ' || id, 'context', context_id from runs
  union all select chat_id, 'run ' || id, 'message', reply_to from runs
) r
left join messages m on r.what = 'message' and m.chat_id = r.chat_id and m.id = r.id
left join contexts x on r.what = 'context' and x.chat_id = r.chat_id and x.id = r.id
left join branches b on r.what = 'branch' and b.chat_id = r.chat_id and b.id = r.id
left join runs u on r.what = 'run' and u.chat_id = r.chat_id and u.id = r.id
where ${within('r.chat_id')} and r.id is not null and coalesce(m.id, x.id, b.id, u.id) is null`,
  },
  {
    invariant: 'one-active-branch',
    advice: advice.refs,
    sql: (within) => `
select c.id as chat, 'the chat' as thing,
  format('opens on branch %s, which it does not have', c.active_branch_id) as problem
from chats c left join branches b on b.chat_id = c.id and b.id = c.active_branch_id
where ${within('c.id')} and b.id is null`,
  },
  // a chat's alias leads to no other chat of its owner; `chats_public_id` sees to the rest
  {
    invariant: 'chat-called-once',
    advice: 'Set its alias to null: it is called by its own key then.',
    sql: (within) => `
select c.id as chat, 'the chat' as thing,
  format('is called %s, which is the key of another chat of its owner', c.alias) as problem
from chats c join chats o on o.id = c.alias and o.user_id = c.user_id and o.id <> c.id
where ${within('c.id')}`,
  },
]
