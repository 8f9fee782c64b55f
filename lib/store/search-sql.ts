import { publicId } from './public-id'

/**
 * The words of a text as a `tsquery` that wants all of them, each as a word or the beginning of one; null when there is
 * no word in it. Operators and wildcards are punctuation, and punctuation is no word.
 */
export const wordsOf = (text: string): string => `(
  select string_agg('''' || replace(replace(w, '\\', '\\\\'), '''', '''''') || ''':*', ' & ')::tsquery
  from unnest(tsvector_to_array(to_tsvector('simple', ${text}))) w)`

/** The part of a message that answers a `tsquery` best, as HTML: its text escaped, `<mark>` around what was found. */
export const snippetOf = (data: string, words: string): string => `ts_headline('simple',
  replace(replace(replace(left(message_text(${data}), 100000), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), ${words},
  'StartSel=<mark>, StopSel=</mark>, MaxFragments=1, MaxWords=24, MinWords=8, ShortWord=0')`

/**
 * Brings an owner's chats up to date for a search, the latest used first, until `$4` events have been looked through, and
 * prepares the search itself: its words, null when there is none (then nothing is done); whether the chat asked for is
 * the owner's; and whether chats are left that lag.
 *
 * Chats are locked against deletion, and in the order of their ids, so that neither that nor another search can be
 * waited for in a circle. `last_seq` tells most chats that lag without a look at their log.
 *
 * $1 owner, $2 what is searched, $3 only this chat (null = all), $4 how many events at most, at least one chat
 */
export const catchUpSql = `with words as materialized (select ${wordsOf('$2')} as wanted),
lagging as materialized (
  select c.id, sum(c.last_seq - coalesce(p.seq, 0)) over (order by c.updated_at desc, c.id) as events_so_far,
    c.last_seq - coalesce(p.seq, 0) as events
  from chats c left join search_progress p on p.chat_id = c.id
  where c.user_id = $1 and ($3::text is null or c.id = $3) and c.last_seq > coalesce(p.seq, 0)
    and (select wanted from words) is not null
    and exists (select 1 from events e
      where e.chat_id = c.id and e.seq > coalesce(p.seq, 0) and e.message_id is not null)
)
select wanted::text as words,
  $3::text is null or exists (select 1 from chats where id = $3 and user_id = $1) as known,
  exists (select 1 from lagging where events_so_far - events >= $4) as partial,
  (select coalesce(sum(index_search(due.id)), 0)::int from (
    select c.id from chats c where c.id in (select id from lagging where events_so_far - events < $4)
    order by c.id for key share skip locked) due) as indexed
from words`

/** Matches that are ranked at most; to rank every message with an `a` in it would take seconds, and say nothing. */
const MOST_RANKED = 10_000

/**
 * What an owner's messages say of some words, best first, each with the branch to read it on. Of very many matches only
 * those in the chats used latest are looked at. The branches that hold a message are found downwards, from its lane to
 * the lanes that hang below it. Asks for one row more than wanted.
 *
 * The words decide the plan: rare ones are looked up in the index, and of a person with little to search all is read.
 *
 * $1 owner, $2 words, $3 only this chat (null = all), $4 roles (null = all), $5 how many, $6 how many to leave out
 */
export const searchSql = `
select ${publicId('c')} as "chatId", c.title as "chatTitle", r.id as "messageId", r.name as role,
  epoch_ms(r.created_at) as "createdAt", b.branch, r.rank, ${snippetOf('m.data', '$2::tsquery')} as snippet
from (
  select m.chat_id, m.lane, m.depth, m.id, m.name, m.created_at, ts_rank(f.words, $2::tsquery)::float8 as rank
  from (
    select s.chat_id, s.lane, s.depth, s.words
    from chats c join message_search s on s.chat_id = c.id and s.words @@ $2::tsquery
    where c.user_id = $1 and ($3::text is null or c.id = $3)
      and ($4::text[] is null or exists (select 1 from messages m
        where m.chat_id = s.chat_id and m.lane = s.lane and m.depth = s.depth and m.name = any ($4)))
    order by c.updated_at desc, c.id, s.lane desc, s.depth desc limit ${MOST_RANKED}) f
  join messages m on m.chat_id = f.chat_id and m.lane = f.lane and m.depth = f.depth
  order by rank desc, m.created_at desc, m.chat_id, m.lane, m.depth limit $5::int + 1 offset $6::int) r
join chats c on c.id = r.chat_id
join messages m on m.chat_id = r.chat_id and m.lane = r.lane and m.depth = r.depth
left join lateral (
  with recursive below as (
    select r.lane, r.depth
    union all
    select g.lane, g.base_depth from below q
    join lanes g on g.chat_id = r.chat_id and g.parent_lane = q.lane and g.parent_depth >= q.depth
  )
  select json_build_object('id', b.id, 'name', b.name) as branch
  from below q
  join branches b on b.chat_id = r.chat_id and b.head_lane = q.lane and b.head_depth >= q.depth
  join messages h on h.chat_id = b.chat_id and h.lane = b.head_lane and h.depth = b.head_depth
  order by b.archived_at is not null, h.created_at desc, b.created_at desc, b.id limit 1
) b on true
order by r.rank desc, r.created_at desc, r.chat_id, r.lane, r.depth`
