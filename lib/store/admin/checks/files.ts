import { advice, type Check } from './check'

/** Files: whose they are, which chats hold them, and their bytes. */
export const fileChecks: Check[] = [
  {
    invariant: 'file-owner',
    advice: advice.files,
    sql: (within) => `
select h.chat_id as chat, 'file ' || h.file_id as thing, 'belongs to another person than its chat' as problem
from chat_files h join chats c on c.id = h.chat_id join files f on f.id = h.file_id
where ${within('h.chat_id')} and f.owner_id <> c.user_id`,
  },
  {
    invariant: 'file-is-held',
    advice: advice.links,
    sql: (within) => `
select m.chat_id as chat, 'message ' || m.id as thing, format('names the file %s, which its chat does not hold', f.id) as problem
from messages m join chats c on c.id = m.chat_id
cross join lateral json_array_elements(case when json_typeof(m.data) = 'object' and json_typeof(m.data -> 'parts') = 'array'
  then m.data -> 'parts' else '[]' end) p
join files f on f.owner_id = c.user_id and p ->> 'url' = '/api/files/' || f.id
left join chat_files h on h.chat_id = m.chat_id and h.file_id = f.id
where ${within('m.chat_id')} and m.name = 'user' and position('/api/files/' in m.data::text) > 0
  and json_typeof(p) = 'object' and h.file_id is null`,
  },
  {
    invariant: 'file-bytes',
    advice: advice.objects,
    sql: (within) => `
select coalesce(h.chat, '-') as chat, 'file ' || f.id as thing,
  format('has %s of %s bytes in %s pieces, or others than were uploaded', coalesce(b.size, 0), f.size, b.pieces) as problem
from files f
left join lateral (select min(chat_id) as chat from chat_files where file_id = f.id) h on true
left join lateral (select sum(octet_length(bytes)) as size, count(*) as pieces,
  encode(sha256(string_agg(bytes, ''::bytea order by number)), 'hex') as sha256 from file_chunks where file_id = f.id) b on true
where f.is_whole and (b.size, b.sha256) is distinct from (f.size::bigint, f.sha256)
  and (${within("''")} or exists (select 1 from chat_files c where c.file_id = f.id and ${within('c.chat_id')}))`,
  },
]
