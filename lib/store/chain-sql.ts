/** Where a chain is read from: a message, or the head of a branch of one owner's chat. */
const heads = {
  // $1 chat, $2 message id, $3 how many at the end (null = all)
  message: `select m.lane, m.depth as top, greatest(0, m.depth + 1 - coalesce($3::int, m.depth + 1)) as lowest
    from messages m where m.chat_id = $1 and m.id = $2`,
  // $1 chat, $2 branch name or id (null = the active one), $3 how many, $4 owner, $5 only above this depth (null = all)
  branch: `select b.id as branch_id, b.head_lane as lane, least(b.head_depth, $5::int - 1) as top,
      greatest(0, least(b.head_depth, $5::int - 1) + 1 - $3::int) as lowest
    from chats c join branches b on b.chat_id = c.id
      and (b.name = $2 or b.id = coalesce($2, c.active_branch_id))
    where c.id = $1 and c.user_id = $4 order by (b.id = $2) desc limit 1`,
}

/**
 * A chain in one round trip, as a few range scans: one per lane it crosses (DESIGN.md §6, measured shape).
 * No ORDER BY: depth is dense, so the reader puts rows in place by index (sorting wide rows spills to disk).
 * `limit 1` and `offset 0` keep the planner off Materialize and Memoize. From a branch there is always one row
 * when the branch exists; its columns are null when the window is empty.
 */
export const chainSql = (columns: string, from: keyof typeof heads): string => `
with recursive h as materialized (${heads[from]}),
s as (
  (select g.lane, g.parent_lane, g.base_depth, h.top from h cross join lateral (
    select * from lanes g where g.chat_id = $1 and g.lane = h.lane limit 1) g)
  union all
  select q.* from s cross join lateral (
    select g.lane, g.parent_lane, g.base_depth, least(s.base_depth - 1, s.top) from lanes g
    where g.chat_id = $1 and g.lane = s.parent_lane limit 1) q
  where s.base_depth > (select lowest from h)
)
select ${from === 'branch' ? 'h.branch_id as "branchId", x.* from h left join' : 'x.* from'} (
  select y.* from s cross join lateral (
    select ${columns} from messages m
    where m.chat_id = $1 and m.lane = s.lane and m.depth between (select lowest from h) and s.top offset 0) y
) x ${from === 'branch' ? 'on true' : ''}`

export const messageColumns = `m.lane, m.depth, m.id, m.parent_id as "parentId", m.name, m.type, m.data, m.status,
  m.merge_parent_id as "mergeParentId", m.copied_from_id as "copiedFromId", m.context_id as "contextId",
  m.run_id as "runId", epoch_ms(m.created_at) as "createdAt"`
