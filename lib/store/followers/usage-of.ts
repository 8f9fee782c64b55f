import type { Database } from '@/lib/db'
import type { BranchId, ChatId, UserId } from '@/lib/events'
import { asking } from '../reads/asking'
import { UNKNOWN_MODEL } from './usage'

/** Usage of some replies, in tokens as their providers counted them; 0 without a count. */
interface Usage {
  replies: number
  inputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  outputTokens: number
}

export type UsageByModel = Readonly<Record<string, Usage>>

export interface ChatUsage {
  /** every reply of the chat once, however many branches share it */
  total: UsageByModel
  /** by branch id: every reply of its chain, inherited ones included */
  branches: Readonly<Record<BranchId, UsageByModel>>
}

/**
 * Usage of an owner's chat, up to the place of the usage follower: mostly a second ago. Undefined for a
 * missing or another person's chat.
 */
export async function usageOf(
  database: Database,
  chatId: ChatId,
  ownerId: UserId,
): Promise<ChatUsage | undefined> {
  const ask = asking(database)
  const rows = await ask<BranchRow>(branchesSql, [chatId, ownerId])
  const [first] = rows
  if (!first) return undefined
  const branches = new Map(rows.map((row) => [row.id, row]))
  const forks = rows.flatMap((row) => {
    const source = sourceOf(row, branches)
    return source ? [{ branch: row.id, stream: source.id, upto: row.from }] : []
  })
  const recorded = await readRecorded(ask, chatId, forks, first)
  const inherited = new Inherited(forks, recorded)
  return {
    total: sum(rows.map(({ own }) => own)),
    branches: Object.fromEntries(rows.map(({ id, own }) => [id, sum([own, inherited.of(id)])])),
  }
}

interface BranchRow {
  id: string
  parent: string | null
  /** the last event inherited from there */
  from: number
  /** usage of the messages that it recorded itself */
  own: UsageByModel
  /** place of the follower */
  txid: string
  atChat: string
  atSeq: number
}

interface Fork {
  branch: string
  /** the thread that recorded the last inherited event */
  stream: string
  upto: number
}

/** Usage that a thread recorded between two events at which others fork. */
interface Piece {
  stream: string
  upto: number
  models: UsageByModel
}

/** Usage of threads from their first event up to an event at which others fork, by thread and that event. */
type Recorded = ReadonlyMap<string, ReadonlyMap<number, UsageByModel>>

/** A thread may fork after an event that its parent has inherited: then the source is the parent's own source. */
function sourceOf(
  { parent, from }: BranchRow,
  branches: ReadonlyMap<string, BranchRow>,
): BranchRow | undefined {
  let source = parent === null ? undefined : branches.get(parent)
  while (source && from <= source.from) {
    source = source.parent === null ? undefined : branches.get(source.parent)
  }
  return source
}

/** Reads no event twice: a thread that is forked at several places is read from each of them to the next. */
async function readRecorded(
  ask: Database['query'],
  chatId: string,
  forks: readonly Fork[],
  at: BranchRow,
): Promise<Recorded> {
  const places = new Map<string, Set<number>>()
  for (const { stream, upto } of forks) places.set(stream, (places.get(stream) ?? new Set()).add(upto))
  const wanted = [...places].map(([stream, numbers]) => [stream, [...numbers].sort((a, b) => a - b)] as const)
  const pieces = wanted.flatMap(([stream, numbers]) =>
    numbers.map((upto, index) => ({ stream, after: numbers[index - 1] ?? 0, upto })),
  )
  if (pieces.length === 0) return new Map()
  const params = [chatId, JSON.stringify(pieces), at.txid, at.atChat, at.atSeq]
  const key = (stream: string, upto: number) => JSON.stringify([stream, upto])
  // a piece without replies has no row
  const found = new Map(
    (await ask<Piece>(piecesSql, params)).map(({ stream, upto, models }) => [key(stream, upto), models]),
  )
  return new Map(
    wanted.map(([stream, numbers]) => {
      let sofar: UsageByModel = {}
      const line = numbers.map((upto) => {
        sofar = sum([sofar, found.get(key(stream, upto)) ?? {}])
        return [upto, sofar] as const
      })
      return [stream, new Map(line)]
    }),
  )
}

