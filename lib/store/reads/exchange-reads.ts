import type { ContextData, MessageData } from '@/lib/context'
import type { Database } from '@/lib/db'
import { asking } from './asking'
import { messageAt, messageCalled, messageColumns } from './chain-sql'
import { type MessageRow, publicId, toMessage } from './rows'

interface Place {
  lane: number
  depth: number
}

/** A chat as it is exchanged: its refs, and how its messages hang together. */
interface ExchangedChat {
  /** its key */
  chatId: string
  /** the owner's id for it */
  called: string
  origin: string
  title: string | null
  seq: number
  lanes: [lane: number, parentLane: number | null, baseDepth: number][]
  /** merges and copies (1), with the place of the merged or copied message */
  ties: [lane: number, depth: number, toLane: number, toDepth: number, isCopy: 0 | 1][]
  branches: (Partial<Place> & {
    id: string
    name: string
    messageId: string | null
    isArchived: boolean
    isBusy: boolean
  })[]
  checkpoints: (Place & { name: string; messageId: string })[]
  /** the refs of a remote, as they were seen last */
  seen: (Partial<Place> & { kind: 'branch' | 'checkpoint'; name: string; messageId: string | null })[]
}

/** A reply's model and tokens, as its event tells them. */
interface ToldReply {
  model: string | null
  usage: Record<string, number> | null
}

/** A ref of a remote. */
interface SeenRef {
  kind: 'branch' | 'checkpoint'
  name: string
  messageId: string | null
}

/** Reads chats for an exchange with remotes, and keeps their refs. Another person's chat reads as missing. */
export class ExchangeReads {
  readonly #ask: Database['query']

  constructor(private readonly database: Pick<Database, 'query'>) {
    this.#ask = asking(database)
  }

  /** The owner's chat of this id, with the refs of a remote: one statement. */
  async standing(called: string, ownerId: string, remoteId?: string): Promise<ExchangedChat | undefined> {
    const [row] = await this.#ask<ExchangedChat>(standingSql, [called, ownerId, remoteId ?? null])
    return row
  }

  /** The ids of the messages in some stretches of lanes, in the order in which they were recorded: parents come first. */
  async idsIn(chatId: string, stretches: readonly (Place & { to: number })[]): Promise<string[]> {
    const rows = await this.#ask<{ id: string }>(idsSql, [chatId, JSON.stringify(stretches)])
    return rows.map(({ id }) => id)
  }

  /** The places of the stored ones among some messages, by id. */
  async places(chatId: string, ids: readonly string[]): Promise<Map<string, Place>> {
    const rows = await this.#ask<Place & { id: string }>(
      `select m.id, m.lane, m.depth from json_array_elements_text($2::json) x(id)
      cross join ${messageCalled('$1', 'x.id')} m`,
      [chatId, JSON.stringify(ids)],
    )
    return new Map(rows.map(({ id, lane, depth }) => [id, { lane, depth }]))
  }

  /** The stored ones among some messages, in the given order, with facts of their events about replies. */
  async messages(
    chatId: string,
    ids: readonly string[],
  ): Promise<(MessageData & { reply: ToldReply | null })[]> {
    const rows = await this.#ask<MessageRow & { reply: ToldReply | null }>(
      `select ${messageColumns}, (select json_build_object('model', e.payload -> 'model', 'usage', e.payload -> 'usage')
        from events e where e.chat_id = $1 and e.message_id = m.id and e.type = 'LLMResponseGenerated' limit 1) as reply
      from json_array_elements_text($2::json) with ordinality x(id, n)
      cross join ${messageCalled('$1', 'x.id')} m order by x.n`,
      [chatId, JSON.stringify(ids)],
    )
    return rows.map((row) => ({ ...toMessage(chatId, row), reply: row.reply }))
  }

  contexts(chatId: string, ids: readonly string[]): Promise<ContextData[]> {
    return this.#ask<ContextData>(
      `select k.id, k.fragments, k.model, k.setup from json_array_elements_text($2::json) x(id)
      cross join lateral (select * from contexts k where k.chat_id = $1 and k.id = x.id limit 1) k`,
      [chatId, JSON.stringify(ids)],
    )
  }

  summaries(chatId: string, ids: readonly string[]) {
    return this.#ask<{ messageId: string; leftOut: string; text: string; model: string }>(
      `select s.message_id as "messageId", s.left_out as "leftOut", s.text, s.model
      from json_array_elements_text($2::json) with ordinality x(id, n)
      cross join lateral (select * from summaries s where s.chat_id = $1 and s.message_id = x.id offset 0) s
      order by x.n, s.left_out`,
      [chatId, JSON.stringify(ids)],
    )
  }

  /** Stores a remote's present refs; its former refs are forgotten, unless only `some` were asked for. */
  async keepRefs(
    chatId: string,
    remoteId: string,
    refs: readonly SeenRef[],
    { some = false }: { some?: boolean } = {},
  ): Promise<void> {
    const given = JSON.stringify(refs)
    await this.database.query(
      `with gone as (
        delete from remote_refs r where r.chat_id = $1 and r.remote_id = $2 and not $4::boolean
          and (r.kind, r.name) not in (select x.kind, x.name from json_to_recordset($3::json) x(kind text, name text)))
      insert into remote_refs (chat_id, remote_id, kind, name, message_id)
      select $1, m.id, x.kind, x.name, x."messageId" from remotes m
      cross join json_to_recordset($3::json) as x(kind text, name text, "messageId" text) where m.id = $2
      on conflict (chat_id, remote_id, kind, name) do update set message_id = excluded.message_id, seen_at = now()`,
      [chatId, remoteId, given, some],
    )
  }

  /** Stores summaries that came with messages; an existing one stays. */
  async keepSummaries(
    chatId: string,
    summaries: readonly { messageId: string; leftOut: string; text: string; model: string }[],
  ): Promise<void> {
    if (summaries.length === 0) return
    await this.database.query(
      `insert into summaries (chat_id, message_id, left_out, text, model)
      select $1, x."messageId", x."leftOut", x.text, x.model
      from json_to_recordset($2::json) as x("messageId" text, "leftOut" text, text text, model text)
      on conflict (chat_id, message_id, left_out) do nothing`,
      [chatId, JSON.stringify(summaries)],
    )
  }
}

