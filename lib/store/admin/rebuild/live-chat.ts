import type { Database } from '@/lib/db'
import type { ChatId } from '@/lib/events'

/** The refs of a chat as they stand in the database, all of one moment. Times are ms since 1970. */
export interface LiveChat {
  id: ChatId
  title: string | null
  metadata: Record<string, unknown>
  activeBranchId: string
  nextLane: number
  lastSeq: number
  undoSeq: number | null
  redoSeq: number | null
  createdAt: number
  updatedAt: number
  /** the last event of its log; 0 when there is none */
  loggedSeq: number
  /** the first lane number no lane has: lanes are objects, the log does not tell them */
  freeLane: number
  branches: LiveBranch[]
  checkpoints: LiveCheckpoint[]
  steerings: LiveSteering[]
}

export interface LiveBranch {
  id: string
  name: string
  title: string | null
  /** null for an empty branch; `(missing)` for a branch whose head does not exist */
  messageId: string | null
  parentId: string | null
  fromEventNumber: number
  contextId: string | null
  createdAt: number
  archivedAt: number | null
}

export interface LiveCheckpoint {
  id: string
  name: string
  messageId: string
  savedAt: number
}

/** Steering of the agent on a branch: its next branch, or the one it went to; null when taken back. */
export interface LiveSteering {
  branchId: string
  toId: string | null
  at: number
  followedAt: number | null
}

/** The refs of some chats, by chat id; deleted chats are missing. */
export async function readLiveChats(
  database: Database,
  chatIds: readonly ChatId[],
): Promise<Map<ChatId, LiveChat>> {
  const rows = await database.query<LiveChat>(liveSql, [JSON.stringify(chatIds)])
  return new Map(rows.map((row) => [row.id, row]))
}

/** $1 chats */
const liveSql = `
select c.id, c.title, c.metadata, c.active_branch_id as "activeBranchId", c.next_lane as "nextLane",
  c.last_seq::float8 as "lastSeq", c.undo_seq::float8 as "undoSeq", c.redo_seq::float8 as "redoSeq", epoch_ms(c.created_at) as "createdAt", epoch_ms(c.updated_at) as "updatedAt",
  coalesce((select e.seq from events e where e.chat_id = c.id order by e.seq desc limit 1), 0)::float8 as "loggedSeq",
  coalesce((select g.lane + 1 from lanes g where g.chat_id = c.id order by g.lane desc limit 1), 0) as "freeLane",
  (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'title', b.title,
      'messageId', case when b.head_lane is not null then coalesce(m.id, '(missing)') end,
      'parentId', b.parent_branch_id, 'fromEventNumber', b.from_event_number, 'contextId', b.context_id,
      'createdAt', epoch_ms(b.created_at), 'archivedAt', epoch_ms(b.archived_at))), '[]')
    from branches b left join messages m on m.chat_id = b.chat_id and m.lane = b.head_lane and m.depth = b.head_depth
    where b.chat_id = c.id) as branches,
  (select coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'messageId', coalesce(m.id, '(missing)'),
      'savedAt', epoch_ms(k.created_at))), '[]')
    from checkpoints k left join messages m on m.chat_id = k.chat_id and m.lane = k.lane and m.depth = k.depth
    where k.chat_id = c.id) as checkpoints,
  (select coalesce(json_agg(json_build_object('branchId', s.branch_id, 'toId', s.target_id, 'at', epoch_ms(s.created_at),
      'followedAt', epoch_ms(s.followed_at))), '[]') from agent_steers s where s.chat_id = c.id) as steerings
from chats c where c.id in (select json_array_elements_text($1::json))`
