import { messageAt, recorded } from './chain-sql'
import { eventColumns, publicId } from './rows'

const oldest = 'order by c.created_at, c.id limit 1'

/**
 * An owner's thread as `t`: one row, or none when it is missing or another person's. $1 thread, $2 owner.
 * When two threads have one id, after a guest's chats moved into an account, the older chat's is taken
 * everywhere (`ThreadCommands`).
 */
const thread = (columns: string): string => `select ${columns} from branches t
  join chats c on c.id = t.chat_id and c.user_id = $2 where t.id = $1 ${oldest}`

/**
 * The thread of branch `b`, as a `ThreadRow`. Its own last event is the last thing that happened to it.
 */
const summary = `b.id as "threadId", ${publicId('c')} as "chatId", c.title, b.parent_branch_id as "parentThreadId",
  case when b.parent_branch_id is not null then b.from_event_number end as "fromEventNumber", h.id as "headMessageId",
  epoch_ms(b.created_at) as "createdAt", (select epoch_ms(e.created_at) from events e
    where e.chat_id = b.chat_id and e.stream_id = b.id order by e.event_number desc limit 1) as "updatedAt"`

/** Newest first; only the page's rows are looked into. `within` picks them from `branches b join chats c`. */
const page = (within: string): string => `(select coalesce(json_agg(p), '[]') from (
  select ${summary} from (
    select b.* from branches b join chats c on c.id = b.chat_id
    where ${within} and b.archived_at is null
      and ($2::text is null or (b.created_at, b.id) < (select k.created_at, k.id from place k))
    order by b.created_at desc, b.id desc limit $3::int
  ) b join chats c on c.id = b.chat_id
  left join ${messageAt('b.chat_id', 'b.head_lane', 'b.head_depth')} h on true
  order by b.created_at desc, b.id desc) p) as threads`

// a thread that only marks a place in the list must be the owner's too
const place = `place as materialized (
  select b.created_at, b.id from branches b join chats c on c.id = b.chat_id and c.user_id = $1 where b.id = $2
  ${oldest})`
const isPlaced = '($2::text is null or exists (select 1 from place))'

/**
 * An owner's threads, newest first; no row when the place is not one of them. $1 owner, $2 the thread after
 * whose place the page begins (null = the first page), $3 maximum number
 */
export const threadsSql = `with ${place} select ${page('c.user_id = $1')} where ${isPlaced}`

/** The threads forked from a thread; no row when it is missing or another person's. $4 thread */
export const childrenSql = `with ${place}
select ${page('b.chat_id = t.chat_id and b.parent_branch_id = t.id')}
from (select t.chat_id, t.id from branches t join chats c on c.id = t.chat_id and c.user_id = $1 where t.id = $4 ${oldest}) t
where ${isPlaced}`

/** The chat of a thread: its key, and the owner's id for it. $1 thread, $2 owner */
export const chatOfSql = thread(`t.chat_id as "chatId", ${publicId('c')} as called`)

/**
 * The head and status of a thread, as a `HeadRow`. Only replies to its head on this thread count, not those
 * of another thread to the same message.
 */
export const headSql = `select t.chat_id as "chatId", h.id as "headMessageId", h.name, h.status,
  (select e.event_number from events e where e.chat_id = t.chat_id and e.stream_id = t.id
    order by e.event_number desc limit 1) as "eventNumber",
  exists (select 1 from runs r where r.chat_id = t.chat_id and r.branch_id = t.id and r.status in ('queued', 'running'))
    as running,
  (select r.status from runs r where r.chat_id = t.chat_id and r.branch_id = t.id and r.reply_to = h.id
    order by r.created_at desc, r.id desc limit 1) as "lastRun"
from (${thread('t.*')}) t
left join messages h on h.chat_id = t.chat_id and h.lane = t.head_lane and h.depth = t.head_depth`

/**
 * Rows `of` events with the `data` of their messages: which of them each one is, how many bytes the ones before it hold,
 * and whether there are more than these.
 */
const sized = (of: string): string => `select p.*, row_number() over w as n,
  coalesce(sum(octet_length(p.data::text)) over (w rows between unbounded preceding and 1 preceding), 0) as before,
  count(*) over () as found
from (${of}) p window w as (order by p.event_number)`

