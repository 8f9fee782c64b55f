import { randomUUID } from 'node:crypto'
import type { Database } from '@/lib/db'
import type { Graph, GraphAgent, GraphNode, GraphReplay } from '@/lib/protocol'
import { messageAt, messageCalled, recorded } from './chain-sql'
import { graphAgents } from './graph-agents'
import { graphReplays } from './replay-reads'
import { publicId } from './rows'

/** Separates the values of a message; a random one replaces it when a value contains it. */
const SEPARATOR = '\u001f'

interface GraphHead extends Omit<Graph, 'nodes' | 'contextChanges' | 'replays' | 'agents'> {
  replays: GraphReplay[] | null
  agents: GraphAgent[] | null
  contextChanges: string[] | null
  /** by id, separated by blanks */
  holds: Record<string, string> | null
  /** by id, of the few that have them */
  mergeParents: Record<string, string> | null
  copies: Record<string, string> | null
}

type GraphRow = { graph: GraphHead; node: null } | { graph: null; node: string }

/**
 * The skeleton of an owner's chat: whole, or the messages and lanes written after event `since`, or without its messages
 * when the log is longer than `upTo`.
 *
 * A message comes as one text in a row of its own. For the columns of 10,000 messages, each as one long text, the server
 * needs memory that it takes anew, page by page, for every graph: that took it four times as long, and nothing was read here
 * meanwhile. Heads are looked up one by one: a join would hash every message.
 */
export async function readGraph(
  ask: Database['query'],
  chatId: string,
  ownerId: string,
  { since, upTo }: { since?: number; upTo?: number },
  separator = SEPARATOR,
): Promise<Graph | undefined> {
  const sql =
    since !== undefined
      ? graphSql(newNodes, newLanes)
      : graphSql(upTo === undefined ? allNodes : fewNodes, allLanes)
  const limit = since ?? upTo
  const rows = await ask<GraphRow>(sql, [chatId, ownerId, separator, ...(limit === undefined ? [] : [limit])])
  const head = rows.find(({ graph }) => graph !== null)?.graph
  if (!head) return undefined
  const { contextChanges, replays, agents, holds, mergeParents, copies, ...graph } = head
  const nodes: GraphNode[] = []
  for (const { node } of rows) {
    if (node === null) continue
    const values = node.split(separator)
    if (values.length !== VALUES) return readGraph(ask, chatId, ownerId, { since, upTo }, randomUUID())
    nodes.push(nodeOf(values, { holds, mergeParents, copies }))
  }
  const marks = {
    ...(contextChanges && { contextChanges }),
    ...(replays && { replays }),
    ...(agents && { agents }),
  }
  return { ...graph, ...marks, nodes }
}

/** The values of a message, as `nodeText` has them. */
const VALUES = 7
const nodeText = `concat_ws($3, m.lane, m.depth, epoch_ms(m.created_at), coalesce(m.status, 'done'), m.id, m.name, m.preview)`

function nodeOf(
  values: readonly string[],
  { holds, mergeParents, copies }: Pick<GraphHead, 'holds' | 'mergeParents' | 'copies'>,
): GraphNode {
  const [lane, depth, createdAt, status, id = '', role = '', preview = ''] = values
  return {
    id,
    lane: Number(lane),
    depth: Number(depth),
    role,
    preview,
    status: status as GraphNode['status'],
    createdAt: Number(createdAt),
    ...(holds?.[id] && { holds: holds[id].split(' ') as GraphNode['holds'] }),
    ...(mergeParents?.[id] && { mergeParentId: mergeParents[id] }),
    ...(copies?.[id] && { copiedFromId: copies[id] }),
  }
}

/** read from the index alone */
const allNodes = 'messages m where m.chat_id = c.id'
/** $4 only messages whose event came after this one; read from the log, at any length of the chat */
const newNodes = `events e cross join ${recorded} m
    where e.chat_id = c.id and e.seq > $4 and e.message_id is not null`

const allLanes = 'lanes g where g.chat_id = c.id'
/** a lane opens with its first message */
const newLanes = `${allLanes} and g.lane in (select m.lane from ${newNodes})`
/** $4 only when its log is no longer than this */
const fewNodes = `${allNodes} and c.last_seq <= $4`

/**
 * Messages in another context than their parent, ignoring the model. Most chats have one context or none:
 * then no message is looked at. Contexts are read only when two meet.
 */
const contextChanges = (nodes: string): string => `
  case when (select count(*) from contexts x where x.chat_id = c.id) > 1 then (
    select json_agg(d.id) from (
      select m.id, m.context_id as now, p.context_id as before
      from (select m.id, m.parent_id, m.context_id from ${nodes}) m
      cross join ${messageCalled('c.id', 'm.parent_id')} p
      where m.context_id <> p.context_id) d
    join contexts x on x.chat_id = c.id and x.id = d.now
    join contexts y on y.chat_id = c.id and y.id = d.before
    where x.fragments::text <> y.fragments::text or coalesce(x.setup::text, '') <> coalesce(y.setup::text, '')) end`