/** Inherited usage of branches, each worked out once. */
class Inherited {
  readonly #known = new Map<string, UsageByModel>()
  readonly #forks: ReadonlyMap<string, Fork>
  readonly #recorded: Recorded

  constructor(forks: readonly Fork[], recorded: Recorded) {
    this.#forks = new Map(forks.map((fork) => [fork.branch, fork]))
    this.#recorded = recorded
  }

  /** Down from the first ancestor that is known: a fork of a fork may be thousands deep. */
  of(branch: string): UsageByModel {
    const line: Fork[] = []
    let at: string | undefined = branch
    while (at !== undefined && !this.#known.has(at)) {
      const fork: Fork | undefined = this.#forks.get(at)
      if (fork) line.push(fork)
      else this.#known.set(at, {})
      at = fork?.stream
    }
    for (const { branch: id, stream, upto } of line.reverse()) {
      const above = this.#known.get(stream) ?? {}
      this.#known.set(id, sum([above, this.#recorded.get(stream)?.get(upto) ?? {}]))
    }
    return this.#known.get(branch) ?? {}
  }
}

const nothing: Usage = {
  replies: 0,
  inputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
}

function sum(parts: readonly UsageByModel[]): UsageByModel {
  const models = new Map<string, Usage>()
  for (const part of parts) {
    for (const [model, more] of Object.entries(part)) {
      const so = models.get(model) ?? nothing
      models.set(model, {
        replies: so.replies + more.replies,
        inputTokens: so.inputTokens + more.inputTokens,
        cachedTokens: so.cachedTokens + more.cachedTokens,
        cacheWriteTokens: so.cacheWriteTokens + more.cacheWriteTokens,
        outputTokens: so.outputTokens + more.outputTokens,
      })
    }
  }
  return Object.fromEntries(models)
}

/** $1 chat, $2 owner */
const branchesSql = `
select b.id, b.parent_branch_id as parent, b.from_event_number as "from",
  (select coalesce(json_object_agg(u.model, json_build_object('replies', u.replies, 'inputTokens', u.input_tokens,
    'cachedTokens', u.cached_tokens, 'cacheWriteTokens', u.cache_write_tokens, 'outputTokens', u.output_tokens)), '{}') from usage u where u.chat_id = b.chat_id and u.branch_id = b.id) as own,
  coalesce(f.txid, '0')::text as txid, coalesce(f.at_chat, '') as "atChat", coalesce(f.at_seq, 0)::float8 as "atSeq"
from chats c join branches b on b.chat_id = c.id left join followers f on f.name = 'usage'
where c.id = $1 and c.user_id = $2`

/** $1 chat, $2 the pieces wanted, $3 transaction, $4 chat and $5 number at which the follower stands */
const piecesSql = `
select r.stream, r.upto, json_object_agg(r.model, json_build_object('replies', r.replies, 'inputTokens', r.input,
  'cachedTokens', r.cached, 'cacheWriteTokens', r.written, 'outputTokens', r.output)) as models
from (
  select p.stream, p.upto, coalesce(e.payload ->> 'model', '${UNKNOWN_MODEL}') as model, count(*)::int as replies,
    sum(told_tokens(e.payload #>> '{usage,inputTokens}'))::float8 as input,
    coalesce(sum(told_tokens(e.payload #>> '{usage,cachedTokens}')), 0)::float8 as cached,
    coalesce(sum(told_tokens(e.payload #>> '{usage,cacheWriteTokens}')), 0)::float8 as written,
    sum(told_tokens(e.payload #>> '{usage,outputTokens}'))::float8 as output
  from json_to_recordset($2::json) as p(stream text, after int, upto int)
  join events e on e.chat_id = $1 and e.stream_id = p.stream and e.event_number > p.after
    and e.event_number <= p.upto and e.type = 'LLMResponseGenerated' and not e.payload ? 'imported'
    and (e.txid, e.chat_id, e.seq) <= ($3::xid8, $4, $5::bigint)
  group by 1, 2, 3
) r group by r.stream, r.upto`
