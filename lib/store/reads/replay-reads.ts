import type { DrivenWork, OpenReplay } from '@/lib/context'
import type { Database } from '@/lib/db'
import type { BranchId, ChatId, ReplayId, UserId } from '@/lib/events'
import type { GraphReplay } from '@/lib/protocol'
import { asking } from './asking'
import { recorded } from './chain-sql'
import type { Spent } from './usage-reads'

/** A replay as it is listed. */
export interface ListedReplay extends GraphReplay {
  firstBranchId: BranchId
  contextId: string
  createdAt: number
  endedAt: number | null
  /** usage of its replies, by model */
  spent: Spent[]
}

/** Reads replays; writing one is part of a change (`ContextStore.commit`). */
export class ReplayReads {
  readonly #ask: Database['query']

  constructor(database: Database) {
    this.#ask = asking(database)
  }

  /** Open replays of all chats without a reply being written, the longest waiting first. */
  due(limit: number): Promise<DrivenWork<ReplayId>[]> {
    return this.#ask(
      `select p.chat_id as "chatId", p.id from replays p
      where p.status = 'running' and not exists (select 1 from runs r where r.branch_id = p.branch_id
        and r.chat_id = p.chat_id and r.status in ('queued', 'running'))
      order by p.created_at limit $1`,
      [limit],
    )
  }

  /** The open replay on a branch. */
  async on(chatId: ChatId, branchId: BranchId): Promise<ReplayId | undefined> {
    const [row] = await this.#ask<{ id: ReplayId }>(
      `select id from replays where chat_id = $1 and branch_id = $2 and status = 'running' limit 1`,
      [chatId, branchId],
    )
    return row?.id
  }

  /**
   * A replay, and the state of its branch.
   *
   * @param ownerId with it, another person's chat has none
   */
  async standing(chatId: ChatId, replayId: ReplayId, ownerId?: UserId): Promise<OpenReplay | undefined> {
    const [row] = await this.#ask<{ standing: OpenReplay }>(standingSql, [chatId, replayId, ownerId ?? null])
    return row?.standing
  }

  /** The latest 50 of a chat, as its graph shows them. */
  async shown(chatId: ChatId): Promise<GraphReplay[]> {
    const [row] = await this.#ask<{ replays: GraphReplay[] | null }>(
      `select ${graphReplays('$1')} as replays`,
      [chatId],
    )
    return row?.replays ?? []
  }

  /** A chat's replays, the latest first, with their usage; undefined for a missing or another person's chat. */
  async list(chatId: ChatId, ownerId: UserId): Promise<ListedReplay[] | undefined> {
    const [row] = await this.#ask<{ replays: ListedReplay[] }>(listSql, [chatId, ownerId])
    return row?.replays
  }
}

const shownColumns = (p: string): string => `'replayId', ${p}.id, 'branchId', ${p}.branch_id,
  'sourceBranchId', ${p}.source_branch_id, 'fromId', ${p}.questions ->> 0, 'asked', ${p}.asked,
  'total', json_array_length(${p}.questions), 'model', ${p}.model, 'status', ${p}.status, 'reason', ${p}.reason,
  'version', ${p}.version`

/** The latest replays of a chat, oldest first; null for none. */
export const graphReplays = (chat: string): string => `(
  select json_agg(json_build_object(${shownColumns('p')}) order by p.created_at, p.id)
  from (select * from replays where chat_id = ${chat} order by created_at desc, id desc limit 50) p)`

/** $1 chat, $2 replay, $3 owner or null. A message that a person has added is one after the last question, or any before the first. */
const standingSql = `
select json_build_object(
  'chatId', p.chat_id, 'ownerId', c.user_id, 'content', p.content,
  'replay', json_build_object('id', p.id, 'asked', p.asked, 'lastId', p.last_id, 'anyway', p.anyway, 'status', p.status,
    'reason', p.reason, 'version', p.version, 'total', json_array_length(p.questions)),
  'branch', json_build_object('branchId', b.id, 'branchName', b.name, 'headId', h.id,
    'isArchived', b.archived_at is not null,
    'head', case when h.id is not null then json_build_object('name', h.name, 'status', h.status, 'data', h.data) end),
  'context', (select json_build_object('id', x.id, 'fragments', x.fragments, 'model', x.model, 'setup', x.setup)
    from contexts x where x.chat_id = p.chat_id and x.id = b.context_id),
  'runId', l.id, 'isWriting', l.id is not null,
  'isWrittenOn', exists (select 1 from events e cross join ${recorded} m
    where e.chat_id = p.chat_id and e.stream_id = p.branch_id and m.name <> 'assistant' and m.id is distinct from p.last_id
      and e.event_number > coalesce((select q.event_number from events q where q.chat_id = p.chat_id
        and q.message_id = p.last_id and q.stream_id = p.branch_id), 0)),
  'failure', (select r.error ->> 'message' from runs r where r.chat_id = p.chat_id and r.branch_id = p.branch_id
    and r.reply_to = p.last_id order by r.created_at desc, r.id desc limit 1),
  'next', (select json_build_object('id', m.id, 'name', m.name, 'data', m.data) from messages m
    where m.chat_id = p.chat_id and m.id = p.questions ->> p.asked)
) as standing
from replays p join chats c on c.id = p.chat_id
join branches b on b.chat_id = p.chat_id and b.id = p.branch_id
left join messages h on h.chat_id = b.chat_id and h.lane = b.head_lane and h.depth = b.head_depth
left join runs l on l.chat_id = b.chat_id and l.branch_id = b.id and l.status in ('queued', 'running')
where p.chat_id = $1 and p.id = $2 and ($3::text is null or c.user_id = $3)`

/**
 * $1 chat, $2 owner. A replay's replies are the own replies of its branches: the branch it opened, and
 * branches that further attempts at a reply have opened.
 */
const listSql = `
select coalesce((select json_agg(json_build_object(${shownColumns('p')}, 'firstBranchId', p.first_branch_id,
    'contextId', p.context_id, 'createdAt', epoch_ms(p.created_at), 'endedAt', epoch_ms(p.ended_at),
    'spent', coalesce((
      with recursive own as (
        select k.id, k.parent_branch_id from branches k where k.chat_id = p.chat_id and k.id = p.branch_id
        union
        select k.id, k.parent_branch_id from own join branches k on k.chat_id = p.chat_id and k.id = own.parent_branch_id
        where own.id <> p.first_branch_id)
      select json_agg(s) from (
        select coalesce(e.payload ->> 'model', 'unknown') as model, count(*)::int as replies,
          coalesce(sum(told_tokens(e.payload #>> '{usage,inputTokens}')), 0)::float8 as "inputTokens",
          coalesce(sum(told_tokens(e.payload #>> '{usage,cachedTokens}')), 0)::float8 as "cachedTokens",
          coalesce(sum(told_tokens(e.payload #>> '{usage,cacheWriteTokens}')), 0)::float8 as "cacheWriteTokens",
          coalesce(sum(told_tokens(e.payload #>> '{usage,outputTokens}')), 0)::float8 as "outputTokens"
        from own join events e on e.chat_id = p.chat_id and e.stream_id = own.id and e.type = 'LLMResponseGenerated'
        group by 1 order by 1) s), '[]'))
  order by p.created_at desc, p.id desc) from replays p where p.chat_id = c.id), '[]') as replays
from chats c where c.id = $1 and c.user_id = $2`
