import { advice, type Check } from './check'

/** Checks of data derived from messages: the words that find them, and the sums of people's stored data. */
export const derivedChecks: Check[] = [
  {
    invariant: 'search-is-complete',
    advice: advice.search,
    sql: (within) => `
select m.chat_id as chat, 'message ' || m.id as thing,
  'is not among what can be searched, though its chat was indexed further' as problem
from (
  select m.chat_id, m.lane, m.depth from search_progress p
  join events e on e.chat_id = p.chat_id and e.seq <= p.seq and e.message_id is not null
  join messages m on m.chat_id = e.chat_id and m.id = e.message_id
  where ${within('p.chat_id')}
  except
  -- a difference is never looked up: there is no index of places
  select s.chat_id, s.lane, s.depth from message_search s where ${within('s.chat_id')}
) missing join messages m using (chat_id, lane, depth)`,
  },
  {
    invariant: 'search-holds-messages-once',
    advice: advice.search,
    sql: (within) => `
select s.chat_id as chat, 'message ' || min(m.id) as thing, format('is found %s times', count(*)) as problem
from message_search s join messages m on m.chat_id = s.chat_id and m.lane = s.lane and m.depth = s.depth
where ${within('s.chat_id')} group by s.chat_id, s.lane, s.depth having count(*) > 1`,
  },
  {
    invariant: 'stored-totals',
    advice: advice.stored,
    sql: (within) => `
select coalesce(t.a_chat, '-') as chat, 'person ' || s.user_id as thing,
  format('has %s bytes in %s chats, but %s in %s are noted', t.bytes, t.chats, s.bytes, s.chats) as problem
from quota_person s left join lateral (
  select min(c.id) as a_chat, coalesce(sum(chat_bytes(c.id)), 0) + file_bytes(s.user_id) as bytes, count(*) as chats
  from chats c where c.user_id = s.user_id) t on true
where s.bytes is not null and (s.bytes, s.chats) is distinct from (t.bytes, t.chats)
  and (${within("''")} or exists (select 1 from chats c where c.user_id = s.user_id and ${within('c.id')}))`,
  },
]
