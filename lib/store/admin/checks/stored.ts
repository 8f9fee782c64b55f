import { advice, type Check } from './check'

/** What is noted of what persons have stored, for quotas. */
export const storedChecks: Check[] = [
  {
    invariant: 'stored-totals',
    advice: advice.stored,
    sql: (within) => `
select coalesce(t.a_chat, '-') as chat, 'person ' || s.user_id as thing,
  format('has %s bytes in %s chats, but %s in %s are noted', t.bytes, t.chats, s.bytes, s.chats) as problem
from quota_person s left join lateral (
  select min(c.id) as a_chat, coalesce(sum(chat_bytes(c.id)), 0) as bytes, count(*) as chats
  from chats c where c.user_id = s.user_id) t on true
where s.bytes is not null and (s.bytes, s.chats) is distinct from (t.bytes, t.chats)
  and (${within("''")} or exists (select 1 from chats c where c.user_id = s.user_id and ${within('c.id')}))`,
  },
]
