/** Stands between changes: JSON never holds it unescaped. */
export const BETWEEN = '\u001d'

/** Times that an import may kill its process before it is ended: a file that does so takes everyone's server with it. */
const ATTEMPTS = 2

/** An import as it is told. */
export const columns = `i.id, i.name, i.size::float8 as size, i.source, i.status, i.reason, i.place,
  i.chats_imported::float8 as "chatsImported", i.chats_unchanged::float8 as "chatsUnchanged",
  i.chats_left::float8 as "chatsLeft",
  i.messages_found::float8 as "messagesFound", i.messages_imported::float8 as "messagesImported",
  i.messages_skipped::float8 as "messagesSkipped", i.problems, i.problem_count as "problemCount", i.chats,
  epoch_ms(i.created_at) as "createdAt", epoch_ms(i.ended_at) as "endedAt"`

/**
 * A running import keeps new ones of its person waiting also when its lease is over: it is locked and passed over while its
 * process writes, which may take longer than the lease. One whose process holds its name (`Imports.attend`) is passed over for
 * ten leases more: a process that is too busy to renew a lease is not dead. $1 lease in ms
 */
export const claimSql = `
with given as materialized (select $1::float8 * interval '1 millisecond' as lease),
attended as materialized (
  select w.id from given, imports w join pg_locks l on l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select d.oid from pg_database d where d.datname = current_database())
    and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('import ' || w.id, 0)
  where w.status = 'running' and w.lease_until < clock_timestamp() and w.lease_until > clock_timestamp() - 10 * given.lease),
failed as (
  update imports set status = 'failed', ended_at = clock_timestamp(), lease_until = null,
    reason = 'The server stopped ${ATTEMPTS} times while it read this file, so it is not tried again. What was imported '
      'before stays. Import the file in parts, or one chat at a time; the chat that it stopped at may be too large.'
  where ended_at is null and status = 'running' and lease_until < clock_timestamp() and attempts >= ${ATTEMPTS}
    and id not in (select id from attended) returning id),
next as (
  select w.id from given, imports w where w.ended_at is null and w.status in ('queued', 'running')
    and (w.lease_until is null or w.lease_until < clock_timestamp())
    and w.id not in (select id from attended union all select id from failed)
    and not exists (select 1 from imports o where o.ended_at is null and o.user_id = w.user_id and o.id <> w.id
      and o.id not in (select id from failed)
      and o.status = 'running' and (w.status = 'queued' or o.lease_until >= clock_timestamp()))
  order by w.status = 'running' desc, w.created_at, w.id limit 1 for update of w skip locked)
update imports i set status = 'running', fence = fence + 1, attempts = attempts + 1, lease_until = clock_timestamp() + given.lease
from given, next where i.id = next.id
returning i.id, i.user_id as "ownerId", i.name, i.source, i.place, i.choice, i.fence`

/**
 * Writes chats of an import and notes how far it has come, at once: after a crash it goes on where it was, and counts nothing
 * twice. The chats that are here already are locked before the first is written: a write of the person holds its chat and waits
 * for the person's quota, which the first change takes. $1 import, $2 owner, $3 fence, $4 lease in ms, $5 progress, $6 changes,
 * $7 what they use, $8 their bodies
 */
export const advanceSql = `
with moved as (
  update imports i set place = u.place, chats_imported = i.chats_imported + u."chatsImported",
    chats_unchanged = i.chats_unchanged + u."chatsUnchanged", chats_left = i.chats_left + u."chatsLeft",
    messages_found = i.messages_found + u."messagesFound", messages_imported = i.messages_imported + u."messagesImported",
    messages_skipped = i.messages_skipped + u."messagesSkipped", problem_count = i.problem_count + u."problemCount",
    problems = case when json_array_length(i.problems) >= 500 then i.problems else (i.problems::jsonb || u.problems)::json end,
    chats = case when json_array_length(i.chats) >= 20 then i.chats else (i.chats::jsonb || u.chats)::json end,
    attempts = 0, lease_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
  from json_to_record($5::json) as u(place int, "chatsImported" bigint, "chatsUnchanged" bigint, "chatsLeft" bigint,
    "messagesFound" bigint, "messagesImported" bigint, "messagesSkipped" bigint, "problemCount" int, problems jsonb, chats jsonb)
  where id = $1 and user_id = $2 and status = 'running' and fence = $3 returning 1),
given as materialized (
  select * from unnest(string_to_array($6, chr(29)), string_to_array($7, chr(29)), string_to_array($8, chr(29)))
    as x(change, uses, bodies) where exists (select from moved)),
held as materialized (
  select count(*) from (select from chats where id in (select change::json ->> 'chatId' from given)
    order by id for no key update) h)
select exists (select from moved) as done,
  (select count(append_changes(change::json, bodies, nullif(uses, '')::json)) from held, given)`