const ties = (column: string, isCopy: 0 | 1): string =>
  `select json_build_array(m.lane, m.depth, t.lane, t.depth, ${isCopy}) as tie from messages m
  cross join ${messageCalled('m.chat_id', `m.${column}`)} t where m.chat_id = c.id and m.${column} is not null`

/** $1 the owner's id for the chat, $2 owner, $3 remote */
const standingSql = `
select c.id as "chatId", ${publicId('c')} as called, c.origin::text as origin, c.title, c.last_seq::float8 as seq,
  (select coalesce(json_agg(json_build_array(g.lane, g.parent_lane, g.base_depth)), '[]') from lanes g where g.chat_id = c.id) as lanes,
  (select coalesce(json_agg(q.tie), '[]') from (${ties('merge_parent_id', 0)} union all ${ties('copied_from_id', 1)}) q) as ties,
  (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'messageId', h.id, 'lane', b.head_lane, 'depth', b.head_depth,
      'isArchived', b.archived_at is not null, 'isBusy', (select true from runs r where r.chat_id = b.chat_id and r.branch_id = b.id
        and r.status in ('queued', 'running') limit 1) is not null) order by b.created_at, b.id), '[]')
    from branches b left join ${messageAt('b.chat_id', 'b.head_lane', 'b.head_depth')} h on true where b.chat_id = c.id) as branches,
  (select coalesce(json_agg(json_build_object('name', k.name, 'messageId', h.id, 'lane', k.lane, 'depth', k.depth) order by k.name), '[]')
    from checkpoints k cross join ${messageAt('k.chat_id', 'k.lane', 'k.depth')} h where k.chat_id = c.id) as checkpoints,
  (select coalesce(json_agg(json_build_object('kind', r.kind, 'name', r.name, 'messageId', r.message_id, 'lane', h.lane,
      'depth', h.depth) order by r.kind, r.name), '[]')
    from remote_refs r left join ${messageCalled('r.chat_id', 'r.message_id')} h on true
    where r.chat_id = c.id and r.remote_id = $3) as seen
from chats c where c.user_id = $2 and coalesce(c.alias, c.id) = $1`

/** $1 chat, $2 stretches of lanes */
const idsSql = `
select m.id from json_to_recordset($2::json) as x(lane int, depth int, "to" int)
cross join lateral (select f.id from messages f
  where f.chat_id = $1 and f.lane = x.lane and f.depth between x.depth and x."to" offset 0) m
cross join lateral (select e.seq from events e where e.chat_id = $1 and e.message_id = m.id limit 1) e
order by e.seq`
