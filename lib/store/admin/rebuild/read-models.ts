import type { Database } from '@/lib/db'
import type { ChatId } from '@/lib/events'
import type { Difference } from './compare-refs'

/** Chats whose usage differs from their log up to the follower's place. */
export async function compareUsage(database: Database, chatIds: readonly ChatId[]): Promise<Difference[]> {
  const rows = await database.query<{
    chatId: string
    branch: string
    model: string
    is: string
    log: string
  }>(usageSql, [JSON.stringify(chatIds)])
  return rows.map(({ chatId, branch, model, is, log }) => ({
    chatId,
    thing: `branch ${branch}`,
    what: `its use of ${model}`,
    is,
    log,
  }))
}

/** Branches of agents that are not listed, and branches that are listed with a message of another branch. */
export async function compareAgents(database: Database, chatIds: readonly ChatId[]): Promise<Difference[]> {
  const rows = await database.query<{ chatId: string; branch: string; is: string; log: string }>(agentsSql, [
    JSON.stringify(chatIds),
  ])
  return rows.map(({ chatId, branch, is, log }) => ({
    chatId,
    thing: `branch ${branch}`,
    what: 'the last message of its agent',
    is,
    log,
  }))
}

/** Chats with a message that search does not know, although the chat is indexed beyond it. */
export async function compareSearch(database: Database, chatIds: readonly ChatId[]): Promise<Difference[]> {
  const rows = await database.query<{ chatId: string; count: number }>(searchSql, [JSON.stringify(chatIds)])
  return rows.map(({ chatId, count }) => ({
    chatId,
    thing: 'its search',
    what: 'the number of messages that cannot be found',
    is: `${count}`,
    log: '0',
  }))
}

/** Forgets the words of some chats' messages, to index them again. */
export async function forgetSearch(database: Database, chatIds: readonly ChatId[]): Promise<void> {
  await database.query('select forget_search($1::json)', [JSON.stringify(chatIds)])
}

/** Makes everything that was said in some chats searchable. */
export async function indexSearch(database: Database, chatIds: readonly ChatId[]): Promise<void> {
  await database.query('select index_search($1::json)', [JSON.stringify(chatIds)])
}

const inWords = (row: string) =>
  `case when ${row}.model is null then 'nothing' else format('%s replies, %s tokens in, %s cached, %s written, %s out',
    ${row}.replies, ${row}.input_tokens, ${row}.cached_tokens, ${row}.cache_write_tokens, ${row}.output_tokens) end`

/** $1 chats */
const usageSql = `
select c.id as "chatId", d.branch_id as branch, d.model, d.is, d.log
from json_array_elements_text($1::json) c(id) cross join lateral (
  select branch_id, model, ${inWords('u')} as is, ${inWords('l')} as log
  from (select * from usage where chat_id = c.id) u full join usage_by_log(c.id) l using (branch_id, model)
  where (u.replies, u.input_tokens, u.cached_tokens, u.cache_write_tokens, u.output_tokens)
    is distinct from (l.replies, l.input_tokens, l.cached_tokens, l.cache_write_tokens, l.output_tokens)
) d`

/** $1 chats */
const agentsSql = `
select d.chat_id as "chatId", d.branch, coalesce(d.is, 'none') as is, coalesce(d.log, 'none') as log
from json_array_elements_text($1::json) c(id) cross join lateral (
  select c.id as chat_id, coalesce(g.branch_id, l.branch_id) as branch, g.message_id as is, l.message_id as log
  from (select branch_id, message_id from agent_branches where chat_id = c.id) g
  full join (select distinct on (e.stream_id) e.stream_id as branch_id, e.message_id
    from agent_nodes a join events e on e.chat_id = a.chat_id and e.message_id = a.message_id
    where a.chat_id = c.id order by e.stream_id, e.event_number desc) l on l.branch_id = g.branch_id
  where g.branch_id is null or not exists (select 1 from events e
    where e.chat_id = c.id and e.message_id = g.message_id and e.stream_id = g.branch_id)) d`

/** $1 chats. Only of messages without words is the event looked up. */
const searchSql = `
select m.chat_id as "chatId", count(*)::int as count
from json_array_elements_text($1::json) c(id) join search_progress p on p.chat_id = c.id
join messages m on m.chat_id = c.id
left join message_search s on s.chat_id = m.chat_id and s.lane = m.lane and s.depth = m.depth
where s.chat_id is null
  and exists (select 1 from events e where e.chat_id = m.chat_id and e.message_id = m.id and e.seq <= p.seq)
group by m.chat_id`