/** Selects the rows `e` of a page. $4 maximum number, $5 bytes that end it */
const isOnPage = 'e.n <= $4::int and e.before < $5::int'

/** True when there is something after a row, on this page or not. */
const more = 'e.n < e.found as more'

/**
 * The messages of a thread's chain, those it inherits first, each with the number of the event that recorded
 * it: as `MessageRow`s in order. One row without an id when there are none. The thread's head at an event
 * gives the depth at which the page begins, so the cost of a page depends on its content and not on the
 * length of the chain; it begins higher up when the head was moved back since.
 *
 * $1 thread, $2 owner, $3 only after this event, $4 maximum number, $5 bytes that end the page
 */
export const messagesSql = `with recursive t as materialized (
  select o.*, o.lowest + $4::int as deepest from (
    ${thread(`t.chat_id, t.head_lane, t.head_depth, least(coalesce((select m.depth + 1 from messages m
      where m.chat_id = t.chat_id and m.id = (select head from thread_at(t.chat_id, t.id, $3::int))), 0),
      (select min(coalesce((select m.depth + 1 from messages m where m.chat_id = e.chat_id
          and m.id = e.payload ->> 'head_message_id'), 0)) from events e
        where e.chat_id = t.chat_id and e.stream_id = t.id and e.event_number > $3::int and e.type = 'HeadMoved')) as lowest`)}
  ) o
), s as (
  select g.chat_id, g.lane, g.parent_lane, g.base_depth, t.head_depth as top, t.lowest, t.deepest
  from t join lanes g on g.chat_id = t.chat_id and g.lane = t.head_lane
  union all
  select q.* from s cross join lateral (
    select g.chat_id, g.lane, g.parent_lane, g.base_depth, s.base_depth - 1, s.lowest, s.deepest from lanes g
    where g.chat_id = s.chat_id and g.lane = s.parent_lane limit 1) q
  where s.base_depth > s.lowest
), x as (
  select m.* from s cross join lateral (
    select m.chat_id, m.id, m.name, m.data, m.parent_id, m.created_at from messages m
    where m.chat_id = s.chat_id and m.lane = s.lane and m.depth between s.lowest and least(s.top, s.deepest) offset 0) m
), p as (
  ${sized(`select x.*, e.event_number from x cross join lateral (select e.event_number from events e
    where e.chat_id = x.chat_id and e.message_id = x.id and e.event_number > $3::int limit 1) e`)}
)
select e.event_number as "eventNumber", e.id, e.name, e.data, e.parent_id as "parentId",
  epoch_ms(e.created_at) as "createdAt", ${more}
from t left join p e on ${isOnPage} order by e.event_number`

/**
 * The events of a thread, inherited and own, as `EventRow`s in order; one row without a type when there are none. Up from
 * the thread to the ones it was forked from, each no further than its child inherits.
 *
 * $1 thread, $2 owner, $3 only after this event, $4 how many, $5 bytes that end the page
 */
export const eventsSql = `with recursive own as materialized (
  ${thread('t.chat_id, t.id, t.parent_branch_id, t.from_event_number')}
), t as (
  select chat_id, id, parent_branch_id, from_event_number, ${2 ** 31 - 1} as upto from own
  union all
  select p.chat_id, p.id, p.parent_branch_id, p.from_event_number, least(t.upto, t.from_event_number)
  from t join branches p on p.chat_id = t.chat_id and p.id = t.parent_branch_id
  where least(t.upto, t.from_event_number) > $3::int
), e as (
  select e.* from t cross join lateral (select * from events e
    where e.chat_id = t.chat_id and e.stream_id = t.id
      and e.event_number > greatest($3::int, t.from_event_number) and e.event_number <= t.upto
    order by e.event_number limit $4::int + 1) e
  order by e.event_number limit $4::int + 1
), p as (
  ${sized(`select e.*, m.data from e left join ${recorded} m on true`)}
)
select ${eventColumns}, e.data, ${more}
from own left join p e on ${isOnPage} order by e.event_number`
