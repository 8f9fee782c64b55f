import type { EventType } from '@/lib/events'
import type { Movement } from '@/lib/protocol'
import { messageCalled } from './chain-sql'

const kinds = {
  ThreadCreated: 'opened',
  UserMessageAdded: 'message',
  LLMResponseGenerated: 'message',
  MessageCopied: 'message',
  HeadMoved: 'headed',
  BranchSwitched: 'switched',
  BranchRenamed: 'renamed',
  BranchArchived: 'archived',
  BranchRestored: 'restored',
  CheckpointSaved: 'saved',
  CheckpointMoved: 'moved',
  CheckpointRemoved: 'removed',
} as const satisfies Partial<Record<EventType, Movement['kind']>>

type MovingType = keyof typeof kinds

/** The events that move something; the others say something about a message, a run or the chat. */
export const movingTypes = Object.keys(kinds)

/** An event that moved a ref, as `movementsSql` selects it: columns that its type lacks are null. */
export type MovementRow = [
  seq: number,
  at: number,
  type: MovingType,
  branchId: string,
  lane: number | null,
  depth: number | null,
  name: string,
  checkpointId: string | null,
  parentBranchId: string | null,
]

/**
 * $1 chat, $2 owner, $3 after this event, $4 types. Messages are named by their place, which the keys know without their
 * bodies. A branch knows its parent from its first event on, as it was opened there.
 */
export const movementsSql = `
select c.last_seq::float8 as seq, (
  select coalesce(json_agg(json_build_array(e.seq, epoch_ms(e.created_at), e.type,
      coalesce(e.payload ->> 'branch_id', e.stream_id), m.lane, m.depth, e.payload ->> 'name',
      e.payload ->> 'checkpoint_id', b.parent_branch_id) order by e.seq), '[]')
  from events e
  left join ${messageCalled('e.chat_id', "coalesce(e.message_id, e.payload ->> 'head_message_id', e.payload ->> 'message_id')")} m
    on true
  left join lateral (select b.parent_branch_id from branches b
    where e.type = 'ThreadCreated' and b.chat_id = e.chat_id and b.id = e.stream_id limit 1) b on true
  where e.chat_id = c.id and e.seq > $3 and e.type = any ($4)) as movements
from chats c where c.id = $1 and c.user_id = $2`

export function toMovement(row: MovementRow): Movement {
  const [seq, at, type, branchId, lane, depth, name, checkpointId, from] = row
  const base = { seq, at }
  const kind = kinds[type]
  const place = () => {
    if (lane === null || depth === null)
      throw new Error(`Event ${seq}, ${type}, names no message: run db:check`)
    return { lane, depth }
  }
  switch (kind) {
    case 'message':
      return { ...base, kind, branchId, place: place() }
    case 'headed':
      return { ...base, kind, branchId, place: lane === null ? null : place() }
    case 'opened':
      return { ...base, kind, branchId, name, from, place: lane === null ? null : place() }
    case 'renamed':
      return { ...base, kind, branchId, name }
    case 'archived':
    case 'restored':
    case 'switched':
      return { ...base, kind, branchId }
    case 'saved':
      return { ...base, kind, name, checkpointId, place: place() }
    case 'moved':
      return { ...base, kind, name, place: place() }
    case 'removed':
      return { ...base, kind, name }
  }
}
