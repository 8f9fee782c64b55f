import { advice, type Check } from './check'

/** The last event of each of these types, by what it moved. */
const last = (by: string, types: string[], within: string) => `(
  select distinct on (e.chat_id, ${by}) e.chat_id, ${by} as key, e.type, e.payload, e.message_id from events e
  where e.type in (${types.map((type) => `'${type}'`).join(', ')}) and ${within}
  order by e.chat_id, ${by}, e.seq desc)`

const differs = (thing: string, what: string, is: string, log: string) =>
  `${thing} as thing, format('${what} is %s, but the log says %s', coalesce(${is}, 'none'), coalesce(${log}, 'none')) as problem`

const headByLog = `case when r.type = 'HeadMoved' then r.payload ->> 'head_message_id'
  else coalesce(r.message_id, t.payload ->> 'head_message_id') end`

/** Refs stand where the last event that moved them says. */
export const refChecks: Check[] = [
  {
    invariant: 'head-follows-log',
    advice: advice.refs,
    sql: (within) => `
select b.chat_id as chat, ${differs(`'branch ' || b.name`, 'its head', 'm.id', headByLog)}
from branches b
left join messages m on m.chat_id = b.chat_id and m.lane = b.head_lane and m.depth = b.head_depth
left join ${last('e.stream_id', ['UserMessageAdded', 'LLMResponseGenerated', 'MessageCopied', 'HeadMoved'], within('e.chat_id'))} r
  on r.chat_id = b.chat_id and r.key = b.id
left join ${last('e.stream_id', ['ThreadCreated'], within('e.chat_id'))} t on t.chat_id = b.chat_id and t.key = b.id
where ${within('b.chat_id')} and m.id is distinct from ${headByLog}`,
  },
  {
    invariant: 'branch-name-follows-log',
    advice: advice.refs,
    sql: (within) => `
select b.chat_id as chat, ${differs(`'branch ' || b.id`, 'its name', 'b.name', `coalesce(r.payload, t.payload) ->> 'name'`)}
from branches b
left join ${last(`e.payload ->> 'branch_id'`, ['BranchRenamed'], within('e.chat_id'))} r
  on r.chat_id = b.chat_id and r.key = b.id
left join ${last('e.stream_id', ['ThreadCreated'], within('e.chat_id'))} t on t.chat_id = b.chat_id and t.key = b.id
where ${within('b.chat_id')} and coalesce(r.payload, t.payload) ->> 'name' is distinct from b.name`,
  },
  {
    invariant: 'branch-title-follows-log',
    advice: advice.refs,
    sql: (within) => `
select b.chat_id as chat, ${differs(`'branch ' || b.name`, 'its title', 'b.title', `r.payload ->> 'title'`)}
from branches b
left join ${last(`e.payload ->> 'branch_id'`, ['BranchTitled'], within('e.chat_id'))} r
  on r.chat_id = b.chat_id and r.key = b.id
where ${within('b.chat_id')} and r.payload ->> 'title' is distinct from b.title`,
  },
  {
    invariant: 'archive-follows-log',
    advice: advice.refs,
    sql: (within) => `
select b.chat_id as chat, 'branch ' || b.name as thing, format('%s archived, but the log says %s',
  case when b.archived_at is null then 'is not' else 'is' end, coalesce(r.type, 'nothing of it')) as problem
from branches b
left join ${last(`e.payload ->> 'branch_id'`, ['BranchArchived', 'BranchRestored'], within('e.chat_id'))} r
  on r.chat_id = b.chat_id and r.key = b.id
where ${within('b.chat_id')} and (b.archived_at is not null) <> (coalesce(r.type, '') = 'BranchArchived')`,
  },
  {
    invariant: 'branch-context-follows-log',
    advice: advice.refs,
    sql: (within) => `
select b.chat_id as chat, ${differs(`'branch ' || b.name`, 'its context', 'b.context_id', `r.payload ->> 'context_id'`)}
from branches b
left join ${last('e.stream_id', ['ThreadCreated', 'ContextChanged'], within('e.chat_id'))} r
  on r.chat_id = b.chat_id and r.key = b.id
where ${within('b.chat_id')} and r.payload ->> 'context_id' is distinct from b.context_id`,
  },
  {
    invariant: 'active-branch-follows-log',
    advice: advice.refs,
    sql: (within) => `
select c.id as chat, ${differs(`'the chat'`, 'its active branch', 'c.active_branch_id', `coalesce(r.payload ->> 'branch_id', t.stream_id)`)}
from chats c
left join ${last('e.stream_id', ['BranchSwitched'], within('e.chat_id'))} r on r.chat_id = c.id and r.key = c.id
left join events t on t.chat_id = c.id and t.seq = 1 and t.type = 'ThreadCreated'
where ${within('c.id')} and c.active_branch_id is distinct from coalesce(r.payload ->> 'branch_id', t.stream_id)`,
  },
  {
    invariant: 'steering-follows-log',
    advice: advice.refs,
    sql: (within) => `
select coalesce(s.chat_id, r.chat_id) as chat, ${differs(`'branch ' || coalesce(s.branch_id, r.key)`, 'where its agent is steered to', `concat(s.target_id, case when s.followed_at is not null then ' followed' end)`, `concat(r.payload ->> 'to_branch_id', case when r.type = 'AgentFollowed' then ' followed' end)`)}
from (select * from agent_steers s where ${within('s.chat_id')}) s
full join ${last(`e.payload ->> 'branch_id'`, ['AgentSteered', 'AgentFollowed'], within('e.chat_id'))} r
  on r.chat_id = s.chat_id and r.key = s.branch_id
where s.branch_id is null or r.key is null or s.target_id is distinct from r.payload ->> 'to_branch_id'
  or (s.followed_at is not null) <> (r.type = 'AgentFollowed')`,
  },
  {
    invariant: 'undo-follows-log',
    advice: advice.refs,
    sql: (within) => `
select c.id as chat, ${differs(`'the chat'`, 'what Undo and Redo find', `concat(c.undo_seq, ' ', c.redo_seq)`, `r.log`)}
from chats c
left join (select l.chat_id, case l.type
    when 'MoveMade' then concat(l.seq, ' ')
    when 'MoveUndone' then concat(l.payload ->> 'undo_seq', ' ', l.seq)
    else concat(l.seq, ' ', l.payload ->> 'redo_seq') end as log
  from (select distinct on (e.chat_id) e.* from events e
    where e.type in ('MoveMade', 'MoveUndone', 'MoveRedone') and ${within('e.chat_id')}
    order by e.chat_id, e.seq desc) l) r on r.chat_id = c.id
where ${within('c.id')} and concat(c.undo_seq, ' ', c.redo_seq) <> coalesce(r.log, ' ')`,
  },
  {
    invariant: 'title-follows-log',
    advice: advice.refs,
    sql: (within) => `
select c.id as chat, ${differs(`'the chat'`, 'its title', 'c.title', `r.payload ->> 'title'`)}
from chats c
left join ${last('e.stream_id', ['ChatRenamed'], within('e.chat_id'))} r on r.chat_id = c.id and r.key = c.id
where ${within('c.id')} and c.title is distinct from r.payload ->> 'title'`,
  },
  {
    invariant: 'metadata-follows-log',
    advice: advice.refs,
    sql: (within) => `
with merged as (
  select d.chat_id, jsonb_object_agg(d.key, d.value) as metadata from (
    select distinct on (e.chat_id, v.key) e.chat_id, v.key, v.value
    from events e cross join lateral jsonb_each(e.payload -> 'metadata') v
    where e.type = 'ChatUpdated' and ${within('e.chat_id')} order by e.chat_id, v.key, e.seq desc) d
  group by d.chat_id
)
select c.id as chat, ${differs(`'the chat'`, 'its metadata', 'c.metadata::text', 'd.metadata::text')}
from chats c left join merged d on d.chat_id = c.id
where ${within('c.id')} and c.metadata <> coalesce(d.metadata, '{}')`,
  },
  {
    invariant: 'checkpoint-follows-log',
    advice: advice.refs,
    sql: (within) => `
select coalesce(k.chat_id, r.chat_id) as chat, ${differs(`'checkpoint ' || coalesce(k.name, r.key)`, 'its message', 'k.id', `case when r.type = 'CheckpointRemoved' then null else r.payload ->> 'message_id' end`)}
from (select k.chat_id, k.name, coalesce(m.id, '(missing)') as id from checkpoints k
  left join messages m on m.chat_id = k.chat_id and m.lane = k.lane and m.depth = k.depth
  where ${within('k.chat_id')}) k
full join ${last(`e.payload ->> 'name'`, ['CheckpointSaved', 'CheckpointMoved', 'CheckpointRemoved'], within('e.chat_id'))} r
  on r.chat_id = k.chat_id and r.key = k.name
where k.id is distinct from case when r.type = 'CheckpointRemoved' then null else r.payload ->> 'message_id' end`,
  },
  // what a chat is called leads to it, and to no other of its owner's; `chats_public_id` sees to the rest
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
