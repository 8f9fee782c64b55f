import type { BisectStanding, DrivenWork } from '@/lib/context'
import type { Database } from '@/lib/db'
import type { BisectId, BranchId, ChatId, UserId } from '@/lib/events'
import { asking } from './asking'

/** Reads bisects; writing one is part of a change (`ContextStore.commit`). */
export class BisectReads {
  readonly #ask: Database['query']

  constructor(database: Database) {
    this.#ask = asking(database)
  }

  /**
   * Open bisects of all chats without a reply being written, the longest waiting first. A judging model gets
   * its time from the process that asks it, before another process does.
   */
  due(limit: number): Promise<DrivenWork<BisectId>[]> {
    return this.#ask(
      `select p.chat_id as "chatId", p.id from bisects p
      where p.status = 'running' and not exists (select 1 from runs r where r.branch_id = p.branch_id
        and r.chat_id = p.chat_id and (r.status in ('queued', 'running')
          or (p.judge ->> 'kind' = 'model' and r.ended_at > clock_timestamp() - interval '70 seconds')))
      order by p.created_at limit $1`,
      [limit],
    )
  }

  /** The bisect whose run is on a branch. */
  async on(chatId: ChatId, branchId: BranchId): Promise<BisectId | undefined> {
    const [row] = await this.#ask<{ id: BisectId }>(
      `select id from bisects where chat_id = $1 and branch_id = $2 and status = 'running' limit 1`,
      [chatId, branchId],
    )
    return row?.id
  }

  /** @param ownerId with it, another person's chat has none */
  async standing(chatId: ChatId, bisectId: BisectId, ownerId?: UserId): Promise<BisectStanding | undefined> {
    const [row] = await this.#ask<{ standing: BisectStanding }>(
      `${standingSql} where p.chat_id = $1 and p.id = $2 and ($3::text is null or c.user_id = $3)`,
      [chatId, bisectId, ownerId ?? null],
    )
    return row?.standing
  }

  /** The bisects of a chat, the latest first. */
  async list(chatId: ChatId, ownerId: UserId): Promise<BisectStanding[]> {
    const rows = await this.#ask<{ standing: BisectStanding }>(
      `${standingSql} where p.chat_id = $1 and c.user_id = $2 order by p.created_at desc, p.id desc limit 50`,
      [chatId, ownerId],
    )
    return rows.map(({ standing }) => standing)
  }
}

const standingSql = `
select json_build_object(
  'chatId', p.chat_id, 'ownerId', c.user_id,
  'bisect', json_build_object('id', p.id, 'version', p.version, 'replyId', p.reply_id, 'questionId', p.question_id,
    'turns', p.turns, 'judge', p.judge, 'low', p.low, 'high', p.high, 'probe', p.probe, 'isWithout', p.is_without,
    'branchId', p.branch_id, 'askedId', p.asked_id, 'runs', p.runs, 'status', p.status, 'reason', p.reason,
    'foundId', p.found_id, 'confirmed', p.confirmed),
  'context', (select json_build_object('id', x.id, 'fragments', x.fragments, 'model', x.model, 'setup', x.setup)
    from messages q join contexts x on x.chat_id = q.chat_id and x.id = q.context_id
    where q.chat_id = p.chat_id and q.id = p.question_id),
  'model', (select m.data #>> '{metadata,model}' from messages m where m.chat_id = p.chat_id and m.id = p.reply_id),
  'head', (select json_build_object('id', h.id, 'name', h.name, 'status', h.status, 'data', h.data)
    from branches b join messages h on h.chat_id = b.chat_id and h.lane = b.head_lane and h.depth = b.head_depth
    where b.chat_id = p.chat_id and b.id = p.branch_id),
  'runId', (select l.id from runs l where l.chat_id = p.chat_id and l.branch_id = p.branch_id
    and l.status in ('queued', 'running') limit 1),
  'failure', (select r.error ->> 'message' from runs r where r.chat_id = p.chat_id and r.branch_id = p.branch_id
    and r.reply_to = p.asked_id order by r.created_at desc, r.id desc limit 1),
  'createdAt', epoch_ms(p.created_at), 'endedAt', epoch_ms(p.ended_at)
) as standing
from bisects p join chats c on c.id = p.chat_id`
