import { advice, type Check } from './check'

/** Checks of the log: its numbers have no gaps, and it records every message at the message's place. */
export const logChecks: Check[] = [
  {
    invariant: 'log-without-gaps',
    advice: advice.objects,
    sql: (within) => `
select c.id as chat, 'the log' as thing,
  format('has %s events, numbered %s to %s, where %s are expected', count(e.seq), min(e.seq), max(e.seq), c.last_seq) as problem
from chats c left join events e on e.chat_id = c.id
where ${within('c.id')}
group by c.id
having count(e.seq) <> c.last_seq or min(e.seq) is distinct from 1 or max(e.seq) is distinct from c.last_seq`,
  },
  {
    invariant: 'stream-without-gaps',
    advice: advice.objects,
    sql: (within) => `
select distinct on (s.chat_id, s.stream_id) s.chat_id as chat, 'stream ' || s.stream_id as thing, case
  when s.unknown then 'belongs to no branch of the chat'
  else format('has number %s at event %s, where %s is expected', s.event_number, s.seq, s.expected) end as problem
from (
  select e.chat_id, e.stream_id, e.seq, e.event_number, b.id is null and e.stream_id <> e.chat_id as unknown,
    coalesce(b.from_event_number, 0) + row_number() over (partition by e.chat_id, e.stream_id order by e.seq) as expected
  from events e left join branches b on b.chat_id = e.chat_id and b.id = e.stream_id
  where ${within('e.chat_id')}
) s
where s.unknown or s.event_number <> s.expected
order by s.chat_id, s.stream_id, s.seq`,
  },
  {
    invariant: 'message-recorded-once',
    advice: advice.objects,
    sql: (within) => `
select m.chat_id as chat, 'message ' || m.id as thing,
  format('is recorded by %s events%s', count(e.seq),
    case when count(e.seq) = 1 then ', with something else than it is: ' || min(e.type || ' ' || e.payload) else '' end) as problem
from messages m left join events e on e.chat_id = m.chat_id and e.message_id = m.id
where ${within('m.chat_id')}
group by m.chat_id, m.id, m.name, m.parent_id, m.status, m.copied_from_id
having count(e.seq) <> 1 or not bool_and(case when e.type = 'MessageCopied'
  then e.payload ->> 'message_id' = m.id and e.payload ->> 'role' = m.name
    and e.payload ->> 'copied_from_id' is not distinct from m.copied_from_id
  when m.name = 'assistant'
  then e.type = 'LLMResponseGenerated' and e.payload ->> 'ai_message_id' = m.id
    and e.payload ->> 'reply_to' is not distinct from m.parent_id
    and e.payload ->> 'status' = coalesce(m.status, 'completed')
  else e.type = 'UserMessageAdded' and e.payload ->> 'message_id' = m.id and e.payload ->> 'role' = m.name end)
union all
select e.chat_id, 'event ' || e.seq, format('%s records message %s, which is not stored', e.type, coalesce(e.message_id, 'none'))
from events e left join messages m on m.chat_id = e.chat_id and m.id = e.message_id
where ${within('e.chat_id')} and m.id is null
  and (e.message_id is not null or e.type in ('UserMessageAdded', 'LLMResponseGenerated', 'MessageCopied'))`,
  },
  {
    invariant: 'checkpoint-after-reply',
    advice: advice.objects,
    sql: (within) => `
select coalesce(r.chat_id, k.chat_id) as chat, 'event ' || coalesce(r.seq, k.seq) as thing, case
  when k.seq is null then format('records reply %s, but no CheckpointCreated follows', r.message_id)
  when r.seq is null then 'is a CheckpointCreated that follows no reply of its own'
  else format('its CheckpointCreated says %s', k.payload) end as problem
from (select e.*, m.id as message, m.context_id from events e left join messages m on m.chat_id = e.chat_id and m.id = e.message_id
  where (e.type = 'LLMResponseGenerated' or (e.type = 'MessageCopied' and e.payload ->> 'role' = 'assistant'))
    and ${within('e.chat_id')}) r
full join (select * from events where type = 'CheckpointCreated' and ${within('chat_id')}) k
  on k.chat_id = r.chat_id and k.stream_id = r.stream_id and k.event_number = r.event_number + 1
  and k.payload ->> 'ai_message_id' = r.message_id
where r.seq is null or k.seq is null or k.payload ->> 'checkpoint_id' is distinct from 'ckpt-' || r.message_id
  or (r.message is not null and k.payload ->> 'context_id' is distinct from r.context_id)`,
  },
  {
    invariant: 'thread-origin',
    advice: advice.objects,
    sql: (within) => `
select b.chat_id as chat, 'branch ' || b.name as thing, case
  when t.seq is null or t.payload ->> 'thread_id' <> b.id then 'its stream does not begin with its ThreadCreated'
  when (b.parent_branch_id is null) <> (f.seq is null) then 'a ThreadForked is missing, or one too many'
  else format('forked from %s after event %s, but its ThreadForked says %s', b.parent_branch_id, b.from_event_number,
    f.payload) end as problem
from branches b
left join events t on t.chat_id = b.chat_id and t.stream_id = b.id and t.type = 'ThreadCreated'
  and t.event_number = b.from_event_number + 1
left join events f on f.chat_id = b.chat_id and f.stream_id = b.id and f.type = 'ThreadForked'
  and f.event_number = b.from_event_number + 2
where ${within('b.chat_id')} and (t.seq is null or t.payload ->> 'thread_id' <> b.id
  or (b.parent_branch_id is null) <> (f.seq is null)
  or f.payload ->> 'parent_thread_id' is distinct from b.parent_branch_id
  or (f.payload ->> 'from_event_number')::int <> b.from_event_number)
union all
select e.chat_id, 'event ' || e.seq, format('is a %s in the middle of its stream', e.type)
from events e left join branches b on b.chat_id = e.chat_id and b.id = e.stream_id
where ${within('e.chat_id')} and e.type in ('ThreadCreated', 'ThreadForked') and e.event_number is distinct from
  b.from_event_number + case e.type when 'ThreadCreated' then 1 else 2 end`,
  },
  {
    // a thread's inherited and own messages are exactly its branch's chain (DESIGN.md §9)
    invariant: 'thread-follows-chain',
    advice: advice.objects,
    sql: (within) => `
with recursive recorded as (
  -- a head that was moved without a message stands where its event says
  select e.chat_id, e.stream_id, e.event_number, e.message_id, case
    lag(e.type) over (partition by e.chat_id, e.stream_id order by e.event_number)
    when 'HeadMoved' then lag(e.payload ->> 'head_message_id') over (partition by e.chat_id, e.stream_id order by e.event_number)
    else coalesce(lag(e.message_id) over (partition by e.chat_id, e.stream_id order by e.event_number),
      t.payload ->> 'head_message_id') end as above
  from events e
  join branches b on b.chat_id = e.chat_id and b.id = e.stream_id
  left join events t on t.chat_id = b.chat_id and t.stream_id = b.id and t.event_number = b.from_event_number + 1
  where (e.message_id is not null or e.type = 'HeadMoved') and ${within('e.chat_id')}
), fork as (
  -- the thread that recorded the event a fork was made at: its parent, or the one its parent has it from
  select b.chat_id, b.id, b.name, b.from_event_number as number, p.id as source, p.from_event_number as source_from,
    p.parent_branch_id as source_parent
  from branches b join branches p on p.chat_id = b.chat_id and p.id = b.parent_branch_id
  where ${within('b.chat_id')}
  union all
  select f.chat_id, f.id, f.name, f.number, p.id, p.from_event_number, p.parent_branch_id
  from fork f join branches p on p.chat_id = f.chat_id and p.id = f.source_parent
  where f.number between 1 and f.source_from
)
select r.chat_id as chat, 'message ' || r.message_id as thing,
  format('was recorded after %s, but its parent is %s', coalesce(r.above, 'nothing'), coalesce(m.parent_id, 'none')) as problem
from recorded r join messages m on m.chat_id = r.chat_id and m.id = r.message_id
where m.parent_id is distinct from r.above
union all
select f.chat_id, 'branch ' || f.name, format('began at %s, but event %s of the thread it forked from stood at %s',
  coalesce(f.began, 'nothing'), f.number, coalesce(f.head, 'nothing'))
from (
  select g.*, t.payload ->> 'head_message_id' as began, case when g.number > 0 then coalesce(
    (select coalesce(e.message_id, e.payload ->> 'head_message_id') from events e
      where e.chat_id = g.chat_id and e.stream_id = g.source and e.event_number <= g.number
        and (e.message_id is not null or e.type = 'HeadMoved') order by e.event_number desc limit 1),
    o.payload ->> 'head_message_id') end as head
  from fork g
  join events t on t.chat_id = g.chat_id and t.stream_id = g.id and t.event_number = g.number + 1
  left join events o on o.chat_id = g.chat_id and o.stream_id = g.source and o.event_number = g.source_from + 1
  where g.number > g.source_from or g.number = 0
) f
where f.head is distinct from f.began`,
  },
]
