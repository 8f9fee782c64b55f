export const messageColumns = `m.lane, m.depth, m.id, m.parent_id as "parentId", m.name, m.type, m.data, m.status,
  m.merge_parent_id as "mergeParentId", m.copied_from_id as "copiedFromId", m.context_id as "contextId",
  m.run_id as "runId", epoch_ms(m.created_at) as "createdAt"`

/**
 * A message, looked up by its id or its place. While the planner knows of short chats only, an index that it has to filter
 * looks as good as the right one, and each look-up reads the chat: the order leaves it none but the right one.
 */
export const messageCalled = (chat: string, id: string): string =>
  `lateral (select * from (select * from messages where chat_id = ${chat} and id >= ${id} order by id limit 1) f
    where f.id = ${id})`
export const messageAt = (chat: string, lane: string, depth: string): string =>
  `lateral (select * from (select * from messages where chat_id = ${chat} and lane = ${lane} and depth >= ${depth}
    order by depth limit 1) f where f.depth = ${depth})`

/** The message that an event records, looked up. */
export const recorded = messageCalled('e.chat_id', 'e.message_id')

/**
 * The lanes that a chain crosses, from its head's up to its root's, and its messages in them (DESIGN.md §6, measured
 * shape): a few range scans, one per lane.
 *
 * No ORDER BY: depth is dense, so the reader puts rows in place by index (sorting wide rows spills to disk). `limit 1`
 * and `offset 0` keep the planner off Materialize and Memoize. Every row of `s` brings its limits along: asking a CTE
 * for them again is felt in a short chain.
 *
 * @param head gives `lane`, `top` and `lowest`: where the chain ends, the deepest and the highest depth wanted
 */
export const lanesOf = (head: string): string => `s as (
  select g.lane, g.parent_lane, g.base_depth, h.top, h.lowest
    from ${head} h join lanes g on g.chat_id = $1 and g.lane = h.lane
  union all
  select q.* from s cross join lateral (
    select g.lane, g.parent_lane, g.base_depth, least(s.base_depth - 1, s.top), s.lowest from lanes g
    where g.chat_id = $1 and g.lane = s.parent_lane limit 1) q
  where s.base_depth > s.lowest
)`

export const messagesOf = (columns: string): string => `select y.* from s cross join lateral (
  select ${columns} from messages m
  where m.chat_id = $1 and m.lane = s.lane and m.depth between s.lowest and s.top offset 0) y`

/** The end of the chain of a message. $1 chat, $2 message id, $3 how many, $4 only above this depth (null = all) */
export const chainSql = `with recursive ${lanesOf(`(
  select lane, least(depth, $4::int - 1) as top, greatest(0, least(depth, $4::int - 1) + 1 - $3::int) as lowest
  from messages where chat_id = $1 and id = $2)`)}
${messagesOf(messageColumns)}`

/**
 * A branch of chat $1 by $2, its name or id, null for the active one: two lookups, for any number of
 * branches.
 *
 * @param first the field that wins when one branch has another's id as its name
 */
export const branchBy = (first: 'id' | 'name'): string => {
  const lookups = {
    id: 'select b as branch from branches b where b.chat_id = $1 and b.id = coalesce($2, c.active_branch_id)',
    name: 'select b as branch from branches b where b.chat_id = $1 and b.name = $2',
  }
  const second = first === 'id' ? 'name' : 'id'
  return `((${lookups[first]}) union all (${lookups[second]}) limit 1)`
}

/**
 * A window of a branch of one owner's chat. To the messages comes one row at depth -1, whose `id` is the branch's; it
 * comes alone when the window is empty, and no row at all when there is no such branch.
 *
 * $1 chat, $2 branch id or else its name (null = the active one), $3 how many, $4 owner, $5 only above this depth (null = all)
 */
export const windowSql = `with recursive h as materialized (
  select (branch).id, (branch).head_lane as lane, least((branch).head_depth, $5::int - 1) as top,
    greatest(0, least((branch).head_depth, $5::int - 1) + 1 - $3::int) as lowest
  from chats c cross join lateral ${branchBy('id')} q
  where c.id = $1 and c.user_id = $4
), ${lanesOf('h')}
${messagesOf(messageColumns)}
union all
select null, -1, id, null, null, null, null, null, null, null, null, null, null from h`

/**
 * The bodies of a branch's whole chain, and the branch itself: as one more row, at depth -1, with a `BranchRow` as its
 * `data`, because a column of its own would be read again for every message. No row at all when there is no such branch.
 *
 * $1 chat, $2 branch name or else its id (null = the active one)
 */
export const branchChainSql = `with recursive h as materialized (
  select branch, (branch).head_lane as lane, (branch).head_depth as top, 0 as lowest, c.active_branch_id
  from chats c cross join lateral ${branchBy('name')} q
  where c.id = $1
), ${lanesOf('h')}
${messagesOf('m.depth, m.data')}
union all
select -1, json_build_object('branch', branch_json(h.branch, m.id), 'active', (h.branch).id = h.active_branch_id)
from h left join messages m on m.chat_id = $1 and m.lane = h.lane and m.depth = h.top`