/** The chat, and its messages. $1 chat, $2 owner, $3 separator */
const graphSql = (nodes: string, lanes: string): string => `
select json_build_object(
  'chatId', ${publicId('c')}, 'seq', c.last_seq, 'title', c.title, 'activeBranchId', c.active_branch_id,
  'lanes', (select coalesce(json_agg(json_build_object('lane', g.lane, 'parentLane', g.parent_lane,
      'baseDepth', g.base_depth)), '[]') from ${lanes}),
  'branches', (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'title', b.title, 'headId', m.id,
      'parentBranchId', b.parent_branch_id, 'createdAt', epoch_ms(b.created_at), 'archivedAt', epoch_ms(b.archived_at),
      'model', x.model, 'leftOut', x.setup -> 'leftOut', 'failure', f.failure) order by b.created_at, b.id), '[]')
    from branches b
    left join ${messageAt('b.chat_id', 'b.head_lane', 'b.head_depth')} m on true
    left join lateral (select k.model, k.setup from contexts k where k.chat_id = b.chat_id and k.id = b.context_id
      offset 0) x on true
    left join lateral (select r.error as failure from runs r
      where r.chat_id = b.chat_id and r.branch_id = b.id and r.reply_to = m.id
      order by r.created_at desc, r.id desc limit 1) f on m.name = 'user'
    where b.chat_id = c.id),
  'checkpoints', (select coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'messageId', m.id,
      'createdAt', epoch_ms(k.created_at)) order by k.created_at, k.id), '[]')
    from checkpoints k cross join ${messageAt('k.chat_id', 'k.lane', 'k.depth')} m
    where k.chat_id = c.id),
  'runs', (select coalesce(json_agg(json_build_object('runId', r.id, 'branchId', r.branch_id, 'replyTo', r.reply_to,
      'replyId', r.reply_id, 'model', r.model)), '[]') from runs r where r.chat_id = c.id and r.status in ('queued', 'running')),
  'replays', ${graphReplays('c.id')},
  'agents', ${graphAgents('c.id')},
  'contextChanges', ${contextChanges(nodes)},
  -- most messages hold nothing but text, and these alone are in an index
  'holds', (select json_object_agg(m.id, m.holds) from ${nodes} and m.holds is not null),
  'mergeParents', (select json_object_agg(m.id, m.merge_parent_id) from ${nodes} and m.merge_parent_id is not null),
  'copies', (select json_object_agg(m.id, m.copied_from_id) from ${nodes} and m.copied_from_id is not null)
) as graph, null as node
from chats c where c.id = $1 and c.user_id = $2
union all
select null, n.node from chats c cross join lateral (select ${nodeText} as node from ${nodes}) n
where c.id = $1 and c.user_id = $2`

/** $1 chat, $2 after this event: removed checkpoints, ended runs. A run ends with its reply, or an event with the reason. */
export const goneSql = `
select (select coalesce(json_agg(distinct e.payload ->> 'name'), '[]') from events e
    where e.chat_id = $1 and e.seq > $2 and e.type = 'CheckpointRemoved'
      and not exists (select 1 from checkpoints k where k.chat_id = e.chat_id and k.name = e.payload ->> 'name'))
    as "removedCheckpoints",
  (select coalesce(json_agg(distinct r.id), '[]') from (
      select m.run_id as id from events e cross join ${recorded} m
      where e.chat_id = $1 and e.seq > $2 and m.run_id is not null
      union all
      select e.payload ->> 'run_id' from events e
      where e.chat_id = $1 and e.seq > $2 and e.type in ('ReplyStopped', 'ReplyFailed')) r)
    as "endedRuns"`

/**
 * For each of these chats a value that changes whenever its log grows or another set of replies is being
 * written; none for a missing chat. One statement, from indexes alone: it is asked every few seconds.
 */
export async function chatVersions(
  database: Database,
  chatIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database.query<{ id: string; version: string }>(versionsSql, [chatIds])
  return new Map(rows.map(({ id, version }) => [id, version]))
}

// a run that answers an old message anew writes no event, and no more does a replay that is paused
const versionsSql = `
select c.id, c.last_seq || ' ' || coalesce((select string_agg(r.id, ' ' order by r.id) from runs r
  where r.chat_id = c.id and r.status in ('queued', 'running')), '')
  || coalesce((select ' ' || sum(p.version) from replays p where p.chat_id = c.id), '') as version
from chats c where c.id = any ($1::text[])`
